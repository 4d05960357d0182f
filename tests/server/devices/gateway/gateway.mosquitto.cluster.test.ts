/** Two server processes on one PostgreSQL and one Mosquitto. */
import { setTimeout as pause } from 'node:timers/promises'
import { asc, eq, inArray } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { BulkResponse } from '../../../../src/api/contract/endpoint.ts'
import { demoPassword } from '../../../../server/demo/catalogue.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { readings } from '../../../../server/db/schema/telemetry.ts'
import { deviceCommands } from '../../../../server/db/schema/wire.ts'
import { createCredentials, storeCredentials } from '../../../../server/devices/gateway/credentials.ts'
import { startServer, temporaryFolder } from '../../support/harness.ts'
import { freePort } from '../../../support/ports.ts'
import { startMosquitto } from '../../support/mosquitto.ts'
import { startProcess, type ServerProcess } from '../../support/serverProcess.ts'
import { listen } from '../../support/streamReader.ts'
import { connectDevice, reading, type TestDevice } from '../../support/testDevice.ts'
import { until } from '../../../support/until.ts'

const fleet = 20
/** Milliseconds between two readings of a device, just within the rate limit. */
const interval = 60
const { db, databaseUrl } = await startServer()
const rows = await db.select({ bssid: devices.bssid }).from(devices).orderBy(devices.bssid).limit(fleet)
const credentials = await createCredentials(rows.map(({ bssid }) => bssid))
await storeCredentials(db, credentials, new Date())
const mosquitto = await startMosquitto(credentials)
/** The settings of the two servers, with their data folders, shared by all tests. */
const settings = [await newSettings(), await newSettings()]

async function newSettings(): Promise<Record<string, string>> {
  return {
    PORT: String(await freePort()),
    DATA_DIR: await temporaryFolder(),
    DATABASE_URL: databaseUrl,
    MQTT_URL: mosquitto.serverUrl,
    DEMO: 'on',
    FLEET: '0',
    HISTORY: '0',
  }
}
const signIn = async ({ call }: ServerProcess) => {
  const body = { login: 'admin', password: demoPassword }
  return (await call<{ access_token: string }>('POST', '/api/v3/auth/login/dashboard', undefined, body)).access_token
}
/** Connects the fleet; each device publishes its state, so that none is offline. */
async function connectFleet(): Promise<TestDevice[]> {
  const connected = await Promise.all(
    credentials.map(({ bssid, secret }) =>
      connectDevice({ url: mosquitto.deviceUrl, bssid, secret, reconnectPeriod: 100 }),
    ),
  )
  const at = new Date().toISOString()
  await Promise.all(connected.map(({ publish }) => publish('state', { at, status: 0, report_interval: 60 })))
  await until(async () => {
    const rows = await db.select().from(devices).where(inArray(devices.bssid, bssids()))
    expect(rows.map(({ status }) => status)).toEqual(rows.map(() => 0))
  })
  return connected
}
const bssids = () => credentials.map(({ bssid }) => bssid)
const leave = (all: readonly TestDevice[]) => Promise.all(all.map(device => device.leave('cut off')))

test('a command sent by one server can be answered through the other, and consoles on both show the result', async () => {
  const [a, b] = [await startProcess(settings[0]!), await startProcess(settings[1]!)]
  const fleetOf = await connectFleet()
  const token = await signIn(a)
  const consoles = [await listen(a.url, token), await listen(b.url, token)]
  await until(() => consoles.forEach(console => expect(console.of('ping')).toHaveLength(1)))

  const ask = (server: ServerProcess) =>
    server.call<BulkResponse>('POST', '/api/v3/devices/reboot', token, { ids: bssids() })
  // The broker sends answers to the servers in turn, so half of them reach the one that did not send the command.
  expect(await Promise.all([ask(a), ask(b)])).toEqual([
    { count: fleet, total: fleet, failed: [] },
    { count: fleet, total: fleet, failed: [] },
  ])
  for (const { received, executed } of fleetOf) {
    expect(executed).toHaveLength(2)
    expect(received).toHaveLength(2)
  }

  const [{ publish, bssid } = fleetOf[0]!] = fleetOf
  await publish('state', { at: new Date().toISOString(), status: 2 })
  for (const { of } of consoles)
    await until(() => {
      const rows = of('devices').flatMap(event => event.devices)
      expect(rows.filter(row => row.bssid === bssid).at(-1)).toMatchObject({ status: 2 })
    })
  await leave(fleetOf)
  expect(await Promise.all([a.stop(), b.stop()])).toEqual([0, 0])
}, 120_000)

test('when a server is killed, no acknowledged reading is lost, and no command is executed twice', async () => {
  const first = await startProcess(settings[0]!)
  const other = await startProcess(settings[1]!)
  const fleetOf = await connectFleet()
  const token = await signIn(other)

  const published = new Map<string, string[]>(bssids().map(bssid => [bssid, []]))
  let second = 0
  let publishing = true
  const publishReadings = async ({ bssid, publish }: TestDevice) => {
    while (publishing) {
      const next = reading(new Date(Date.now() - 3_600_000 + ++second))
      await publish('telemetry', { readings: [next] })
      published.get(bssid)!.push(next.at)
      await pause(interval)
    }
  }
  const count = () => [...published.values()].flat().length
  const publishers = Promise.all(fleetOf.map(publishReadings))
  await until(() => expect(count()).toBeGreaterThan(500))

  // Commands of both servers are pending when it is killed.
  const ask = (server: ServerProcess) =>
    server.call<BulkResponse>('POST', '/api/v3/devices/reboot', token, { ids: bssids() })
  const lost = ask(first).catch((error: unknown) => error)
  const answered = ask(other)
  await until(() => expect(fleetOf.some(({ received }) => received.length > 0)).toBe(true))
  await first.kill()
  const before = count()
  await until(() => expect(count()).toBeGreaterThan(before + 500))
  await startProcess(settings[0]!)
  const after = count()
  await until(() => expect(count()).toBeGreaterThan(after + 500))
  publishing = false
  await publishers

  await until(async () => {
    const rows = await db
      .select({ bssid: readings.bssid, at: readings.at })
      .from(readings)
      .where(inArray(readings.bssid, bssids()))
      .orderBy(asc(readings.at))
    const stored = Map.groupBy(rows, ({ bssid }) => bssid)
    for (const [bssid, times] of published)
      expect(stored.get(bssid)?.map(({ at }) => at.toISOString())).toEqual(times.toSorted())
  })

  await lost
  expect((await answered).total).toBe(fleet)
  await until(async () => expect(await db.$count(deviceCommands, eq(deviceCommands.state, 'sent'))).toBe(0))
  for (const { executed } of fleetOf) expect(new Set(executed.map(({ id }) => id)).size).toBe(executed.length)
  // No command was sent again with another id: each device received at most one from each server.
  for (const { executed } of fleetOf) expect(executed.length).toBeLessThanOrEqual(2)
  await leave(fleetOf)
}, 180_000)
