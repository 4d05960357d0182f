import { desc, eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { actionOf, maxAuditIds } from '../../../src/api/contract/audit.ts'
import { endpoints } from '../../../src/api/contract/all/endpoints.ts'
import { notifications } from '../../../src/api/contract/notifications.ts'
import { passkeys } from '../../../src/api/contract/passkeys.ts'
import { audit } from '../../../server/db/schema/audit.ts'
import { devices } from '../../../server/db/schema/devices.ts'
import { deviceValues } from '../../../server/db/schema/deviceValues.ts'
import { cartridgeTypes, filtrationSystemGroups, filtrationSystems } from '../../../server/db/schema/filtration.ts'
import { queuedMails } from '../../../server/db/schema/queuedMails.ts'
import { demoPassword } from '../../../server/demo/catalogue.ts'
import { historyReader } from '../support/calls/history.ts'
import { startServer } from '../support/harness.ts'
import { inputSchema } from '../../../cli/inputSchema.ts'
import { sample, sampleRequest } from '../support/contract/sample.ts'
import { sendFile } from '../support/calls/sendFile.ts'
import { newAccount } from '../support/subjects.ts'

const { app, call, db, signIn, link, mails, clock } = await startServer()
const tokens = {
  superadmin: (await signIn('superadmin')).access_token,
  admin: (await signIn('admin')).access_token,
  vendor: (await signIn('vendor')).access_token,
}
const idOf = async (login: string) => (await signIn(login)).user_id

const history = historyReader(call, tokens.admin)
/** Returns the newest entries, newest first. */
const newest = async (n = 1) => (await history({ limit: String(n) })).data
const count = () => db.$count(audit)
const logIn = (login: string, password = demoPassword) =>
  call('POST', '/api/v3/auth/login/dashboard', { body: { login, password } })

describe('a change', () => {
  test('is recorded with caller, time, action, ids, address and outcome', async () => {
    const id = await newAccount(db, 'vendor')
    const before = clock.now().getTime()
    await call('PATCH', `/api/v3/vendors/${id}/change-status`, { token: tokens.admin, body: { status: true } })
    const [entry] = await newest()
    expect(entry).toEqual({
      _id: expect.any(String),
      at: expect.any(String),
      account: await idOf('admin'),
      login: 'admin',
      role: 'admin',
      key: null,
      action: 'PATCH /api/v3/vendors/{id}/change-status',
      ids: [id],
      ids_count: 1,
      values: { status: true },
      address: '127.0.0.1',
      outcome: 'done',
      status: 200,
      done: null,
      failed: null,
      message: '',
      count: null,
      title: 'Blocked or unblocked accounts',
    })
    expect(Math.abs(Date.parse(entry!.at) - before)).toBeLessThan(10_000)
  })

  test('that creates something has its id', async () => {
    const body = { login: 'made', password: 'a long enough one', first_name: 'Ada', last_name: 'Moss' }
    const answer = await call('POST', '/api/v3/admins', { token: tokens.superadmin, body })
    const [entry] = await newest()
    expect(entry).toMatchObject({
      login: 'superadmin',
      ids: [answer.json<{ data: { _id: string } }>().data._id],
      values: { login: 'made', first_name: 'Ada', last_name: 'Moss' },
    })
  })

  test.each([
    [
      '/api/v3/devices/file',
      'bssid,platform,model,vendor',
      ['02:00:00:00:AA:01,a,RO-400 Home,vendor', '02:00:00:00:AA:02,a,RO-400 Home,vendor'],
      devices.bssid,
    ],
    ['/api/v3/filtration-systems/file', 'model,flushing', ['Uploaded one,no', 'Uploaded two,no'], filtrationSystems.id],
    ['/api/v4/filtration-system-groups/file', 'name', ['Uploaded one', 'Uploaded two'], filtrationSystemGroups.id],
    [
      '/api/v3/cartridge-types/file',
      'model,type,resource,ttl,name',
      ['Uploaded one,membrane,9,9,x', 'Uploaded two,membrane,9,9,x'],
      cartridgeTypes.id,
    ],
  ] as const)('by a file, %s, has the created ids', async (url, header, rows, key) => {
    const keys = async () => (await db.select({ key }).from(key.table)).map(row => row.key)
    const before = new Set(await keys())
    const answer = await sendFile(call, url, tokens.admin, [header, ...rows].join('\n'))
    expect(answer.status).toBe(200)
    const made = (await keys()).filter(each => !before.has(each))
    expect(made).toHaveLength(2)
    const [entry] = await newest()
    expect(entry).toMatchObject({ action: `POST ${url}`, outcome: 'done', done: 2, ids_count: 2 })
    expect(entry!.ids.toSorted()).toEqual(made.toSorted())
    expect((await history({ column: 'ids', operator: 'eq', search: made[1]! })).data).toEqual([entry])
  })

  test('on many ids has the counts and the reasons of failures', async () => {
    const own = await db
      .select({ bssid: deviceValues.bssid })
      .from(deviceValues)
      .where(eq(deviceValues.status, 0))
      .limit(3)
    const ids = own.map(({ bssid }) => bssid)
    link.refusals.set(ids[0]!, 'Valve is stuck')
    await call('POST', '/api/v3/devices/flush', { token: tokens.admin, body: { ids: [...ids, 'gone', 'lost'] } })
    expect((await newest())[0]).toMatchObject({
      action: 'POST /api/v3/devices/flush',
      ids: [...ids, 'gone', 'lost'],
      outcome: 'partly',
      done: 2,
      failed: 3,
      message: 'Valve is stuck (1), Device not found (2)',
    })
    await call('POST', '/api/v3/devices/flush', { token: tokens.admin, body: { ids: ['gone'] } })
    expect((await newest())[0]).toMatchObject({ outcome: 'failed', done: 0, failed: 1 })
  })

  test('on more ids than are shown is stored completely', async () => {
    const ids = Array.from({ length: 1000 }, (_, at) => `absent ${at}`)
    await call('DELETE', '/api/v3/vendors', { token: tokens.admin, body: { ids } })
    expect((await newest())[0]).toMatchObject({ ids: ids.slice(0, maxAuditIds), ids_count: 1000 })
    expect((await history({ column: 'ids', operator: 'eq', search: 'ABSENT 999' })).count).toBe(1)
  })
})

describe('a refusal is recorded', () => {
  const attempt = (body: object, token: string, url = '/api/v3/vendors/nobody/change-status') =>
    call('PATCH', url, { token, body })

  test('for status 403, with the refused role', async () => {
    await attempt({ status: true }, tokens.vendor)
    expect((await newest())[0]).toMatchObject({
      login: 'vendor',
      role: 'vendor',
      ids: ['nobody'],
      values: {},
      outcome: 'refused',
      status: 403,
      message: 'You may not do this',
    })
  })

  test('for 404, 409 and 400, the last without its input', async () => {
    await attempt({ status: true }, tokens.admin)
    expect((await newest())[0]).toMatchObject({ outcome: 'refused', status: 404, message: 'Vendor not found' })
    await attempt({ login: 'vendor2', current_password: demoPassword }, tokens.vendor, '/api/v3/vendors/me/profile')
    expect((await newest())[0]).toMatchObject({ status: 409, message: 'This login is already taken' })
    await attempt({ status: 'a typed secret', more: 1 }, tokens.admin)
    const [entry] = await newest()
    expect(entry).toMatchObject({ status: 400, values: {}, message: 'Status must be a boolean, Unknown field: more' })
    expect(JSON.stringify(entry)).not.toContain('a typed secret')
  })

  test('for an invalid or unreadable body, with a message of limited length', async () => {
    const keys = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`unknown_${at}`, 1]))
    await attempt(keys, tokens.admin)
    expect((await newest())[0]!.message).toHaveLength(1000)
    await call('PATCH', '/api/v3/vendors/nobody/change-status', {
      token: tokens.admin,
      body: '{"',
      headers: { 'content-type': 'application/json' },
    })
    expect((await newest())[0]).toMatchObject({ status: 400, message: 'The body is not valid JSON' })
  })
})

describe('signing in and out', () => {
  test('is recorded, and never with a login that does not exist', async () => {
    const account = await idOf('vendor2')
    const signedIn = await logIn('VENDOR2')
    await logIn('my secret by mistake', 'wrong')
    expect(await newest(2)).toMatchObject([
      { account: null, login: null, role: null, outcome: 'refused', status: 401, message: 'Wrong login or password' },
      {
        account,
        login: 'vendor2',
        role: 'vendor',
        outcome: 'done',
        status: 200,
        action: 'POST /api/v3/auth/login/dashboard',
        count: null,
      },
    ])
    expect(JSON.stringify(await db.select().from(audit))).not.toContain('my secret by mistake')
    const { access_token: token } = signedIn.json<{ data: { access_token: string } }>().data
    await call('POST', '/api/v3/auth/logout', { token })
    expect((await newest())[0]).toMatchObject({ login: 'vendor2', action: 'POST /api/v3/auth/logout', outcome: 'done' })
  })

  test('is not recorded for throttled attempts, which could fill the log', async () => {
    for (let i = 0; i < 5; i++) await logIn('vendor3', 'wrong')
    const before = await count()
    expect((await logIn('vendor3', 'wrong')).statusCode).toBe(429)
    expect(await count()).toBe(before)
  })

  test('is recorded for requests of a new password', async () => {
    await newAccount(db, 'vendor', { login: 'forgetful@example.com' })
    const body = { login: 'forgetful@example.com' }
    await call('POST', '/api/v3/auth/forgot-password/dashboard', { body })
    await mails.sendDue()
    expect((await newest())[0]).toMatchObject({ ...body, role: 'vendor', outcome: 'done' })
  })

  test('is recorded for a new password, or no mail is queued; and only if one is', async () => {
    const id = await newAccount(db, 'vendor', { login: 'unrecorded@example.com' })
    const request = () =>
      call('POST', '/api/v3/auth/forgot-password/dashboard', { body: { login: 'unrecorded@example.com' } })
    const requests = async () =>
      (await newest(100)).flatMap(({ ids, outcome, count: calls }) => (ids.includes(id) ? [{ outcome, calls }] : []))
    await refusing('audit', async () => {
      expect((await request()).statusCode).toBe(500)
      expect(await db.$count(queuedMails, eq(queuedMails.account_id, id))).toBe(0)
    })
    await refusing('queued_mails', async () => expect((await request()).statusCode).toBe(500))
    expect(await requests()).toEqual([{ outcome: 'failed', calls: 1 }])
  })
})

/** Lets inserts into a table fail for a while. */
async function refusing(table: string, work: () => Promise<void>): Promise<void> {
  await db.execute(`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`)
  await db.execute(`create trigger refusal before insert on ${table} execute function refuse()`)
  try {
    await work()
  } finally {
    await db.execute(`drop function refuse cascade`)
  }
}

test('reads, refreshes and calls without a session are not recorded', async () => {
  const { refresh_token } = (await logIn('admin')).json<{ data: { refresh_token: string } }>().data
  const before = await count()
  await history()
  await call('GET', '/api/v3/devices', { token: tokens.vendor })
  await call('GET', '/api/v3/admins', { token: tokens.vendor })
  await call('POST', '/api/v3/auth/refresh', { headers: { 'refresh-token': refresh_token } })
  await call('DELETE', '/api/v3/vendors', { body: { ids: ['x'] } })
  await call('POST', '/api/v3/auth/login/dashboard', { body: { login: 1 } })
  expect(await count()).toBe(before)
})

test('no secret of any call is stored', async () => {
  const secret = 'a canary among passwords'
  for (const endpoint of endpoints) {
    if (endpoint.method === 'GET' || endpoint.path.endsWith('/logout')) continue
    const fields = Object.keys(inputSchema(endpoint.body).properties ?? {})
    const secrets = fields.filter(name => /password/.test(name)).map(name => [name, secret])
    const headers = { 'refresh-token': secret, 'password-recovery-token': secret, 'email-confirmation-token': secret }
    for (const token of Object.values(tokens)) {
      const request = sampleRequest(endpoint, { token, body: Object.fromEntries(secrets) })
      await app.inject({ ...request, headers: { ...request.headers, ...headers } })
    }
  }
  const rows = JSON.stringify(await db.select().from(audit))
  expect(rows).not.toContain(secret)
  for (const token of Object.values(tokens)) expect(rows).not.toContain(token)
  expect(rows).toContain('change-password')
})

test('every call that may change something is recorded with its action', async () => {
  const recorded = endpoints.filter(
    one =>
      one.method !== 'GET' &&
      one.roles !== 'public' &&
      !one.path.endsWith('/logout') &&
      one !== notifications.markSeen &&
      one !== passkeys.startProof,
  )
  for (const endpoint of recorded) {
    const role = endpoint.roles[0] as keyof typeof tokens
    const before = await count()
    const body = sample(inputSchema(endpoint.body)) as Record<string, unknown>
    await app.inject(sampleRequest(endpoint, { token: tokens[role], body: { ...body, ids: ['nothing'] } }))
    expect(await count(), actionOf(endpoint)).toBe(before + 1)
    const [row] = await db.select().from(audit).orderBy(desc(audit.id)).limit(1)
    expect(row!.action).toBe(actionOf(endpoint))
  }
})

test.each(['\ud800', '\udfff x', '💧'.repeat(40), '\\u0000', '"\\', '\u2028', '{}'])(
  'a call with %j is recorded',
  async text => {
    const before = await count()
    const names = { first_name: text, last_name: text }
    await call('PATCH', '/api/v3/vendors/me/profile', { token: tokens.vendor, body: names })
    const url = `/api/v3/vendors/${encodeURIComponent(text.toWellFormed())}/change-status`
    await call('PATCH', url, { token: tokens.admin, body: { status: true } })
    await call('DELETE', '/api/v3/vendors', { token: tokens.admin, body: { ids: [text, text] } })
    expect(await count()).toBe(before + 3)
  },
)

test.each(['update audit set message = ‘’', 'delete from audit', 'truncate audit'])(
  'the database refuses %s',
  async statement => {
    const before = await db.select().from(audit)
    const query = db.execute(sql.raw(statement.replace('‘’', "''")))
    await expect(query).rejects.toMatchObject({
      cause: expect.objectContaining({ message: 'The audit is append-only' }),
    })
    expect(await db.select().from(audit)).toEqual(before)
  },
)
