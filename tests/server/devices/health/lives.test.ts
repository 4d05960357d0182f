/** Lives of pre-filters are followed from step to step, and tell when like ones on the supply are due. */
import { and, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { deviceCartridges, devices } from '../../../../server/db/schema/devices.ts'
import { cartridgeTypes } from '../../../../server/db/schema/filtration.ts'
import {
  cartridgeForecasts,
  forecastScores,
  keptForecasts,
  prefilterLives,
} from '../../../../server/db/schema/forecasts.ts'
import { healthDays } from '../../../../server/db/schema/healthDays.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { pruneHealth } from '../../../../server/devices/health/prune.ts'
import type { DeviceHealth } from '../../../../src/api/contract/health/device.ts'
import { litresADay, setFiltered } from '../../support/health/forecastSamples.ts'
import { startServer } from '../../support/harness.ts'
import { stepDevices, storeDays, type Course } from '../../support/health/healthSamples.ts'
import { day, newDevice } from '../../support/devices/readingSamples.ts'

const { db, clock, call, signIn } = await startServer()
const [vendor, other] = [demoId('account vendor'), demoId('account vendor2')]
const [type] = await db.select().from(cartridgeTypes).where(eq(cartridgeTypes.type, 0)).limit(1)
/** Litres of feed a day, at the recovery of the stored days. */
const feedADay = litresADay / 0.4

const today = () => Math.floor(clock.now().getTime() / day)
const step = (...bssids: string[]) => stepDevices(db, bssids, clock.now())
const livesOf = (bssid: string) =>
  db.select().from(prefilterLives).where(eq(prefilterLives.bssid, bssid)).orderBy(prefilterLives.installed_at)
const forecastOf = async (bssid: string) =>
  (await db.select().from(cartridgeForecasts).where(eq(cartridgeForecasts.bssid, bssid)))[0]!
const daysLeft = async (bssid: string) => (await forecastOf(bssid)).due_at.getTime() / day - today()

/** Sets the lifetime litres of feed of a device. */
const setFeed = (bssid: string, feed: number) => setFiltered(db, bssid, today(), feed / 2)

interface NewFilter {
  readonly supply: string
  readonly vendor_id?: string
  /** Days with data since it was installed. */
  readonly days?: number
  /** Days from its installation to the first of them. */
  readonly unseen?: number
}

/** Creates a device with a pre-filter, installed at 1,000 litres, that has filtered so many litres of feed; and steps it. */
async function newFilter(litres: number, { supply, vendor_id = vendor, days = 12, unseen = 0 }: NewFilter) {
  const bssid = await newDevice(db, { vendor_id, water_supply: supply })
  await storeDays(db, bssid, { days, today: today() })
  const installed_at = new Date((today() - days - unseen) * day)
  await db
    .insert(deviceCartridges)
    .values({ bssid, position: 0, cartridge_type_id: type!.id, installed_at, volume_before: 1000 })
  await setFeed(bssid, 1000 + litres)
  await step(bssid)
  return bssid
}

const clogging: Course = index => ({ h: -0.03 * Math.min(10, index + 1) })

/** Lets twenty days pass in which the pre-filters clog, each at its litres. */
async function clog(filters: ReadonlyMap<string, number>, course = clogging): Promise<void> {
  clock.advance(20 * day)
  for (const [bssid, litres] of filters) {
    await storeDays(db, bssid, { days: 20, today: today(), course })
    await setFeed(bssid, 1000 + litres)
  }
  await step(...filters.keys())
}

/** Creates devices on a supply whose pre-filters clog at 1,910, 1,930 … litres, around 2,000 for ten. */
async function cloggedSupply(supply: string, count = 10, vendor_id = vendor): Promise<string[]> {
  const filters = new Map<string, number>()
  for (let index = 0; index < count; index++)
    filters.set(await newFilter(800, { supply, vendor_id }), 1910 + 20 * index)
  await clog(filters)
  return [...filters.keys()]
}

/** Replaces the pre-filter of a device at so many lifetime litres, and returns when. */
async function replace(bssid: string, feed: number): Promise<Date> {
  const installed_at = clock.now()
  await db.update(deviceCartridges).set({ installed_at, volume_before: feed }).where(eq(deviceCartridges.bssid, bssid))
  return installed_at
}

let serial = 0
let supply = ''
beforeEach(async () => {
  supply = `Spring ${serial++}`
  // Filters that clog end forecasts by litres, too.
  await db.delete(forecastScores)
  await db.delete(keptForecasts)
})

describe('a life', () => {
  test('is stored once when it is followed, and again when it has clogged', async () => {
    const bssid = await newFilter(800, { supply })
    const installed_at = new Date((today() - 12) * day)
    const life = { bssid, installed_at, volume_before: 1000, litres: null, clogged: false, ended_at: null }
    expect(await livesOf(bssid)).toEqual([life])
    await step(bssid)
    expect(await livesOf(bssid)).toEqual([life])
    await clog(new Map([[bssid, 2000]]))
    const [ended] = await livesOf(bssid)
    expect(ended).toMatchObject({ installed_at, volume_before: 1000, litres: 2000, clogged: true })
    expect(ended!.ended_at!.getTime()).toBeGreaterThan(today() * day)
    // It goes on being used, and is replaced later.
    await setFeed(bssid, 3500)
    clock.advance(day)
    await step(bssid)
    await replace(bssid, 3500)
    clock.advance(day)
    await step(bssid)
    expect(await livesOf(bssid)).toEqual([ended])
  })

  test('that is replaced before it has clogged is censored at its litres, and the next one begins', async () => {
    const bssid = await newFilter(800, { supply })
    await setFeed(bssid, 2200)
    const replacedAt = await replace(bssid, 2200)
    clock.advance(day)
    await step(bssid)
    expect(await livesOf(bssid)).toMatchObject([{ litres: 1200, clogged: false, ended_at: replacedAt }])
    // The pressure of the new one is learned.
    await storeDays(db, bssid, { days: 1, today: today() })
    clock.advance(12 * day)
    await storeDays(db, bssid, { days: 12, today: today() })
    await step(bssid)
    expect(await livesOf(bssid)).toMatchObject([
      { litres: 1200 },
      { installed_at: replacedAt, volume_before: 2200, litres: null },
    ])
  })

  test('is not followed where the device is met later, and not without a pre-filter', async () => {
    const late = await newFilter(800, { supply, unseen: 60 })
    expect(await livesOf(late)).toEqual([])
    const removed = await newFilter(800, { supply })
    expect(await livesOf(removed)).toHaveLength(1)
    await db.delete(deviceCartridges).where(eq(deviceCartridges.bssid, removed))
    await step(removed)
    expect(await livesOf(removed)).toEqual([])
  })

  test('is forgotten when the baseline begins anew, and is back when that is undone', async () => {
    const bssid = await newFilter(800, { supply })
    const known = await livesOf(bssid)
    const token = (await signIn('vendor')).access_token
    const put = (path: string) => call('PUT', `/api/v3/devices/health/${path}`, { token, body: { ids: [bssid] } })
    expect((await put('baseline')).statusCode).toBe(200)
    await step(bssid)
    expect(await livesOf(bssid)).toEqual([])
    expect((await put('baseline/restore')).statusCode).toBe(200)
    await step(bssid)
    expect(await livesOf(bssid)).toEqual(known)
  })

  test('is deleted with its device, when that gets another vendor, and five years after its end', async () => {
    const [deleted, moved, old] = await cloggedSupply(supply, 3)
    await db.delete(healthDays).where(eq(healthDays.bssid, deleted!))
    await db.delete(devices).where(eq(devices.bssid, deleted!))
    await db.update(devices).set({ vendor_id: other }).where(eq(devices.bssid, moved!))
    expect(await livesOf(deleted!)).toEqual([])
    expect(await livesOf(moved!)).toEqual([])
    expect(await livesOf(old!)).toHaveLength(1)
    await pruneHealth(db, new Date(clock.now().getTime() + 1830 * day))
    expect(await livesOf(old!)).toEqual([])
  })
})

describe('a fresh pre-filter', () => {
  test('is due when those on its supply have clogged, by its own use', async () => {
    await cloggedSupply(supply)
    const fresh = await newFilter(400, { supply: supply.toUpperCase() })
    // Its supply is known from the first step on.
    expect(await forecastOf(fresh)).toMatchObject({ basis: 'litres', like_ends: null })
    await step(fresh)
    expect(await forecastOf(fresh)).toMatchObject({ basis: 'condition', like_ends: 10, typical: false })
    // The median of ten ends is the fifth: 1,990 litres.
    expect(await daysLeft(fresh)).toBeCloseTo((1990 - 400) / feedADay, 2)
    const { early_at, late_at } = await forecastOf(fresh)
    expect(early_at.getTime() / day - today()).toBeLessThan((1910 - 400) / feedADay)
    expect(late_at.getTime() / day - today()).toBeGreaterThan((2090 - 400) / feedADay)
    const token = (await signIn('admin')).access_token
    const answer = await call('GET', `/api/v3/devices/${fresh}/health?zone=UTC`, { token })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json<{ data: DeviceHealth }>().data.forecasts).toMatchObject([{ basis: 'condition', like_ends: 10 }])
    // More litres, less time.
    await setFeed(fresh, 1000 + 1200)
    await step(fresh)
    expect(await daysLeft(fresh)).toBeCloseTo((1990 - 1200) / feedADay, 2)
  })

  test('is due later where some have gone on for longer, and unknown where most have', async () => {
    await cloggedSupply(supply)
    for (let count = 0; count < 4; count++) await newFilter(3000, { supply })
    const fresh = await newFilter(400, { supply })
    await step(fresh)
    expect(await daysLeft(fresh)).toBeCloseTo((2030 - 400) / feedADay, 2)
    for (let count = 0; count < 8; count++) await newFilter(3000, { supply })
    await step(fresh)
    expect(await forecastOf(fresh)).toMatchObject({ basis: 'litres', like_ends: null })
  })

  test('is due by its litres with few ends, on another supply, and where those are of another vendor', async () => {
    await cloggedSupply(supply, 8)
    await cloggedSupply(supply, 10, other)
    const [own, elsewhere] = [await newFilter(400, { supply }), await newFilter(400, { supply: `${supply} east` })]
    await step(own, elsewhere)
    for (const bssid of [own, elsewhere])
      expect(await forecastOf(bssid), bssid).toMatchObject({ basis: 'litres', like_ends: null })
    const foreign = await newFilter(400, { supply, vendor_id: other })
    await step(foreign)
    expect(await forecastOf(foreign)).toMatchObject({ basis: 'condition', like_ends: 10 })
  })

  test('is due by its own pressure once that falls, and its forecasts are judged when it has clogged', async () => {
    await cloggedSupply(supply)
    const bssid = await newFilter(400, { supply, days: 60 })
    await step(bssid)
    const kept = () =>
      db
        .select()
        .from(keptForecasts)
        .where(and(eq(keptForecasts.bssid, bssid), eq(keptForecasts.basis, 'condition')))
    expect(await kept()).toMatchObject([{ like_ends: 10, horizon: 0, ended_at: null }])
    await clog(new Map([[bssid, 1000]]), index => ({ h: -0.009 * (index + 1) }))
    expect(await forecastOf(bssid)).toMatchObject({ basis: 'condition', like_ends: null })
    expect(await daysLeft(bssid)).toBeLessThan(8)
    await db.delete(forecastScores)
    await clog(new Map([[bssid, 2400]]), () => ({ h: -0.4 }))
    expect(await kept()).toMatchObject([{ like_ends: 10, replaced_early: false, inside: false }])
    const scores = await db.select().from(forecastScores).where(eq(forecastScores.basis, 'condition'))
    // It counts as an outcome, but says nothing about the widths of own trends.
    expect(scores).toMatchObject([{ vendor_id: vendor, kind: 0, outcomes: 1, inside: 0, level: 0.2, scores: [] }])
  })
})
