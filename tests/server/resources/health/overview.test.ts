/** What the overview counts: devices by state and by groups, and the devices whose scores have moved. */
import { asc, eq, inArray } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import type { HealthSummary, Movers } from '../../../../src/api/contract/health/fleet.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { accounts } from '../../../../server/db/schema/accounts.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { deviceModels } from '../../../../server/db/schema/models.ts'
import { startServer } from '../../support/harness.ts'
import { noonOf, stepDevices, storeDays, utcDay, type Course } from '../../support/health/healthSamples.ts'

const { call, db, clock, signIn } = await startServer()
const tokens = {
  admin: (await signIn('admin')).access_token,
  vendor: (await signIn('vendor')).access_token,
  other: (await signIn('vendor2')).access_token,
}
type By = keyof typeof tokens
const ofVendor = async (name: 'vendor' | 'vendor2') =>
  (
    await db
      .select({ bssid: devices.bssid })
      .from(devices)
      .where(eq(devices.vendor_id, demoId(`account ${name}`)))
      .orderBy(asc(devices.bssid))
  ).map(({ bssid }) => bssid)
const [own, foreign] = [await ofVendor('vendor'), await ofVendor('vendor2')]

const get = async <Data>(by: By, path: string) =>
  (await call('GET', `/api/v3/health/${path}`, { token: tokens[by] })).json<{ data: Data }>().data
const set = (bssids: readonly string[], values: Partial<typeof devices.$inferInsert>) =>
  db
    .update(devices)
    .set(values)
    .where(inArray(devices.bssid, [...bssids]))

const cleared = {
  health_score: null,
  health_state: 'learning',
  health_cause: null,
  health_change: null,
  due_at: null,
} as const
beforeEach(() => db.update(devices).set(cleared))

describe('the summary', () => {
  test('has the number of devices whose stored past has yet to be computed', async () => {
    const [bssid = ''] = foreign
    const now = clock.now()
    const today = utcDay(now)
    const pending = async (by: By) => (await get<HealthSummary>(by, 'summary?by=')).pending
    expect(await pending('admin')).toBe(0)
    await storeDays(db, bssid, { days: 4, today })
    expect([await pending('admin'), await pending('other'), await pending('vendor')]).toEqual([1, 1, 0])
    await stepDevices(db, [bssid], now)
    expect(await pending('admin')).toBe(0)
  })

  test('has all groupings that are asked for, each as if it were asked for alone', async () => {
    await set(own.slice(0, 3), { health_state: 'act', health_cause: 'fouling', health_score: 20 })
    await set(own.slice(3, 5), { health_state: 'watch', health_cause: 'scaling', water_supply: 'Hill' })
    await set(foreign.slice(0, 4), { health_state: 'good', health_score: 90 })
    for (const by of ['admin', 'vendor'] as const) {
      const together = await get<HealthSummary>(by, 'summary?by=cause,model,supply,vendor')
      const alone: HealthSummary['groups'] = []
      for (const grouping of ['cause', 'model', 'supply', 'vendor']) {
        const { groups, counts } = await get<HealthSummary>(by, `summary?by=${grouping}`)
        expect(new Set(groups.map(group => group.by))).toEqual(new Set([grouping]))
        expect(counts).toEqual(together.counts)
        alone.push(...groups)
      }
      expect(together.groups).toEqual(alone)
    }
  })

  test('counts what the devices are, by groups with their names', async () => {
    await set(own.slice(0, 3), { health_state: 'act', health_cause: 'fouling' })
    await set(own.slice(3, 5), { health_state: 'watch', health_cause: 'scaling' })
    await set(foreign.slice(0, 1), { health_state: 'act', health_cause: 'fouling' })
    const { counts, groups } = await get<HealthSummary>('admin', 'summary?by=cause,model,vendor')
    expect(counts).toMatchObject({ act: 4, watch: 2, good: 0 })
    expect(groups.filter(({ by }) => by === 'cause')).toEqual([
      { by: 'cause', key: 'fouling', name: 'Fouling', counts: { act: 4, watch: 0, good: 0, learning: 0 } },
      { by: 'cause', key: 'scaling', name: 'Scaling', counts: { act: 0, watch: 2, good: 0, learning: 0 } },
    ])
    const vendors = await db.select().from(accounts).where(eq(accounts.role, 'vendor'))
    for (const { key, name } of groups.filter(({ by }) => by === 'vendor'))
      expect(name).toBe(vendors.find(({ id }) => id === key)!.company_name)
    const models = await db.select().from(deviceModels)
    for (const { key, name } of groups.filter(({ by }) => by === 'model'))
      expect(name).toBe(models.find(({ id }) => id === key)!.name)
    const mine = await get<HealthSummary>('vendor', 'summary?by=cause,vendor')
    expect(mine.counts).toMatchObject({ act: 3, watch: 2 })
    expect(mine.groups.filter(({ by }) => by === 'vendor').map(({ key }) => key)).toEqual([demoId('account vendor')])
  })

  test('has the totals alone where no grouping is asked for, and causes by default', async () => {
    await set(own.slice(0, 1), { health_state: 'act', health_cause: 'fouling' })
    expect(await get<HealthSummary>('vendor', 'summary?by=')).toMatchObject({ counts: { act: 1 }, groups: [] })
    expect((await get<HealthSummary>('vendor', 'summary')).groups).toMatchObject([{ by: 'cause', key: 'fouling' }])
    // Each once.
    expect((await get<HealthSummary>('vendor', 'summary?by=cause,cause')).groups).toHaveLength(1)
  })

  test('has one group for models of several vendors with one name, as a search for it finds them', async () => {
    const before = await get<HealthSummary>('admin', 'summary?by=model')
    const [first, second] = before.groups
    const models = await db
      .select()
      .from(deviceModels)
      .where(inArray(deviceModels.id, [first!.key, second!.key]))
    await db.update(deviceModels).set({ name: 'Same name' }).where(eq(deviceModels.id, first!.key))
    await db.update(deviceModels).set({ name: 'SAME NAME' }).where(eq(deviceModels.id, second!.key))
    const { groups } = await get<HealthSummary>('admin', 'summary?by=model')
    for (const { id, name } of models) await db.update(deviceModels).set({ name }).where(eq(deviceModels.id, id))
    expect(groups).toHaveLength(before.groups.length - 1)
    const same = groups.filter(({ name }) => name.toLowerCase() === 'same name')
    expect(same).toMatchObject([{ counts: { learning: first!.counts.learning! + second!.counts.learning! } }])
  })

  test('has one group for a supply whose label is written in another case, as a search for it finds them', async () => {
    await set(own.slice(0, 2), { health_state: 'act', water_supply: 'Ridge' })
    await set(own.slice(2, 3), { health_state: 'watch', water_supply: 'RIDGE' })
    const { groups } = await get<HealthSummary>('vendor', 'summary?by=supply')
    const ridge = groups.filter(({ key }) => key.toLowerCase() === 'ridge')
    expect(ridge).toMatchObject([{ key: 'RIDGE', name: 'RIDGE', counts: { act: 2, watch: 1 } }])
    const found = await call('GET', '/api/v3/devices?search=RIDGE&column=water_supply&operator=eq', {
      token: tokens.vendor,
    })
    expect(found.json<{ data: { count: number } }>().data.count).toBe(3)
  })

  test('lists 50 groups at most, those with the most to do', async () => {
    const many = (await db.select({ bssid: devices.bssid }).from(devices).limit(60)).map(({ bssid }) => bssid)
    for (const [index, bssid] of many.entries())
      await set([bssid], { water_supply: `Supply ${index}`, health_state: index === 57 ? 'act' : 'good' })
    const { groups } = await get<HealthSummary>('admin', 'summary?by=supply')
    expect(groups).toHaveLength(50)
    expect(groups[0]!.name).toBe('Supply 57')
  })

  test.each(['color', 'cause,color', "cause'--", 'toString', '__proto__'])('refuses the grouping %s', async by => {
    const path = `/api/v3/health/summary?by=${encodeURIComponent(by)}`
    expect((await call('GET', path, { token: tokens.vendor })).statusCode).toBe(400)
  })
})

describe('the movers', () => {
  test('are the devices that moved most, in both directions, each vendor’s own', async () => {
    for (const [index, bssid] of own.slice(0, 7).entries())
      await set([bssid], { health_score: 20, health_change: -70 + index, health_cause: 'fouling' })
    await set(own.slice(7, 8), { health_score: 95, health_change: 40 })
    await set(foreign.slice(0, 1), { health_score: 0, health_change: -90 })
    const mine = await get<Movers>('vendor', 'movers')
    expect(mine.fell.map(({ bssid }) => bssid)).toEqual(own.slice(0, 5))
    expect(mine.fell[0]).toMatchObject({
      score: 20,
      before: 90,
      cause: 'fouling',
      vendor: { _id: demoId('account vendor') },
    })
    expect(mine.rose).toMatchObject([{ bssid: own[7], score: 95, before: 55, cause: null }])
    const other = await get<Movers>('other', 'movers')
    expect(other.fell.map(({ bssid }) => bssid)).toEqual(foreign.slice(0, 1))
    expect(other.rose).toEqual([])
    expect((await get<Movers>('admin', 'movers')).fell[0]).toMatchObject({ bssid: foreign[0], before: 90 })
  })

  test('follow from the stored days: a device that has begun to foul falls, and one that is as it was does not', async () => {
    const now = noonOf(clock.now())
    const today = utcDay(now)
    const fouling: Course = index => ({ a: index < 80 ? 0 : -0.012 * (index - 80) })
    const [healthy, fouled] = own as [string, string]
    await storeDays(db, healthy, { days: 100, today })
    await storeDays(db, fouled, { days: 100, today, course: fouling })
    await stepDevices(db, [healthy, fouled], now)
    const { fell } = await get<Movers>('vendor', 'movers')
    const mover = fell.find(({ bssid }) => bssid === fouled)!
    expect(mover.before - mover.score).toBeGreaterThanOrEqual(10)
    expect(fell.map(({ bssid }) => bssid)).not.toContain(healthy)
  })
})
