/** Messages from the embedded broker to the database: whatever the broker has acknowledged is stored. */
import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { devices } from '../../../../server/db/schema/devices.ts'
import { deviceTwins, readings } from '../../../../server/db/schema/telemetry.ts'
import { createCredentials, storeCredentials } from '../../../../server/devices/gateway/credentials.ts'
import { openGateway } from '../../../../server/devices/gateway/gateway.ts'
import { openIngest } from '../../../../server/devices/ingest/readings.ts'
import { openStates } from '../../../../server/devices/ingest/states.ts'
import { startServer } from '../../support/harness.ts'
import { testParts } from '../../support/devices/readingSamples.ts'
import { connectDevice, reading, type TestDevice } from '../../support/devices/testDevice.ts'
import { until } from '../../../support/until.ts'
import { deviceRow } from '../../support/devices/deviceRows.ts'

const server = await startServer()
const { db, alarms, clock, dataDir } = server
const parts = { ...testParts(server), alarms, serving: { db } }
const ingest = openIngest(parts)
const states = openStates(parts)
const config = { mqttHost: '127.0.0.1', mqttPort: 0, mqttsPort: undefined, mqttUrl: undefined, dataDir }
const gateway = await openGateway({ ...parts, config, ingest, states })

const rows = await db.select({ bssid: devices.bssid }).from(devices).orderBy(devices.bssid).limit(10)
const credentials = await createCredentials(rows.map(({ bssid }) => bssid))
await storeCredentials(db, credentials, clock.now())
const url = `mqtt://127.0.0.1:${gateway.mqttPort}`
const fleet: TestDevice[] = await Promise.all(
  credentials.map(({ bssid, secret }) => connectDevice({ url, bssid, secret })),
)
afterAll(async () => {
  for (const device of fleet) await device.leave('cut off')
  await gateway.close()
  await states.close()
  await ingest.close()
})

const stored = (bssid: string) => db.select().from(readings).where(eq(readings.bssid, bssid)).orderBy(readings.at)

test('an acknowledged reading is stored already, and a repeated one is stored once', async () => {
  const from = clock.now().getTime() - 600_000
  await Promise.all(
    fleet.map(async ({ bssid, publish }, device) => {
      for (let at = 0; at < 5; at++) {
        const sent = reading(new Date(from + at * 1000), { pressure: device })
        await publish('telemetry', { readings: [sent] })
        expect((await stored(bssid)).at(-1)).toMatchObject({ at: new Date(sent.at), pressure: device })
        if (at === 4) await publish('telemetry', { readings: [sent, sent] })
      }
      expect(await stored(bssid)).toHaveLength(5)
    }),
  )
})

test('an acknowledged state is stored already, the newest of many', async () => {
  const [{ bssid, publish }] = fleet as [TestDevice]
  const twin = async () => (await db.select().from(deviceTwins).where(eq(deviceTwins.bssid, bssid)))[0]
  const at = clock.now().getTime()
  const sent = [1, 2, 1, 0, 7, 8] as const
  await Promise.all(
    sent.map((status, after) =>
      publish('state', { at: new Date(at + after).toISOString(), status, report_interval: 45 }),
    ),
  )
  expect(await twin()).toMatchObject({ reported_status: 8, report_interval: 45 })
})

test('a reading from the far future is dropped and counted, and its message is acknowledged', async () => {
  const [, { bssid, publish }] = fleet as [TestDevice, TestDevice]
  const before = await stored(bssid)
  const good = reading(new Date(clock.now().getTime() - 1000))
  await publish('telemetry', { readings: [reading(new Date(clock.now().getTime() + 25 * 3_600_000)), good] })
  expect(await stored(bssid)).toHaveLength(before.length + 1)
  expect(parts.drops.totals()).toMatchObject({ 'ahead of time': 1, malformed: 0 })
})

test('a device is offline after its connection broke', async () => {
  const last = fleet.at(-1)!
  const status = async () => (await deviceRow(db, last.bssid)).status
  await last.publish('state', { at: clock.now().toISOString(), status: 0 })
  await until(async () => expect(await status()).toBe(0))
  await last.leave('cut off')
  await until(async () => expect(await status()).toBe(3))
})
