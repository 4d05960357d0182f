/** Changes that the devices of a supply share, as the daily step stores them. */
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { supplyChanges } from '../../../../server/db/schema/supplies.ts'
import { startServer } from '../../support/harness.ts'
import { noonOf, stepDevices, storeDays, utcDay, type Course } from '../../support/health/healthSamples.ts'
import { day, newDevice } from '../../support/devices/readingSamples.ts'

const { db, clock } = await startServer()
const now = noonOf(clock.now())
const today = utcDay(now)

/** Days of a supply, counted from the first one, on which its water changes for good, and of the first step. */
const changed = 40
const first = 80

/** Steps five devices of a supply up to each of these days, and returns the stored changes after each of them. */
async function followSupply(water_supply: string, course: Course, days: readonly number[]) {
  const bssids: string[] = []
  for (let count = 0; count < 6; count++) bssids.push(await newDevice(db, { water_supply }))
  const stored = []
  for (const [index, end] of days.entries()) {
    const from = days[index - 1] ?? 0
    const at = today - first + end
    for (const bssid of bssids)
      await storeDays(db, bssid, { days: end - from, today: at, course: on => course(on + from) })
    await stepDevices(db, bssids, new Date(now.getTime() + (end - first) * day))
    stored.push(
      await db
        .select({
          began_at: supplyChanges.began_at,
          value: supplyChanges.value,
          ended_at: supplyChanges.ended_at,
          told_at: supplyChanges.told_at,
        })
        .from(supplyChanges)
        .where(eq(supplyChanges.water_supply, water_supply))
        .orderBy(supplyChanges.began_at),
    )
  }
  return stored
}

/** Days around that on which the days before the change are forgotten. */
const leaving = [110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120].map(days => changed + days)

test('a lasting change stays one line until it is the usual', async () => {
  const [found, ...later] = await followSupply('Lasting well', on => (on < changed ? {} : { f: 0.47 }), [
    first,
    ...leaving,
  ])
  expect(found).toMatchObject([{ ended_at: null }])
  const { began_at, told_at } = found![0]!
  for (const lines of later) expect(lines).toMatchObject([{ began_at, told_at, value: expect.closeTo(0.47, 1) }])
  expect(later.at(-1)![0]!.ended_at).not.toBeNull()
})

test('an episode that has ended stays one line, and the return of the water another', async () => {
  const episode: Course = on => (on >= changed && on < changed + 15 ? { f: 0.47 } : {})
  const [found, ...later] = await followSupply('Passing well', episode, [first, ...leaving])
  expect(found).toHaveLength(2)
  expect(found![0]!.ended_at).not.toBeNull()
  for (const lines of later)
    expect(lines.map(({ began_at }) => began_at)).toEqual(found!.map(({ began_at }) => began_at))
})

test('a second change in the same direction is another line', async () => {
  const twice: Course = on => {
    const isIn = (from: number) => on >= from && on < from + 12
    return isIn(changed) || isIn(changed + 35) ? { f: 0.47 } : {}
  }
  const [, found] = await followSupply('Restless well', twice, [changed + 8, changed + 45])
  const ups = found!.filter(({ value }) => value > 0)
  expect(ups).toHaveLength(2)
})
