/** Two servers as processes, on one PostgreSQL and one NATS, each the broker of its devices. */
import { Client } from 'pg'
import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import type { Server } from '../../../src/api/contract/servers.ts'
import type { z } from 'zod/mini'
import { startSession } from '../../../server/auth/sessions.ts'
import { accounts } from '../../../server/db/schema/accounts.ts'
import { devices } from '../../../server/db/schema/devices.ts'
import { readings } from '../../../server/db/schema/telemetry.ts'
import { createCredentials, storeCredentials } from '../../../server/devices/gateway/credentials.ts'
import { freePort } from '../../support/ports.ts'
import { until } from '../../support/until.ts'
import { startServer, temporaryFolder } from '../support/harness.ts'
import { startNats } from '../support/buses/nats.ts'
import { startProcess } from '../support/processes/serverProcess.ts'
import { listen } from '../support/calls/streamReader.ts'
import { newAccount } from '../support/subjects.ts'
import { connectDevice, reading } from '../support/devices/testDevice.ts'

const { db, databaseUrl } = await startServer()
const nats = await startNats(['--user', 'permeate', '--pass', 'a-secret'])
const natsUrl = nats.url.replace('//', '//permeate:a-secret@')
const [first, second] = (await db.select({ bssid: devices.bssid }).from(devices).limit(2)).map(({ bssid }) => bssid)
const credentials = await createCredentials([first!, second!])
await storeCredentials(db, credentials, new Date())
const folders = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()]

const tokenOf = async (id: string, role: 'admin' | 'superadmin' | 'vendor') =>
  (await startSession(db, { id, role }, new Date())).access_token
const tokenOfLogin = async (login: 'admin' | 'superadmin') => {
  const [account] = await db.select().from(accounts).where(eq(accounts.login, login))
  return tokenOf(account!.id, login)
}
const admin = await tokenOfLogin('admin')
const superadmin = await tokenOfLogin('superadmin')

/** Starts a server; `at`: which of the data folders it has. */
async function start(at: number, settings: Readonly<Record<string, string>> = { NATS_URL: natsUrl }) {
  const mqttPort = await freePort()
  const server = await startProcess({
    PORT: String(await freePort()),
    MQTT_PORT: String(mqttPort),
    DATA_DIR: folders[at]!,
    DATABASE_URL: databaseUrl,
    DEMO: 'on',
    FLEET: '0',
    HISTORY: '0',
    LOG_LEVEL: 'info',
    ...settings,
  })
  const health = async () => {
    const answer = await fetch(`${server.url}/health/ready`)
    return [answer.status, ((await answer.json()) as { data: { status: string } }).data.status]
  }
  return { ...server, health, mqtt: `mqtt://127.0.0.1:${mqttPort}` }
}
type Started = Awaited<ReturnType<typeof start>>

const deviceAt = (server: Started, which: number) =>
  connectDevice({ url: server.mqtt, reconnectPeriod: 100, ...credentials[which]! })
const reboot = (server: Started, bssid: string) =>
  server.call<{ count: number }>('POST', '/api/v3/devices/reboot', admin, { ids: [bssid] })
const block = (server: Started, vendor: string) =>
  server.call('PATCH', `/api/v3/vendors/${vendor}/change-status`, admin, { status: true })
const busesOf = async (server: Started) => {
  const { data } = await server.call<{ data: z.output<typeof Server>[] }>('GET', '/api/v3/servers', superadmin)
  return data.map(({ bus, bus_state }) => [bus, bus_state])
}
const lost = /lost its NATS connection/g
const isApart = /Events of other servers do not arrive/

/** Listens to what goes through the database. */
async function listenToDatabase(): Promise<string[]> {
  const client = new Client({ connectionString: databaseUrl })
  const notified: string[] = []
  client.on('notification', ({ payload = '' }) => notified.push(payload))
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('listen permeate')
  return notified
}

test('servers are one installation over NATS, also after it was killed under load', async () => {
  const notified = await listenToDatabase()
  const [a, b] = await Promise.all([start(0), start(1)])
  const device = await deviceAt(b, 0)
  const stream = await listen(a.url, admin)

  // A device's reading at one server changes rows at consoles of the other.
  const published: string[] = []
  const publish = async () => {
    const next = reading(new Date(Date.now() - 3_600_000 + published.length * 1000))
    await device.publish('telemetry', { readings: [next] })
    published.push(next.at)
  }
  const changedRows = () => stream.of('devices').flatMap(event => event.devices.map(({ bssid }) => bssid))
  await publish()
  await until(() => expect(changedRows()).toContain(first))
  // A command at one reaches the device at the other, and its answer comes back.
  expect(await reboot(a, first!)).toMatchObject({ count: 1 })
  // A session that ends at one ends the streams at the other.
  const vendor = await newAccount(db, 'vendor')
  const watching = await listen(a.url, await tokenOf(vendor, 'vendor'))
  await block(b, vendor)
  await watching.ended
  // A device that moves to the other server leaves the first one.
  const moved = await deviceAt(a, 1)
  const left = new Promise<void>(resolve => moved.client.once('close', () => resolve()))
  const back = await connectDevice({ url: b.mqtt, ...credentials[1]! })
  await left
  await moved.leave()
  expect(await reboot(a, second!)).toMatchObject({ count: 1 })
  expect(back.executed).toHaveLength(1)
  expect(notified).toEqual([])

  // NATS is killed while readings arrive.
  let isLoaded = true
  const load = async () => {
    while (isLoaded) await publish()
  }
  const loading = load()
  const blocked = await newAccount(db, 'vendor')
  const blockedStream = await listen(a.url, await tokenOf(blocked, 'vendor'))
  await nats.kill()
  for (const server of [a, b])
    await until(async () => expect(await server.health()).toEqual([200, 'event bus disconnected']))
  const disconnected = ['nats', 'disconnected']
  await until(async () => expect(await busesOf(a)).toEqual([disconnected, disconnected]))
  // Calls and readings go on; what concerns the other server is made up for.
  await block(b, blocked)
  const before = device.executed.length
  const commanded = reboot(a, first!)
  const publishedBefore = published.length
  await until(() => expect(published.length).toBeGreaterThan(publishedBefore))
  expect(device.executed).toHaveLength(before)
  await nats.start()
  await blockedStream.ended
  expect(await commanded).toMatchObject({ count: 1 })
  await until(() => expect(stream.of('changed').flatMap(({ resources }) => resources)).toContain('vendors'))
  for (const server of [a, b]) await until(async () => expect(await server.health()).toEqual([200, 'ok']))
  const seen = changedRows().length
  await until(() => expect(changedRows().length).toBeGreaterThan(seen))
  isLoaded = false
  await loading
  await until(async () => {
    const stored = await db.select({ at: readings.at }).from(readings).where(eq(readings.bssid, first!))
    expect(stored.map(({ at }) => at.toISOString()).toSorted()).toEqual(published)
  })
  const connected = ['nats', 'connected']
  await until(async () => expect(await busesOf(b)).toEqual([connected, connected]))
  for (const server of [a, b]) {
    expect(server.printed().match(lost)).toHaveLength(1)
    expect(server.printed()).not.toMatch(isApart)
    expect(server.printed()).not.toContain('a-secret')
  }
  await device.leave()
  await back.leave()
  for (const server of [a, b]) expect(await server.stop()).toBe(0)
}, 180_000)

test('servers with and without NATS notice that they do not hear each other, and say so', async () => {
  const [a, b] = await Promise.all([start(0), start(1, {})])
  const patience = { timeout: 60_000, interval: 200 }
  await until(() => expect(b.printed()).toMatch(isApart), patience)
  await until(async () => expect(await busesOf(a)).toContainEqual(['postgres', 'apart']), patience)
  // What the server without NATS sends, the other one does hear: it listens to the database, too.
  expect(a.printed()).not.toMatch(isApart)
}, 180_000)

test('a server without a NATS that answers does not start, and says why without the password', async () => {
  const unreachable = natsUrl.replace(String(nats.port), '1')
  const failed = start(2, { NATS_URL: unreachable })
  await expect(failed).rejects.toThrow('NATS_URL: 127.0.0.1:1 cannot be used: connection refused')
  await expect(failed).rejects.not.toThrow('a-secret')
}, 180_000)
