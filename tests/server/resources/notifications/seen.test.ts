/** The number of unseen notifications of an account. */
import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { apiKeys } from '../../../../src/api/contract/apiKeys.ts'
import type { Unseen } from '../../../../src/api/contract/notifications.ts'
import { startSession } from '../../../../server/auth/sessions.ts'
import { insertMany } from '../../../../server/db/bulk.ts'
import { newId } from '../../../../server/db/id.ts'
import { accounts } from '../../../../server/db/schema/accounts.ts'
import { audit } from '../../../../server/db/schema/audit.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { healthFindings } from '../../../../server/db/schema/health.ts'
import { notifications } from '../../../../server/db/schema/notifications.ts'
import { supplyChanges } from '../../../../server/db/schema/supplies.ts'
import { dataOf, password } from '../../support/accounts/signIns.ts'
import { newDevice } from '../../support/devices/readingSamples.ts'
import { startServer } from '../../support/harness.ts'
import { newAccount, newFinding } from '../../support/subjects.ts'

const { call, clock, db, signIn } = await startServer()
const admin = await signIn('admin')
const vendor = await signIn('vendor')

const url = '/api/v3/notifications'
async function unseen(token: string): Promise<Unseen> {
  const answer = await call('GET', `${url}/unseen`, { token })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ data: Unseen }>().data
}
async function see(token: string, until: Date | string): Promise<Unseen> {
  const body = { until: typeof until === 'string' ? until : until.toISOString() }
  const answer = await call('PUT', `${url}/seen`, { token, body })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ data: Unseen }>().data
}
const [own] = await db.select().from(devices).where(eq(devices.vendor_id, vendor.user_id)).limit(1)
const [foreign] = await db
  .select()
  .from(devices)
  .where(eq(devices.vendor_id, (await signIn('vendor2')).user_id))
  .limit(1)

const minutes = (many: number) => new Date(clock.now().getTime() + many * 60_000)
const make = (device: typeof own, times: readonly Date[]) =>
  insertMany(
    db,
    notifications,
    times.map(created_at => ({
      id: newId(),
      bssid: device!.bssid,
      vendor_id: device!.vendor_id,
      type: 'leak',
      created_at,
      values: {},
    })),
  )

beforeEach(async () => {
  await db.delete(notifications)
  await db.delete(healthFindings)
  await db.delete(supplyChanges)
  await db.update(accounts).set({ notifications_seen_at: minutes(-60) })
})

test('the count has notifications of visible devices since the account last looked', async () => {
  await make(own, [minutes(-90), minutes(-30), minutes(-10)])
  await make(foreign, [minutes(-20)])
  expect(await unseen(admin.access_token)).toMatchObject({ count: 3, seen_at: expect.any(String) })
  expect((await unseen(vendor.access_token)).count).toBe(2)
})

test('the count has open findings that were told since, of visible devices', async () => {
  for (const vendor of [own!.vendor_id, foreign!.vendor_id]) {
    await newFinding(db, vendor, { told_at: minutes(-10) })
    await newFinding(db, vendor, { told_at: minutes(-90) })
    await newFinding(db, vendor, { told_at: null })
    await newFinding(db, vendor, { told_at: minutes(-10), state: 'dismissed' })
  }
  expect((await unseen(admin.access_token)).count).toBe(2)
  expect(await see(vendor.access_token, minutes(-20))).toMatchObject({ count: 1 })
  expect(await see(vendor.access_token, minutes(-10))).toMatchObject({ count: 0 })
})

test('findings of a group count as one', async () => {
  const { vendor_id } = own!
  for (let n = 0; n < 6; n++)
    await newFinding(db, vendor_id, {
      bssid: await newDevice(db, { vendor_id, water_supply: 'Elm Street' }),
      told_at: minutes(-10),
      detected_at: minutes(-20),
    })
  expect((await unseen(vendor.access_token)).count).toBe(1)
  await newFinding(db, vendor_id, { told_at: minutes(-10) })
  expect((await unseen(vendor.access_token)).count).toBe(2)
  expect((await unseen(admin.access_token)).count).toBe(2)
})

test('the count has changes of supplies that were told since, of visible vendors, unless they have ended long ago', async () => {
  const days = (many: number) => minutes(many * 24 * 60)
  const change = { cause: 'feed_water', began_at: days(-40), value: 0.4, devices: 6 } as const
  for (const { vendor_id } of [own!, foreign!])
    await db.insert(supplyChanges).values([
      { ...change, vendor_id, supply_key: `${vendor_id} new`, told_at: minutes(-10) },
      { ...change, vendor_id, supply_key: `${vendor_id} ended`, told_at: minutes(-10), ended_at: days(-1) },
      { ...change, vendor_id, supply_key: `${vendor_id} long ago`, told_at: minutes(-10), ended_at: days(-31) },
      { ...change, vendor_id, supply_key: `${vendor_id} seen`, told_at: minutes(-90) },
    ])
  expect((await unseen(admin.access_token)).count).toBe(4)
  expect(await see(vendor.access_token, minutes(-20))).toMatchObject({ count: 2 })
  expect(await see(vendor.access_token, minutes(-10))).toMatchObject({ count: 0 })
})

test('marking a time as seen includes a notification at that time and all before', async () => {
  const at = minutes(-30)
  await make(own, [minutes(-40), at, minutes(-10)])
  expect(await see(vendor.access_token, at)).toEqual({ count: 1, seen_at: at.toISOString() })
  expect(await unseen(vendor.access_token)).toEqual({ count: 1, seen_at: at.toISOString() })
  // For another account they are still unseen.
  expect((await unseen(admin.access_token)).count).toBe(3)
})

test('a key that an administrator has limited to a vendor reads the count of that vendor, and marks nothing as seen', async () => {
  const limited = { name: 'Limited', scope: 'write', days: 7, vendor: vendor.user_id, ...password } as const
  const created = await call('POST', apiKeys.create.path, { token: admin.access_token, body: limited })
  const headers = { authorization: `Bearer ${dataOf<{ key: string }>(created).key}` }
  await make(own, [minutes(-30)])
  await make(foreign, [minutes(-20)])
  const before = await unseen(admin.access_token)
  expect((await call('GET', `${url}/unseen`, { headers })).json()).toMatchObject({ data: { count: 1 } })
  const refused = await call('PUT', `${url}/seen`, { headers, body: { until: minutes(0).toISOString() } })
  expect(refused.statusCode).toBe(403)
  expect(await unseen(admin.access_token)).toEqual(before)
})

test('an earlier time changes nothing, and a future one counts as now', async () => {
  await make(own, [minutes(-30)])
  const { seen_at } = await unseen(vendor.access_token)
  for (const earlier of [minutes(-61), '1970-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00'])
    expect(await see(vendor.access_token, earlier)).toEqual({ count: 1, seen_at })
  const ahead = await see(vendor.access_token, '9999-12-31T23:59:59Z')
  expect(ahead.count).toBe(0)
  expect(Date.parse(ahead.seen_at)).toBeLessThanOrEqual(clock.now().getTime())
})

test('for an account that never looked the count starts at its creation', async () => {
  const created_at = minutes(-25)
  const id = await newAccount(db, 'admin', { created_at })
  const { access_token } = await startSession(db, { id, role: 'admin' }, clock.now())
  await make(own, [minutes(-30), minutes(-20)])
  const begin = { count: 1, seen_at: created_at.toISOString() }
  expect(await unseen(access_token)).toEqual(begin)
  expect(await see(access_token, minutes(-40))).toEqual(begin)
  expect((await see(access_token, minutes(0))).count).toBe(0)
})

test('the count is at most a thousand', async () => {
  const from = minutes(-30).getTime()
  await make(
    own,
    Array.from({ length: 1001 }, (_, at) => new Date(from + at)),
  )
  expect((await unseen(vendor.access_token)).count).toBe(1000)
  expect((await see(vendor.access_token, new Date(from + 100))).count).toBe(900)
})

test('marking as seen is not recorded in the audit log, and changes nothing else of the account', async () => {
  const entries = await db.$count(audit)
  const [before] = await db.select().from(accounts).where(eq(accounts.id, vendor.user_id))
  const at = minutes(-5)
  await see(vendor.access_token, at)
  const [after] = await db.select().from(accounts).where(eq(accounts.id, vendor.user_id))
  expect(after).toEqual({ ...before, notifications_seen_at: at })
  expect(await db.$count(audit)).toBe(entries)
})

test('up to a later time than now, everything is marked as seen: also findings that came after the last notification', async () => {
  await make(own, [minutes(-30)])
  await newFinding(db, own!.vendor_id, { told_at: minutes(-10) })
  expect((await unseen(vendor.access_token)).count).toBe(2)
  expect(await see(vendor.access_token, '9999-12-31T23:59:59Z')).toMatchObject({ count: 0 })
})
