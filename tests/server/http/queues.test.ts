/** One caller’s many or slow calls do not keep others out. */
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { maxUploadBytes } from '../../../src/domain/uploads.ts'
import { until } from '../../support/until.ts'
import { devices } from '../../../server/db/schema/devices.ts'
import { openMetrics } from '../../../server/metrics/metrics.ts'
import { startServer } from '../support/harness.ts'
import { sendFile } from '../support/calls/sendFile.ts'

const metrics = openMetrics()
const server = await startServer({ metrics, pace: { jsonTimeout: 200, uploadGrace: 200 } })
const { app, call, db, signIn } = server
const admin = (await signIn('admin')).access_token
const vendor = (await signIn('vendor')).access_token
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo

test('one account’s files wait for each other, further ones are refused, and another account’s is taken', async () => {
  const file = 'bssid,platform,model\n02:00:00:00:00:01,esp32,No such model'
  const own = await db.transaction(async tx => {
    await tx.execute(sql`lock table device_models in access exclusive mode`)
    const answers = Array.from({ length: 12 }, () => sendFile(call, '/api/v3/devices/file', vendor, file))
    // One runs, ten wait.
    expect(await Promise.race(answers)).toMatchObject({ status: 429 })
    const other = await sendFile(call, '/api/v4/filtration-system-groups/file', admin, 'name\nOf another account')
    expect(other).toEqual({ status: 200, data: { created: 1 } })
    return answers
  })
  const statuses = (await Promise.all(own)).map(({ status }) => status)
  expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array.from({ length: 11 }, () => 400), 429])
})

test('a list beside many waiting sign-ins is answered, and more sign-ins than may wait are a 429', async () => {
  const leaving = new AbortController()
  await db.transaction(async tx => {
    await tx.execute(sql`lock table login_failures in access exclusive mode`)
    const attempts = Array.from({ length: 110 }, (_, index) =>
      fetch(`http://127.0.0.1:${port}/api/v3/auth/login/dashboard`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ login: `nobody${index}`, password: 'wrong' }),
        signal: leaving.signal,
      }),
    )
    const refused = await Promise.race(attempts)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await call('GET', '/api/v3/devices', { token: admin })).statusCode).toBe(200)
    // Those that wait are not made any more.
    leaving.abort()
    await Promise.allSettled(attempts)
  })
})

/** Sends the start of a request, and returns the first line of the answer. */
async function trickle(head: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(head)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return answer.toString().split('\r\n')[0]!
}

test('many jobs that are planned at once leave connections for lists and changes', async () => {
  const [device] = await db.select().from(devices).limit(1)
  const body = { command: 'set_time_zone', input: { time_zone: 'UTC' }, ids: [device!.bssid] }
  const created = await call('POST', '/api/v3/jobs', { token: admin, body })
  expect(created.statusCode).toBe(200)
  const path = `/api/v3/jobs/${(created.json() as { data: { _id: string } }).data._id}/retry?preview=true`
  const answers = await db.transaction(async tx => {
    await tx.execute(sql`lock table job_tasks in access exclusive mode`)
    // One runs, twenty wait.
    const previews = Array.from({ length: 22 }, () => call('POST', path, { token: admin, body: { reason: null } }))
    const refused = await Promise.race(previews)
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await call('GET', '/api/v3/devices', { token: admin })).statusCode).toBe(200)
    const [start, end] = ['2026-01-31T12:00:00Z', '2026-01-31T13:00:00Z']
    const event = { title: 'Visit', start, end, devices: [device!.bssid], description: '' }
    expect((await call('POST', '/api/v3/events', { token: admin, body: event })).statusCode).toBe(200)
    return previews
  })
  const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode)
  expect(statuses.filter(status => status === 429)).toHaveLength(1)
})

test('bodies that come too slowly are a 408, and do not hold a place', async () => {
  const head = (path: string, type: string) =>
    `POST ${path} HTTP/1.1\r\nhost: x\r\naccess-token: ${vendor}\r\ncontent-type: ${type}\r\ncontent-length: 9000\r\n\r\n`
  const upload = `${head('/api/v3/devices/file', 'multipart/form-data; boundary=x')}--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n`
  expect(await trickle(upload)).toContain('408')
  expect(await trickle(`${head('/api/v3/events', 'application/json')}{"title":`)).toContain('408')
  await until(async () =>
    expect(await sendFile(call, '/api/v3/devices/file', vendor, 'bssid\n')).toMatchObject({ status: 400 }),
  )
})

test('an upload of the maximum size may come as slowly as the documents say, also after waiting for its turn', () => {
  const minRate = 32 * 1024
  const waiting = 60_000
  expect(app.server.requestTimeout).toBeGreaterThan((maxUploadBytes / minRate) * 1000 + waiting)
})

test('strangers who send their bodies slowly keep nobody from signing in', async () => {
  // With the usual time for a body: three of them would take longer than a sign-in waits.
  const other = await startServer()
  await other.app.listen({ port: 0, host: '127.0.0.1' })
  const address = other.app.server.address() as AddressInfo
  let arrived = 0
  other.app.server.on('request', () => arrived++)
  const head =
    'POST /api/v3/auth/login/dashboard HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{'
  const sockets = Array.from({ length: 3 }, () => connect(address.port, '127.0.0.1'))
  for (const socket of sockets) socket.write(head)
  await until(() => expect(arrived).toBe(3))
  expect((await other.signIn('admin')).access_token).toBeTruthy()
  for (const socket of sockets) socket.destroy()
})

test('a compressed body that proves invalid while its call waits is a 400', async () => {
  const head = (type: string, more: string) =>
    `POST /api/v3/devices/file HTTP/1.1\r\nhost: x\r\naccess-token: ${vendor}\r\ncontent-type: ${type}\r\n${more}\r\n\r\n`
  const stalled = trickle(`${head('multipart/form-data; boundary=x', 'content-length: 9000')}--x\r\n`)
  const waiting = trickle(`${head('application/json', 'content-encoding: gzip\r\ncontent-length: 4')}none`)
  expect(await stalled).toContain('408')
  expect(await waiting).toContain('400')
})

test('a client that goes away while it waits leaves the queue', async () => {
  const form = new FormData()
  form.append('file', new Blob(['name\nNever created']), 'file.csv')
  const { first } = await db.transaction(async tx => {
    await tx.execute(sql`lock table filtration_system_groups in access exclusive mode`)
    const first = sendFile(call, '/api/v4/filtration-system-groups/file', admin, 'name\nFirst of two')
    await until(async () =>
      expect((await tx.execute(sql`select from pg_locks where not granted`)).rows.length).toBeGreaterThan(0),
    )
    const leaving = new AbortController()
    const second = fetch(`http://127.0.0.1:${port}/api/v4/filtration-system-groups/file`, {
      method: 'POST',
      headers: { 'access-token': admin },
      body: form,
      signal: leaving.signal,
    })
    await until(async () => expect(await metrics.registry.metrics()).toContain('calls_waiting{kind="uploads"} 1\n'))
    leaving.abort()
    await expect(second).rejects.toThrow('aborted')
    return { first }
  })
  expect(await first).toMatchObject({ status: 200 })
  const { rows } = await db.execute(sql`select from filtration_system_groups where name = 'Never created'`)
  expect(rows).toEqual([])
})

test('a body is limited to what its endpoint needs', async () => {
  const ids = (count: number) => Array.from({ length: count }, () => 'x'.repeat(64))
  const flush = (count: number) => call('POST', '/api/v3/devices/flush', { token: vendor, body: { ids: ids(count) } })
  expect((await flush(1000)).statusCode).not.toBe(413)
  expect((await flush(4000)).statusCode).toBe(413)
  const body = { login: 'x', password: 'x'.repeat(70_000) }
  expect((await call('POST', '/api/v3/auth/login/dashboard', { body })).statusCode).toBe(413)
})

/** Sends a request, and closes the connection once it has arrived; resolves once the server knows. */
async function sendAndLeave(request: string): Promise<void> {
  const connected = once(app.server, 'connection') as Promise<[Socket]>
  const arrived = once(app.server, 'request')
  const socket = connect(port, '127.0.0.1')
  const [accepted] = await connected
  const closed = once(accepted, 'close')
  socket.write(request)
  await arrived
  socket.destroy()
  await closed
}

test('clients that go away before it is known who they are hold no places', async () => {
  // Its query is found to be invalid once it has its turn.
  const request = `GET /api/v3/devices?limit=none HTTP/1.1\r\nhost: x\r\naccess-token: ${vendor}\r\n\r\n`
  await db.transaction(async tx => {
    await tx.execute(sql`lock table access_tokens in access exclusive mode`)
    for (let count = 0; count < 5; count++) await sendAndLeave(request)
  })
  expect((await call('GET', '/api/v3/devices', { token: vendor })).statusCode).toBe(200)
})

test('tokens that one address invents wait for each other, and not the session of somebody else', async () => {
  const callsIn = async (state: 'running' | 'waiting') => {
    const { values } = await metrics.registry.getSingleMetric(`permeate_calls_${state}`)!.get()
    return values.find(({ labels }) => labels['kind'] === 'access')?.value
  }
  const [invented, own] = await db.transaction(async tx => {
    await tx.execute(sql`lock table access_tokens in access exclusive mode`)
    const invented = Array.from({ length: 40 }, (_, index) =>
      call('GET', '/api/v3/devices', { token: `invented${index}` }),
    )
    await until(async () => expect(await callsIn('waiting')).toBe(38))
    const own = call('GET', '/api/v3/devices', { token: vendor })
    await until(async () => expect(await callsIn('running')).toBe(3))
    return [invented, own]
  })
  expect((await own).statusCode).toBe(200)
  expect((await Promise.all(invented)).map(({ statusCode }) => statusCode)).toEqual(invented.map(() => 401))
})
