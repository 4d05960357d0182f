/** What people say of findings, what undoes it, and what the overview shows of findings and due devices. */
import { asc, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import type { BulkResponse } from '../../../../src/api/contract/endpoint.ts'
import type { Finding } from '../../../../src/api/contract/findings.ts'
import type { HealthSummary } from '../../../../src/api/contract/health/fleet.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { healthFindings } from '../../../../server/db/schema/health.ts'
import { msPerDay } from '../../../../src/domain/time.ts'
import { startServer } from '../../support/harness.ts'
import { newDevice } from '../../support/devices/readingSamples.ts'
import { newFinding } from '../../support/subjects.ts'

const { call, db, bus, clock, signIn } = await startServer()
const tokens = {
  admin: (await signIn('admin')).access_token,
  vendor: (await signIn('vendor')).access_token,
  other: (await signIn('vendor2')).access_token,
}
type By = keyof typeof tokens
const vendor = demoId('account vendor')
const own = (
  await db
    .select({ bssid: devices.bssid })
    .from(devices)
    .where(eq(devices.vendor_id, vendor))
    .orderBy(asc(devices.bssid))
).map(({ bssid }) => bssid)
const daysAgo = (days: number) => new Date(clock.now().getTime() - days * msPerDay)

const get = async <Data>(by: By, path: string) =>
  (await call('GET', `/api/v3/health/${path}`, { token: tokens[by] })).json<{ data: Data }>().data
const put = async (call_: 'shelve' | 'verdict', body: object, by: By = 'vendor') =>
  (await call('PUT', `/api/v3/health/findings/${call_}`, { token: tokens[by], body })).json<{ data: BulkResponse }>()
    .data
const stored = async (id: string) => (await db.select().from(healthFindings).where(eq(healthFindings.id, id)))[0]!

beforeEach(() => db.delete(healthFindings))

describe('a verdict', () => {
  test('of what was found is each finding’s own cause', async () => {
    const fouling = await newFinding(db, vendor, { cause: 'fouling' })
    const leak = await newFinding(db, vendor, { cause: 'leak', bssid: own[1]! })
    const { before } = await put('verdict', { ids: [fouling, leak], verdict: 'found' })
    expect((await stored(fouling)).verdict).toBe('fouling')
    expect((await stored(leak)).verdict).toBe('leak')
    expect(before).toEqual([{ ids: [fouling, leak], values: { verdict: null } }])
  })

  test('returns the earlier one, which undoes it', async () => {
    const id = await newFinding(db, vendor, { verdict: 'scaling' })
    const { before } = await put('verdict', { ids: [id], verdict: 'none' })
    expect(await stored(id)).toMatchObject({ verdict: 'none', state: 'dismissed', login: 'vendor' })
    await put('verdict', { ids: [id], ...(before![0]!.values as { verdict: string }) })
    expect(await stored(id)).toMatchObject({ verdict: 'scaling', state: 'open' })
  })

  test('that is taken back puts a dismissed finding back on its shelf', async () => {
    const until = new Date(clock.now().getTime() + msPerDay)
    const id = await newFinding(db, vendor, { state: 'shelved', shelved_until: until })
    await put('verdict', { ids: [id], verdict: 'none' })
    await put('verdict', { ids: [id], verdict: null })
    expect(await stored(id)).toMatchObject({ state: 'shelved', shelved_until: until })
  })

  test('of a finding that has ended leaves it so', async () => {
    const id = await newFinding(db, vendor, { state: 'resolved' })
    await put('verdict', { ids: [id], verdict: 'none' })
    await put('verdict', { ids: [id], verdict: 'found' })
    expect(await stored(id)).toMatchObject({ state: 'resolved', verdict: 'fouling' })
  })

  test('tells only consoles that see the finding to read again', async () => {
    const id = await newFinding(db, vendor)
    const changes: unknown[] = []
    const stop = bus.subscribe(event => changes.push(event))
    await put('verdict', { ids: [id], verdict: 'found' }, 'admin')
    stop()
    expect(changes).toContainEqual({
      kind: 'vendorResources',
      changes: expect.arrayContaining([
        { resource: 'health', vendor: null },
        { resource: 'health', vendor },
      ]) as unknown,
    })
    expect(changes).not.toContainEqual(expect.objectContaining({ kind: 'resources', names: ['health', 'audit'] }))
  })
})

test('shelving returns what undoes it, except for findings that were shelved already', async () => {
  const open = await newFinding(db, vendor)
  const shelved = await newFinding(db, vendor, { state: 'shelved', shelved_until: daysAgo(-1), bssid: own[1]! })
  const { count, before } = await put('shelve', { ids: [open, shelved], days: 7, reason: 'Visit' })
  expect({ count, before }).toEqual({ count: 2, before: [{ ids: [open], values: { days: 0, reason: '' } }] })
  await put('shelve', { ids: [open], days: 0, reason: '' })
  expect(await stored(open)).toMatchObject({ state: 'open', shelved_until: null, reason: null })
})

test('the newest findings are open ones of the last 7 days: what needs work first, then the surest', async () => {
  const made = async (at: number, values: Partial<typeof healthFindings.$inferInsert>, days = 1) =>
    newFinding(db, vendor, { bssid: own[at]!, detected_at: daysAgo(days), ...values })
  const watch = await made(0, { severity: 'watch', confidence: 0.99 })
  const sure = await made(1, { confidence: 0.9 })
  const less = await made(2, { confidence: 0.7 })
  await made(3, { confidence: 0.95 }, 8)
  await made(4, { state: 'shelved' })
  await made(5, { state: 'dismissed' })
  expect((await get<Finding[]>('vendor', 'findings/newest')).map(({ _id }) => _id)).toEqual([sure, less, watch])
  expect(await get<Finding[]>('other', 'findings/newest')).toEqual([])
})

test('a group of findings is one of the newest, so that it does not hide others', async () => {
  for (let count = 0; count < 55; count++)
    await newFinding(db, vendor, {
      bssid: await newDevice(db, { vendor_id: vendor, water_supply: 'Elm Street' }),
      cause: 'prefilter',
      confidence: 0.95,
      detected_at: daysAgo(1),
    })
  const other = await newFinding(db, vendor, { bssid: own[0]!, confidence: 0.86, detected_at: daysAgo(1) })
  const newest = await get<Finding[]>('vendor', 'findings/newest')
  expect(newest.map(({ cause }) => cause)).toEqual(['prefilter', 'fouling'])
  expect(newest[1]!._id).toBe(other)
})

test('the notified findings are open ones, the newest notified first, of all devices or of some', async () => {
  const made = async (at: number, values: Partial<typeof healthFindings.$inferInsert>) =>
    newFinding(db, vendor, { bssid: own[at]!, ...values })
  const older = await made(0, { told_at: daysAgo(2) })
  const newer = await made(1, { told_at: daysAgo(1) })
  await made(2, { told_at: null })
  await made(3, { told_at: daysAgo(1), state: 'shelved' })
  const idsOf = async (by: By, path: string) => (await get<Finding[]>(by, path)).map(({ _id }) => _id)
  expect(await idsOf('vendor', 'findings/notified')).toEqual([newer, older])
  expect(await idsOf('vendor', `findings/notified?devices=${own[0]!.replaceAll(':', '')},${own[2]!}`)).toEqual([older])
  expect(await idsOf('vendor', 'findings/notified?devices=')).toEqual([])
  expect(await idsOf('other', `findings/notified?devices=${own[0]!}`)).toEqual([])
  // However many findings of other devices were notified later.
  for (let count = 0; count < 200; count++) await made(1, { told_at: daysAgo(0) })
  expect(await idsOf('vendor', `findings/notified?devices=${own[0]!}`)).toEqual([older])
})

test('what is due by the end of the day in 30 days is counted, with what is overdue', async () => {
  await db.update(devices).set({ due_at: null })
  const day = new Date(clock.now().getTime() + 30 * msPerDay).toISOString().slice(0, 10)
  const set = (at: number, due_at: Date) => db.update(devices).set({ due_at }).where(eq(devices.bssid, own[at]!))
  await set(0, daysAgo(3))
  await set(1, new Date(`${day}T23:59:59.999Z`))
  await set(2, new Date(Date.parse(day) + msPerDay))
  expect((await get<HealthSummary>('vendor', 'summary')).due).toEqual({ day, count: 2 })
  expect((await get<HealthSummary>('other', 'summary')).due).toEqual({ day, count: 0 })
  const path = `/api/v3/devices?column=due_at&operator=le&search=${day}`
  const list = (await call('GET', path, { token: tokens.vendor })).json<{ data: { count: number } }>()
  expect(list.data.count).toBe(2)
})
