/** Forecasts are kept, judged once their cartridge has ended, and give later intervals their width. */
import { eq, inArray } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { deviceCartridges, devices } from '../../../../server/db/schema/devices.ts'
import { cartridgeTypes } from '../../../../server/db/schema/filtration.ts'
import { cartridgeForecasts, forecastScores, keptForecasts } from '../../../../server/db/schema/forecasts.ts'
import { deviceHealth } from '../../../../server/db/schema/health.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { refitCartridges } from '../../../../server/devices/cartridges.ts'
import { stepSlice } from '../../../../server/devices/health/step.ts'
import { openStates } from '../../../../server/devices/ingest/states.ts'
import { deviceWithFilter, keptOf, litresADay, setFiltered, storeScores } from '../../support/health/forecastSamples.ts'
import { startServer } from '../../support/harness.ts'
import { stepDevices } from '../../support/health/healthSamples.ts'
import { day, testParts } from '../../support/devices/readingSamples.ts'

const server = await startServer()
const { db, clock, call, signIn } = server
const states = openStates(testParts(server))
afterAll(() => states.close())
const [vendor, other] = [demoId('account vendor'), demoId('account vendor2')]
const [filter] = await db.select().from(cartridgeTypes).where(eq(cartridgeTypes.type, 1)).limit(1)
const capacity = filter!.resource

/** The UTC day of the clock. */
const today = () => Math.floor(clock.now().getTime() / day)
const step = (...bssids: string[]) => stepDevices(db, bssids, clock.now())
const replace = (bssid: string) =>
  states.report(bssid, { at: clock.now().toISOString(), status: 0, replaced_cartridges: [0] })
const scoresOf = async (vendor_id: string) =>
  (await db.select().from(forecastScores).where(eq(forecastScores.vendor_id, vendor_id)))[0]
const newestOf = async (bssid: string) =>
  (await db.select().from(cartridgeForecasts).where(eq(cartridgeForecasts.bssid, bssid)))[0]!

/** Lets some days pass in which a device uses its litres, and steps it on the last one. */
async function pass(bssid: string, days: number, used = days * litresADay): Promise<void> {
  const [fitted] = await keptOf(db, bssid)
  const before = capacity - litresLeft.get(bssid)!
  litresLeft.set(bssid, litresLeft.get(bssid)! - used)
  clock.advance(days * day)
  await setFiltered(db, bssid, today(), before + used)
  expect(fitted).toBeDefined()
  await step(bssid)
}
const litresLeft = new Map<string, number>()
/** Creates a device whose filter has so many days left, and steps it. */
async function newFilter(daysLeft: number, values: { vendor_id?: string } = { vendor_id: vendor }): Promise<string> {
  const bssid = await deviceWithFilter(db, today(), daysLeft, values)
  litresLeft.set(bssid, daysLeft * litresADay)
  await step(bssid)
  return bssid
}

beforeEach(async () => {
  await db.delete(forecastScores)
  await db.delete(keptForecasts)
})

describe('a forecast by litres', () => {
  test('is kept once at each horizon, as it was made', async () => {
    const bssid = await newFilter(50)
    const [first] = await keptOf(db, bssid)
    expect(first).toMatchObject({ position: 0, kind: 1, horizon: 1, basis: 'litres', typical: true, ended_at: null })
    expect(first!.due_at.getTime()).toBe((today() + 50) * day)
    await pass(bssid, 10)
    expect(await keptOf(db, bssid)).toEqual([first])
    await pass(bssid, 15)
    expect((await keptOf(db, bssid)).map(({ horizon }) => horizon)).toEqual([1, 0])
  })

  test('is judged when the litres are used up, before anybody replaces the cartridge', async () => {
    const bssid = await newFilter(50)
    const made = today()
    await pass(bssid, 44, 50 * litresADay)
    const [kept] = await keptOf(db, bssid)
    expect(kept).toMatchObject({ replaced_early: false, inside: true })
    expect(kept!.ended_at!.getTime()).toBe((made + 43.5) * day)
    expect(kept!.score).toBeCloseTo(Math.log(50 / 43.5), 4)
    // Once.
    await replace(bssid)
    await pass(bssid, 1, 0)
    expect((await keptOf(db, bssid))[0]).toEqual(kept)
    const scores = await scoresOf(vendor)
    expect(scores).toMatchObject({ kind: 1, basis: 'litres', outcomes: 1, inside: 1, replaced_early: 0, level: 0.2 })
    // In multiples of the typical width for 30 to 60 days.
    expect(scores!.scores[0]).toBeCloseTo(Math.log(50 / 43.5) / 0.15, 3)
  })

  test('has missed if the litres lasted much longer or shorter', async () => {
    const [shorter, longer] = [await newFilter(50), await newFilter(50)]
    await pass(shorter, 20, 50 * litresADay)
    await pass(longer, 80, 50 * litresADay)
    expect(await keptOf(db, shorter)).toMatchObject([{ inside: false, replaced_early: false }])
    expect(await keptOf(db, longer)).toMatchObject([{ inside: false, replaced_early: false }])
    expect(await scoresOf(vendor)).toMatchObject({ outcomes: 2, inside: 0 })
  })

  test('is unknown and no miss if the cartridge was replaced early, as its device reports', async () => {
    const bssid = await newFilter(50)
    await pass(bssid, 10)
    await replace(bssid)
    await pass(bssid, 1)
    const [kept] = await keptOf(db, bssid)
    expect(kept).toMatchObject({ replaced_early: true, inside: null, score: null })
    expect(await scoresOf(vendor)).toMatchObject({ outcomes: 0, inside: 0, replaced_early: 1, scores: [] })
  })

  test('is judged by a replacement in the last tenth of the life', async () => {
    const bssid = await newFilter(50)
    await pass(bssid, 48)
    await replace(bssid)
    const [fitted] = await db.select().from(deviceCartridges).where(eq(deviceCartridges.bssid, bssid))
    await pass(bssid, 1)
    const replaced = fitted!.installed_at
    expect(await keptOf(db, bssid)).toMatchObject([
      { horizon: 1, replaced_early: false, inside: true, ended_at: replaced },
      // The new cartridge has forecasts of its own.
      { horizon: 3, installed_at: replaced, ended_at: null },
    ])
    expect(await scoresOf(vendor)).toMatchObject({ outcomes: 1, inside: 1 })
  })

  test('that lasted beyond its interval has missed, also if it was replaced early', async () => {
    const bssid = await newFilter(50)
    // It is hardly used any more.
    await pass(bssid, 70, 10 * litresADay)
    await replace(bssid)
    await pass(bssid, 1, 0)
    expect((await keptOf(db, bssid))[0]).toMatchObject({ replaced_early: true, inside: false })
    expect(await scoresOf(vendor)).toMatchObject({ outcomes: 1, inside: 0, replaced_early: 0 })
  })

  test('is forgotten with a change of the filtration system, the removal of the cartridge, or another vendor', async () => {
    const [removed, refitted, moved] = [await newFilter(50), await newFilter(50), await newFilter(50)]
    await db.delete(deviceCartridges).where(eq(deviceCartridges.bssid, removed))
    await step(removed)
    const system = demoId('system UnderSink 4')
    const [stored] = await db.select().from(devices).where(eq(devices.vendor_id, vendor)).limit(1)
    const any = stored!.filtration_system_id ?? system
    await db.update(devices).set({ filtration_system_id: any }).where(eq(devices.bssid, refitted))
    await refitCartridges(db, any, clock.now())
    await db.update(devices).set({ vendor_id: other }).where(eq(devices.bssid, moved))
    for (const bssid of [removed, refitted, moved]) expect(await keptOf(db, bssid), bssid).toEqual([])
    expect(await scoresOf(vendor)).toBeUndefined()
  })

  test('by condition is forgotten when another cartridge of the kind is replaced, because they share the pressure', async () => {
    const bssid = await newFilter(50)
    const [kept] = await keptOf(db, bssid)
    await db.insert(keptForecasts).values({ ...kept!, horizon: 0, basis: 'condition' })
    await db.insert(deviceCartridges).values({
      bssid,
      position: 1,
      cartridge_type_id: filter!.id,
      installed_at: new Date(clock.now().getTime() + day),
    })
    await pass(bssid, 2)
    expect((await keptOf(db, bssid)).filter(({ position }) => position === 0)).toEqual([kept])
  })

  test('by litres stays when the baseline begins anew, and one by condition does not', async () => {
    const bssid = await newFilter(50)
    const [kept] = await keptOf(db, bssid)
    await db.insert(keptForecasts).values({ ...kept!, horizon: 0, basis: 'condition' })
    const token = (await signIn('vendor')).access_token
    const answer = await call('PUT', '/api/v3/devices/health/baseline', { token, body: { ids: [bssid] } })
    expect(answer.statusCode).toBe(200)
    expect(await keptOf(db, bssid)).toEqual([kept])
  })
})

describe('own outcomes', () => {
  const halfWidth = async (bssid: string) => {
    const { due_at, late_at } = await newestOf(bssid)
    const now = today() * day
    return Math.log((late_at.getTime() - now) / (due_at.getTime() - now))
  }

  test('of 20 forecasts make the intervals of the vendor’s devices, and of no other’s', async () => {
    const [own, foreign] = [await newFilter(50), await newFilter(50, { vendor_id: other })]
    await storeScores(
      db,
      vendor,
      Array.from({ length: 19 }, () => 2),
    )
    await step(own, foreign)
    expect(await newestOf(own)).toMatchObject({ typical: true })
    await db.delete(forecastScores)
    await storeScores(
      db,
      vendor,
      Array.from({ length: 20 }, () => 2),
    )
    await step(own, foreign)
    expect(await newestOf(own)).toMatchObject({ typical: false })
    expect(await halfWidth(own)).toBeCloseTo(0.3, 4)
    expect(await newestOf(foreign)).toMatchObject({ typical: true })
    expect(await halfWidth(foreign)).toBeCloseTo(0.15, 4)
  })

  test('say nothing about other kinds of cartridges', async () => {
    const bssid = await newFilter(50)
    await storeScores(
      db,
      vendor,
      Array.from({ length: 20 }, () => 2),
      { kind: 2 },
    )
    await step(bssid)
    expect(await newestOf(bssid)).toMatchObject({ typical: true })
  })

  test('move the level by 0.01 (0.2 − missed), once the interval was an own one', async () => {
    await storeScores(
      db,
      vendor,
      Array.from({ length: 20 }, () => 1),
    )
    const [inside, missed] = [await newFilter(50), await newFilter(50)]
    await pass(inside, 49, 50 * litresADay)
    expect((await scoresOf(vendor))!.level).toBeCloseTo(0.202)
    await setFiltered(db, missed, today(), capacity)
    clock.advance(40 * day)
    await step(missed)
    const scores = await scoresOf(vendor)
    expect(scores!.level).toBeCloseTo(0.194)
    expect(scores).toMatchObject({ outcomes: 22, inside: 21 })
    expect(scores!.scores).toHaveLength(22)
  })

  test('are added up when servers store them at the same time', async () => {
    const bssids: string[] = []
    for (let count = 0; count < 12; count++) bssids.push(await newFilter(50))
    clock.advance(45 * day)
    for (const bssid of bssids) await setFiltered(db, bssid, today(), capacity)
    await db.update(deviceHealth).set({ due_at: new Date(clock.now().getTime() + 100 * day) })
    await db.update(deviceHealth).set({ due_at: clock.now() }).where(inArray(deviceHealth.bssid, bssids))
    await Promise.all([1, 2, 3, 4].map(() => stepSlice(db, clock.now(), 3)))
    expect(await scoresOf(vendor)).toMatchObject({ outcomes: 12, inside: 12 })
    expect((await scoresOf(vendor))!.scores).toHaveLength(12)
    expect(await db.$count(keptForecasts, eq(keptForecasts.inside, true))).toBe(12)
  })
})
