/** Two server processes on one PostgreSQL and one Mosquitto, with a fleet on the wire. */
import { setTimeout as pause } from 'node:timers/promises'
import { asc, eq, inArray } from 'drizzle-orm'
import { expect } from 'vitest'
import type { BulkResponse } from '../../../../src/api/contract/endpoint.ts'
import { demoPassword } from '../../../../server/demo/catalogue.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { deviceTwins, readings } from '../../../../server/db/schema/telemetry.ts'
import { deviceCommands } from '../../../../server/db/schema/wire.ts'
import { createCredentials, storeCredentials } from '../../../../server/devices/gateway/credentials.ts'
import { startServer, temporaryFolder } from '../../support/harness.ts'
import { freePort } from '../../../support/ports.ts'
import { startMosquitto } from '../../support/processes/mosquitto.ts'
import { startProcess, type ServerProcess } from '../../support/processes/serverProcess.ts'
import { connectDevice, reading, type TestDevice } from '../../support/devices/testDevice.ts'
import { until } from '../../../support/until.ts'
import { deviceValues } from '../../../../server/db/schema/deviceValues.ts'

const fleet = 20
/** Milliseconds between two readings of a device, just within the rate limit. */
const interval = 60
/** Litres of feed in a reading. */
const { feed } = reading(new Date())

export type TwoGateways = Awaited<ReturnType<typeof prepareTwo>>

/** Prepares two servers; `shared`: settings that both have. */
export async function prepareTwo(shared: Readonly<Record<string, string>> = {}) {
  const { db, databaseUrl } = await startServer()
  const rows = await db.select({ bssid: devices.bssid }).from(devices).orderBy(devices.bssid).limit(fleet)
  const bssids = rows.map(({ bssid }) => bssid)
  const credentials = await createCredentials(bssids)
  await storeCredentials(db, credentials, new Date())
  const mosquitto = await startMosquitto(credentials)
  const newSettings = async (): Promise<Readonly<Record<string, string>>> => ({
    PORT: String(await freePort()),
    DATA_DIR: await temporaryFolder(),
    DATABASE_URL: databaseUrl,
    MQTT_URL: mosquitto.serverUrl,
    DEMO: 'on',
    FLEET: '0',
    HISTORY: '0',
    ...shared,
  })
  /** The settings of the two servers, with their data folders, shared by all tests of a file. */
  const settings = [await newSettings(), await newSettings()] as const

  /** Connects the fleet; each device publishes its state, so that none is offline. */
  const connectFleet = async (): Promise<TestDevice[]> => {
    const connected = await Promise.all(
      credentials.map(({ bssid, secret }) =>
        connectDevice({ url: mosquitto.deviceUrl, bssid, secret, reconnectPeriod: 100 }),
      ),
    )
    const at = new Date().toISOString()
    await Promise.all(connected.map(({ publish }) => publish('state', { at, status: 0, report_interval: 60 })))
    await until(async () => {
      const rows = await db.select().from(deviceValues).where(inArray(deviceValues.bssid, bssids))
      expect(rows.map(({ status }) => status)).toEqual(rows.map(() => 0))
    })
    return connected
  }
  return { db, bssids, settings, connectFleet }
}

/** Starts both servers; `atEnd`: see `startProcess`. */
export async function startBoth(
  { settings: [first, other] }: Pick<TwoGateways, 'settings'>,
  atEnd?: Parameters<typeof startProcess>[1],
): Promise<readonly [ServerProcess, ServerProcess]> {
  return [await startProcess(first, atEnd), await startProcess(other, atEnd)]
}

/** Returns the access token of a new session. */
export const signIn = async ({ call }: ServerProcess): Promise<string> => {
  const body = { login: 'admin', password: demoPassword }
  return (await call<{ access_token: string }>('POST', '/api/v3/auth/login/dashboard', undefined, body)).access_token
}
export const leave = (all: readonly TestDevice[]) => Promise.all(all.map(device => device.leave('cut off')))

/**
 * Proves that when a server is killed and started again, no acknowledged reading is lost, no litre counted twice, and no
 * command executed twice; then stops both servers. `whileBoth`: called while both run and readings arrive.
 */
export async function proveKill(
  { db, bssids, settings, connectFleet }: TwoGateways,
  [first, other]: readonly [ServerProcess, ServerProcess],
  whileBoth: () => Promise<void> = async () => undefined,
): Promise<void> {
  const fleetOf = await connectFleet()
  const token = await signIn(other)
  const twins = async () =>
    new Map(
      (await db.select().from(deviceTwins).where(inArray(deviceTwins.bssid, bssids))).map(twin => [twin.bssid, twin]),
    )
  const twinsBefore = await twins()

  const published = new Map<string, string[]>(bssids.map(bssid => [bssid, []]))
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
  await whileBoth()

  // Commands of both servers are pending when it is killed.
  const ask = (server: ServerProcess) =>
    server.call<BulkResponse>('POST', '/api/v3/devices/reboot', token, { ids: bssids })
  const lost = ask(first).catch((error: unknown) => error)
  const answered = ask(other)
  await until(() => expect(fleetOf.some(({ received }) => received.length > 0)).toBe(true))
  await first.kill()
  const before = count()
  await until(() => expect(count()).toBeGreaterThan(before + 500))
  const next = await startProcess(settings[0])
  const after = count()
  await until(() => expect(count()).toBeGreaterThan(after + 500))
  publishing = false
  await publishers

  await until(async () => {
    const rows = await db
      .select({ bssid: readings.bssid, at: readings.at })
      .from(readings)
      .where(inArray(readings.bssid, bssids))
      .orderBy(asc(readings.at))
    const stored = Map.groupBy(rows, ({ bssid }) => bssid)
    for (const [bssid, times] of published)
      expect(stored.get(bssid)?.map(({ at }) => at.toISOString())).toEqual(times.toSorted())
  })
  for (const [bssid, twin] of await twins())
    expect(twin.feed - twinsBefore.get(bssid)!.feed).toBeCloseTo(published.get(bssid)!.length * feed, 3)

  await lost
  expect((await answered).total).toBe(fleet)
  await until(async () => expect(await db.$count(deviceCommands, eq(deviceCommands.state, 'sent'))).toBe(0))
  for (const { executed } of fleetOf) expect(new Set(executed.map(({ id }) => id)).size).toBe(executed.length)
  // No command was sent again with another id: each device received at most one from each server.
  for (const { executed } of fleetOf) expect(executed.length).toBeLessThanOrEqual(2)
  await leave(fleetOf)
  expect(await Promise.all([next.stop(), other.stop()])).toEqual([0, 0])
}
