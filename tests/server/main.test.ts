/** A server that is killed (kill -9) keeps what it has promised: the next one sends its mails and makes its notifications. */
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { asc, eq, sql } from 'drizzle-orm'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { demoPassword } from '../../server/demo/catalogue.ts'
import { newId } from '../../server/db/id.ts'
import { devices } from '../../server/db/schema/devices.ts'
import { notifications } from '../../server/db/schema/notifications.ts'
import { queuedMails } from '../../server/db/schema/queuedMails.ts'
import { unevaluatedReadings } from '../../server/db/schema/telemetry.ts'
import { createCredentials, storeCredentials } from '../../server/devices/gateway/credentials.ts'
import { readOutbox } from '../support/outbox.ts'
import { freePort } from '../support/ports.ts'
import { until } from '../support/until.ts'
import { startServer, temporaryFolder } from './support/harness.ts'
import { startProcess, type ServerProcess } from './support/processes/serverProcess.ts'
import { newAccount } from './support/subjects.ts'
import { connectDevice, reading } from './support/devices/testDevice.ts'

/** Milliseconds: two servers are started one after the other. */
const timeout = 120_000

const { db, databaseUrl, mails } = await startServer()
// Only the processes send mails.
await mails.close()
const [{ bssid } = { bssid: '' }] = await db.select().from(devices).orderBy(asc(devices.bssid)).limit(1)
const [credential] = await createCredentials([bssid])
await storeCredentials(db, [credential!], new Date())

/** Starts a mail server that accepts connections and never says anything. */
async function silentMailServer() {
  const sockets: Socket[] = []
  const server = createServer(socket => sockets.push(socket.on('error', () => undefined)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { sockets, url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Blocks the evaluation of readings that begin a condition, until the function is called that this returns. */
async function blockEvaluation(): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query('lock table device_alarms in share row exclusive mode')
  onTestFinished(() => client.end())
  return async () => void (await client.query('rollback'))
}

const flush = async (server: ServerProcess, token: string, key: string) => {
  const answer = await fetch(`${server.url}/api/v3/devices/flush`, {
    method: 'POST',
    headers: { 'access-token': token, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ ids: [bssid] }),
  })
  return { status: answer.status, body: (await answer.json()) as unknown }
}

test('what a killed server had accepted is done by the next one, and nothing twice', { timeout }, async () => {
  const mailServer = await silentMailServer()
  const [dataDir, mqttPort] = [await temporaryFolder(), await freePort()]
  const start = async (more: Record<string, string> = {}) => {
    const settings = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, DEMO: 'on', FLEET: '0', HISTORY: '0', ...more }
    return startProcess({ ...settings, PORT: String(await freePort()), MQTT_PORT: String(mqttPort) })
  }
  const first = await start({ SMTP_URL: mailServer.url })
  const signIn = { login: 'admin', password: demoPassword }
  const { access_token: token } = await first.call<{ access_token: string }>(
    'POST',
    '/api/v3/auth/login/dashboard',
    undefined,
    signIn,
  )
  const device = await connectDevice({
    url: `mqtt://127.0.0.1:${mqttPort}`,
    bssid,
    secret: credential!.secret,
    answer: () => undefined,
  })
  onTestFinished(() => device.leave('cut off'))
  await device.publish('state', { at: new Date().toISOString(), status: 0 })

  // A reading that is acknowledged and not evaluated, a command without an answer, and a mail that is being sent.
  const unblock = await blockEvaluation()
  await device.publish('telemetry', { readings: [reading(new Date(), { temperature: 44 })] })
  const key = newId()
  const flushed = flush(first, token, key).catch(() => 'cut off')
  await until(() => expect(device.executed).toHaveLength(1))
  const login = 'left-waiting@example.com'
  await newAccount(db, 'vendor', { login })
  await first.call('POST', '/api/v3/auth/forgot-password/dashboard', undefined, { login })
  await until(() => expect(mailServer.sockets).toHaveLength(1))
  await first.kill()
  expect(await flushed).toBe('cut off')
  await unblock()
  expect(await db.$count(unevaluatedReadings)).toBe(1)

  // The leases of the killed server end.
  await db.execute(sql`update unevaluated_readings set stored_at = stored_at - interval '10 seconds'`)
  await db.execute(sql`update queued_mails set due_at = due_at - interval '2 minutes'`)
  await db.execute(sql`update idempotency_keys set lease_until = lease_until - interval '1 minute'`)
  const next = await start()
  await until(async () => expect((await readOutbox(dataDir)).map(({ to }) => to)).toEqual([login]))
  await until(async () => expect(await db.$count(queuedMails)).toBe(0))
  await until(async () =>
    expect(await db.select().from(notifications).where(eq(notifications.bssid, bssid))).toContainEqual(
      expect.objectContaining({ type: 'temperature_high', values: { temperature: 44 } }),
    ),
  )
  expect(await db.$count(unevaluatedReadings)).toBe(0)
  expect(await flush(next, token, key)).toEqual({
    status: 409,
    body: { message: expect.stringContaining('it is unknown what it has done') as string },
  })
  expect(device.executed).toHaveLength(1)
  expect(await next.stop()).toBe(0)
})
