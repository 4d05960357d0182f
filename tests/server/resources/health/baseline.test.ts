/** Resetting the baselines of devices, and undoing it: nothing of what was known is lost. */
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { BulkResponse } from '../../../../src/api/contract/endpoint.ts'
import { msPerDay } from '../../../../src/domain/time.ts'
import { baselineResets } from '../../../../server/db/schema/baselineResets.ts'
import { deviceCartridges, devices } from '../../../../server/db/schema/devices.ts'
import { keptForecasts } from '../../../../server/db/schema/forecasts.ts'
import { deviceHealth, healthFindings } from '../../../../server/db/schema/health.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { pruneHealth } from '../../../../server/devices/health/prune.ts'
import { startServer } from '../../support/harness.ts'
import { noonOf, stepDevices, storeDays, utcDay, type Course } from '../../support/health/healthSamples.ts'

const { call, db, clock, signIn } = await startServer()
const tokens = { vendor: (await signIn('vendor')).access_token, other: (await signIn('vendor2')).access_token }
const now = noonOf(clock.now())
const today = utcDay(now)
const inDays = (days: number) => new Date(now.getTime() + days * msPerDay)
/** Days that are stored, and by when the step follows them. */
const laterDays = 3

const own = await db
  .select({ bssid: devices.bssid })
  .from(devices)
  .where(eq(devices.vendor_id, demoId('account vendor')))
  .orderBy(asc(devices.bssid))
const [cleaned, untouched, shelved, old] = own.map(({ bssid }) => bssid) as [string, string, string, string]
const fouling: Course = index => ({ a: index < 60 ? 0 : -0.006 * (index - 60) })
const all = [cleaned, untouched, shelved, old]
// Alike, so that one can be compared with another.
await db.delete(deviceCartridges).where(inArray(deviceCartridges.bssid, all))
await db.update(devices).set({ bypass_state: 0 }).where(inArray(devices.bssid, all))
for (const bssid of all)
  await storeDays(db, bssid, { days: 100 + laterDays, today: today + laterDays, course: fouling })

const put = async (path: string, body: object, by: keyof typeof tokens = 'vendor') =>
  (await call('PUT', `/api/v3/${path}`, { token: tokens[by], body })).json<{ data: BulkResponse }>().data
const reset = (...ids: string[]) => put('devices/health/baseline', { ids })
const restorePath = 'devices/health/baseline/restore'
const restore = (...ids: string[]) => put(restorePath, { ids })
const findingsOf = (bssid: string) =>
  db
    .select({ id: healthFindings.id, state: healthFindings.state, ended_at: healthFindings.ended_at })
    .from(healthFindings)
    .where(eq(healthFindings.bssid, bssid))
const healthOf = async (bssid: string) => {
  const { state, day, baselines, levels } = deviceHealth
  const [row] = await db
    .select({ state, day, baselines, levels })
    .from(deviceHealth)
    .where(eq(deviceHealth.bssid, bssid))
  // The causes of a finding also depend on the water, in which the devices are not alike.
  const open = row!.state!.open.map(({ known: _, ...finding }) => finding)
  return { ...row, state: { ...row!.state, open } }
}

test('an undone reset leaves the health that a device without it has', async () => {
  await stepDevices(db, all, inDays(0))
  const [found] = await findingsOf(cleaned)
  const [onShelf] = await findingsOf(shelved)
  await put('health/findings/shelve', { ids: [onShelf!.id], days: 30, reason: 'Visit is planned' })
  expect(await reset(cleaned, shelved)).toMatchObject({
    count: 2,
    before: [{ ids: [cleaned, shelved], values: { reset: false } }],
  })
  for (const later of [0, 2]) await stepDevices(db, all, inDays(later))
  expect(await findingsOf(cleaned)).toMatchObject([{ id: found!.id, state: 'resolved' }])
  expect(await healthOf(cleaned)).not.toEqual(await healthOf(untouched))

  expect(await put(restorePath, { ids: [cleaned] }, 'other')).toMatchObject({
    failed: [{ id: cleaned, message: 'Device not found' }],
  })
  expect(await put(`${restorePath}?preview=true`, { ids: [cleaned] })).toMatchObject({ count: 1 })
  expect(await findingsOf(cleaned)).toMatchObject([{ state: 'resolved' }])

  expect(await restore(cleaned, shelved)).toMatchObject({
    count: 2,
    before: [{ ids: [cleaned, shelved], values: { reset: true } }],
  })
  expect(await findingsOf(cleaned)).toEqual([{ id: found!.id, state: 'open', ended_at: null }])
  expect(await findingsOf(shelved)).toEqual([{ id: onShelf!.id, state: 'shelved', ended_at: null }])
  // The days since the reset are followed again.
  await stepDevices(db, all, inDays(laterDays))
  expect(await healthOf(cleaned)).toEqual(await healthOf(untouched))
  expect(await findingsOf(cleaned)).toEqual([{ id: found!.id, state: 'open', ended_at: null }])
  expect(await findingsOf(shelved)).toEqual([{ id: onShelf!.id, state: 'shelved', ended_at: null }])
})

test('a reset is undone once; of two, the newest first', async () => {
  const before = await healthOf(old)
  await reset(old)
  clock.advance(1000)
  const first = await healthOf(old)
  await reset(old)
  expect(await restore(old)).toMatchObject({ count: 1 })
  expect(await healthOf(old)).toEqual({ ...first, levels: {}, baselines: {} })
  expect(await restore(old)).toMatchObject({ count: 1 })
  expect(await healthOf(old)).toEqual(before)
  expect((await restore(old)).failed).toEqual([{ id: old, message: 'Its baseline was not reset in the last 7 days' }])
})

test('forecasts by condition are kept with the reset', async () => {
  const at = inDays(-10)
  await db.insert(keptForecasts).values({
    bssid: old,
    position: 2,
    installed_at: inDays(-200),
    horizon: 1,
    kind: 2,
    made_at: at,
    due_at: inDays(40),
    early_at: inDays(20),
    late_at: inDays(70),
    basis: 'condition',
    typical: true,
  })
  const kept = () =>
    db
      .select()
      .from(keptForecasts)
      .where(and(eq(keptForecasts.bssid, old), eq(keptForecasts.basis, 'condition'), eq(keptForecasts.horizon, 1)))
  const before = await kept()
  await reset(old)
  expect(await kept()).toEqual([])
  await restore(old)
  expect(await kept()).toEqual(before)
})

test('a reset cannot be undone after seven days, and only its day is then kept, for five years', async () => {
  await reset(old)
  await pruneHealth(db, clock.now())
  const kept = () => db.select().from(baselineResets).where(eq(baselineResets.bssid, old))
  expect(await kept()).toMatchObject([{ day: today + laterDays - 1, state: { version: 2 } }])
  await db.update(baselineResets).set({ reset_at: sql`${baselineResets.reset_at} - interval '7 days 1 second'` })
  expect((await restore(old)).failed).toMatchObject([{ id: old }])
  await pruneHealth(db, clock.now())
  expect(await kept()).toMatchObject([{ day: today + laterDays - 1, state: null, findings: [], forecasts: [] }])
  await db.update(baselineResets).set({ reset_at: sql`${baselineResets.reset_at} - interval '5 years'` })
  await pruneHealth(db, clock.now())
  expect(await kept()).toEqual([])
})
