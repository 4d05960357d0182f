/** What operators see of a running server: metrics, health, request ids and logs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../../scripts/programs.ts'
import { openLog } from '../../../server/core/logger.ts'
import { msPerDay, msPerMinute } from '../../../src/domain/time.ts'
import { demoPassword } from '../../../server/demo/catalogue.ts'
import { openDropCounter } from '../../../server/devices/gateway/rateLimit.ts'
import { openIngest } from '../../../server/devices/ingest/readings.ts'
import { openHealthSums } from '../../../server/devices/ingest/healthSums.ts'
import { openUnsynced } from '../../../server/devices/ingest/unsynced.ts'
import { jobs, jobTasks } from '../../../server/db/schema/jobs.ts'
import { queuedMails } from '../../../server/db/schema/queuedMails.ts'
import { measureBroker } from '../../../server/metrics/broker.ts'
import { measureBus } from '../../../server/metrics/bus.ts'
import { openMetrics } from '../../../server/metrics/metrics.ts'
import { serveMetrics, type MetricsServer } from '../../../server/metrics/serve.ts'
import { measureState } from '../../../server/metrics/state.ts'
import { measureTelemetry } from '../../../server/metrics/telemetry.ts'
import { watchAlarms, watchBus, watchIngest, watchLink, watchMail } from '../../../server/metrics/watch.ts'
import { startServer, type TestServer } from '../support/harness.ts'
import { reading } from '../support/devices/testDevice.ts'

const token = 'a token of sixteen characters or more'
const metrics = openMetrics()
const lines: string[] = []
const log = openLog({ logLevel: 'debug', logFormat: 'json', demo: false }, { write: line => void lines.push(line) })

let server: TestServer
let endpoint: MetricsServer
let bssid: string
beforeAll(async () => {
  server = await startServer({ metrics, logger: log.logger, environment: { TRUST_PROXY: '10.0.0.1' } })
  const { db, telemetry, clock, bus } = server
  const alarms = watchAlarms(server.alarms, metrics)
  const drops = openDropCounter({ log })
  const unsynced = openUnsynced()
  const healthSums = openHealthSums({ db, log, now: clock.now })
  const ingest = watchIngest(
    openIngest({ db, telemetry, healthSums, bus, log, now: clock.now, alarms, drops, unsynced, rawDays: 30 }),
    metrics,
  )
  measureState(metrics, { database: server, pending: () => ingest.pending, drops, unsynced })
  measureBroker(metrics, { kind: 'embedded', countConnections: async () => 7, countDevices: () => 5 })
  measureBroker(metrics, { kind: 'external', isConnected: () => false })
  const busState = { kind: 'nats', isConnected: false, sent: 4, received: 9, disconnects: 2 } as const
  measureBus(metrics, { state: () => busState }, { unreachableServers: 1, close: async () => undefined })
  measureTelemetry(metrics, telemetry)
  const at = clock.now()
  const mailOf = (id: string, values = {}) => ({
    id,
    kind: 'recovery' as const,
    queued_at: new Date(Date.now() - 90_000),
    due_at: new Date(at.getTime() + 3_600_000),
    ...values,
  })
  await db
    .insert(queuedMails)
    .values([mailOf('one'), mailOf('two', { queued_at: at }), mailOf('given up', { gave_up_at: at })])
  await storeJobs(db)
  endpoint = await serveMetrics(metrics, { port: 0, host: '127.0.0.1', token }, log)
  bssid = (await db.execute<{ bssid: string }>(sql`select min(bssid) as bssid from devices`)).rows[0]!.bssid

  await ingest.add(bssid, [reading(at), reading(new Date(at.getTime() - 1000))])
  await ingest.add(bssid, [reading(at)])
  await ingest.add(bssid, [reading(new Date(at.getTime() + 3 * 86_400_000))])
  await ingest.close()
  drops.close()
  server.link.refusals.set(bssid, 'Busy')
  await watchLink(server.link, metrics).send(bssid, { kind: 'reboot' } as never)
  const mail = watchMail({ send: async () => Promise.reject(new Error('Refused')) }, metrics)
  await mail.send('a@example.com', {} as never).catch(() => undefined)
  watchBus(bus, metrics).publish({ kind: 'notifications', ids: ['a', 'b'] })
})
afterAll(() => endpoint.close())

/** Stores a job that runs, with a task that has been due for five minutes, one for tomorrow, and older ones that have ended. */
async function storeJobs(db: TestServer['db']): Promise<void> {
  const ago = (milliseconds: number) => new Date(Date.now() - milliseconds)
  const job = (id: string, values: Partial<typeof jobs.$inferInsert>) => ({
    id,
    account_id: 'a',
    login: 'a',
    command: 'flush',
    input: {},
    total: 1,
    target: { ids: 1 },
    policy: {},
    waves: 1,
    state: 'running' as const,
    created_at: ago(msPerDay),
    start_at: ago(msPerDay),
    ...values,
  })
  await db
    .insert(jobs)
    .values([
      job('running', { total: 2 }),
      job('scheduled', { state: 'scheduled' }),
      job('ended', { state: 'ended', ended_at: ago(2 * msPerDay), refused: 1 }),
    ])
  await db.insert(jobTasks).values([
    { job_id: 'running', bssid: 'A', wave: 0, due_at: ago(5 * msPerMinute) },
    { job_id: 'running', bssid: 'B', wave: 0, state: 'done', ended_at: ago(0) },
    { job_id: 'scheduled', bssid: 'C', wave: 0, due_at: ago(-msPerDay) },
  ])
}

const scrape = async (authorization = `Bearer ${token}`) => {
  const answer = await fetch(`http://127.0.0.1:${endpoint.port}/metrics`, { headers: { authorization } })
  return { status: answer.status, text: await answer.text() }
}

test('requests are measured by the pattern of their route, and refused sign-ins by reason', async () => {
  const { access_token } = await server.signIn('admin')
  await server.call('POST', '/api/v3/auth/login/dashboard', { body: { login: 'admin', password: 'wrong' } })
  const headers = { 'login-ticket': 'a guess' }
  await server.call('POST', '/api/v3/auth/login/code', { headers, body: { code: '123456' } })
  await server.call('POST', '/api/v3/auth/login/code', { headers, body: {} })
  await server.call('GET', `/api/v3/devices/${bssid}`, { token: access_token })
  await server.call('GET', '/api/v3/devices', {})
  await server.call('GET', '/api/v3/secret-path-of-somebody')
  const { text } = await scrape()
  expect(text).toContain(
    'permeate_http_request_duration_seconds_count{method="GET",route="/api/v3/devices/:bssid",status="200"} 1',
  )
  expect(text).toContain('route="/api/v3/devices",status="401"} 1')
  expect(text).toContain('route="unmatched",status="404"} 1')
  expect(text).toContain('permeate_sign_ins_refused_total{reason="wrong"} 2')
  expect(text).toMatch(/^permeate_http_requests_in_flight 0$/m)
  expect(text).not.toContain('secret-path')
  expect(text).not.toContain(bssid)
})

test('readings, devices, commands, notifications, mails and drops are counted', async () => {
  const { text } = await scrape()
  for (const line of [
    'permeate_readings_received_total 4',
    'permeate_readings_stored_total 2',
    'permeate_ingest_duration_seconds_count 3',
    'permeate_ingest_pending_readings 0',
    'permeate_dropped_total{reason="ahead_of_time"} 1',
    'permeate_commands_total{outcome="failed"} 1',
    'permeate_commands_pending 0',
    'permeate_mails_total{outcome="failed"} 1',
    'permeate_notifications_created_total 2',
    'permeate_devices_unsynced 1',
    'permeate_database_up 1',
    'permeate_database_waiting 0',
    'permeate_mqtt_connections 7',
    'permeate_mqtt_devices 5',
    'permeate_mqtt_connected 0',
    'permeate_bus_connected 0',
    'permeate_telemetry_connected 1',
    'permeate_bus_unheard_servers 1',
    'permeate_bus_messages_total{direction="sent"} 4',
    'permeate_bus_messages_total{direction="received"} 9',
    'permeate_bus_disconnects_total 2',
    'permeate_jobs{state="running"} 1',
    'permeate_jobs{state="scheduled"} 1',
    'permeate_jobs{state="paused"} 0',
    'permeate_job_tasks{state="queued"} 2',
    'permeate_job_tasks{state="done"} 1',
    'permeate_job_tasks{state="refused"} 0',
    'permeate_job_tasks_due 1',
    'permeate_mails_queued 2',
    'permeate_mails_given_up 1',
    'permeate_calls_running{kind="lists"} 0',
    'permeate_calls_waiting{kind="signIns"} 0',
  ])
    expect(text.split('\n')).toContain(line)
  const lag = Number(/^permeate_job_tasks_lag_seconds (.*)$/m.exec(text)?.[1])
  expect(lag).toBeGreaterThan(299)
  expect(lag).toBeLessThan(600)
  const devices = [...text.matchAll(/^permeate_devices\{status="\w+"\} (\d+)$/gm)].map(([, count]) => Number(count))
  expect(devices.reduce((sum, count) => sum + count, 0)).toBe(120)
  const age = Number(/^permeate_mails_oldest_age_seconds (.+)$/m.exec(text)?.[1])
  expect(age).toBeGreaterThan(89)
  expect(age).toBeLessThan(400)
  expect(text).toMatch(/^permeate_database_bytes \d{7,}$/m)
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
  expect(text).toMatch(/^process_resident_memory_bytes /m)
})

test('metrics need the token, and are not on the address of the console', async () => {
  expect((await scrape('')).status).toBe(401)
  expect((await scrape('Bearer wrong')).status).toBe(401)
  expect((await fetch(`http://127.0.0.1:${endpoint.port}/`)).status).toBe(404)
  expect((await server.call('GET', '/metrics')).body).not.toContain('permeate_')
})

test('the dashboard and the alerts use only metrics that there are', async () => {
  const { text } = await scrape()
  const known = new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name!],
    ),
  )
  for (const file of ['deploy/grafana/permeate.json', 'deploy/prometheus/alerts.yml']) {
    const used = new Set(readFileSync(join(root, file), 'utf8').match(/\b(?:permeate|nodejs|process)_[a-z0-9_]+/g))
    expect(used.size).toBeGreaterThan(5)
    expect(
      [...used].filter(name => !known.has(name)),
      file,
    ).toEqual([])
  }
})

test('the process is live while its database is away, and ready only with it', async () => {
  expect((await server.call('GET', '/health/live')).statusCode).toBe(200)
  expect((await server.call('GET', '/health/ready')).json()).toMatchObject({ data: { status: 'ok' } })
})

test('every response has the id of its request, which a trusted proxy may give', async () => {
  const first = await server.call('GET', '/health/live')
  const second = await server.call('GET', '/nowhere')
  expect(first.headers['x-request-id']).toMatch(/^[\w-]{36}$/)
  expect(second.headers['x-request-id']).toMatch(/^[\w-]{36}$/)
  expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
  const given = (id: string) => server.call('GET', '/health/live', { headers: { 'x-request-id': id } })
  expect((await given('from-the-proxy.1')).headers['x-request-id']).toBe('from-the-proxy.1')
  expect((await given('a b"\\n')).headers['x-request-id']).toMatch(/^[\w-]{36}$/)
})

test('a failed request is logged with its id, and neither with its values nor with secrets', async () => {
  lines.length = 0
  await server.db.execute(sql`alter table sessions rename to sessions_away`)
  const failed = await server.call('POST', '/api/v3/auth/login/dashboard', {
    body: { login: 'vendor', password: demoPassword },
  })
  await server.db.execute(sql`alter table sessions_away rename to sessions`)
  expect(failed.statusCode).toBe(500)
  const logged = lines.map(line => JSON.parse(line) as Record<string, unknown>)
  const errors = logged.filter(({ level }) => level === 'error')
  expect(errors).toHaveLength(1)
  expect(errors[0]).toMatchObject({
    request_id: failed.headers['x-request-id'],
    msg: 'POST /api/v3/auth/login/dashboard failed',
    err: { message: expect.stringContaining('Failed query'), cause: { code: '42P01' } },
  })
  expect(logged).toContainEqual(expect.objectContaining({ level: 'debug', status: 500 }))
  const { access_token, refresh_token } = await server.signIn('vendor')
  await server.call('GET', '/api/v3/devices?search=somebody', { token: access_token })
  for (const secret of [demoPassword, access_token, refresh_token, 'somebody', 'params:'])
    expect(lines.join('')).not.toContain(secret)
})
