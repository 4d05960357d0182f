/** The salt passage of devices that only draw glasses, and values that are too old to count. */
import { expect, test } from 'vitest'
import { rinsedSoFar } from '../../../../src/domain/health/stepDay.ts'
import { msPerDay } from '../../../../src/domain/time.ts'
import type { ObservedChannel } from '../../../../src/domain/health/types/channels.ts'
import type { DaySums } from '../../../../src/domain/health/types/observations.ts'
import { first, from, run, type Course } from './samples.ts'

/** Takes what only draws of two minutes show from a day's sums. */
function glassesOnly(sums: DaySums): void {
  delete sums.channels.b
  Object.assign(sums, { passages: 0, passage: 0 })
}
const without =
  (channels: readonly ObservedChannel[], begin: number) =>
  (sums: DaySums, day: number): void => {
    if (day >= begin) for (const channel of channels) delete sums.channels[channel]
  }
/** Runs a device, and returns the days until its membrane is due with its assessment. */
function judge(course: Course) {
  const { assessment } = run(course)
  const membrane = assessment.forecasts.find(({ kind }) => kind === 2)!
  return { ...assessment, left: membrane.due / msPerDay - (first + course.days - 1) }
}

test('the salt of glasses counts for score, forecast and wear', () => {
  const risen = { brief: 0.6 }
  const soon = judge({ days: 260, change: from(40, risen, 220), sums: glassesOnly })
  expect(soon).toMatchObject({ worst: 'b', stale: [] })
  expect(soon.left).toBeLessThan(120)
  const worn = judge({ days: 400, change: from(40, { brief: 1 }, 360), sums: glassesOnly })
  expect(worn.findings).toMatchObject([
    { cause: 'worn', confidence: 0.5, alternatives: [{ cause: 'creep' }], evidence: [{ channel: 'brief' }] },
  ])
  expect(worn.left).toBeLessThan(0)
})

test('the first litres rinse a membrane, also where glasses take days for them', () => {
  const rinse = (days: number) => {
    const { state, assessment } = run({ days, sums: sums => Object.assign(sums, { permeate: 3 }) })
    return { rinsed: rinsedSoFar(state), learned: assessment.learned }
  }
  expect(rinse(2)).toEqual({ rinsed: { days: 2, litres: 6 }, learned: 0 })
  expect(rinse(6)).toEqual({ rinsed: { days: 6, litres: 18 }, learned: 0 })
  expect(rinse(7)).toEqual({ rinsed: null, learned: 1 })
})

test('where long draws have ended, their salt counts for thirty days, and then that of glasses', () => {
  const course = (days: number): Course => ({
    days,
    change: from(40, { b: 0.5, brief: 0.2 }, 60),
    sums: (sums, day) => day >= 110 && glassesOnly(sums),
  })
  const [before, after] = [judge(course(110 + 30)), judge(course(110 + 31))]
  expect(before.score).toBeLessThan(60)
  expect(after.score).toBeGreaterThan(75)
  expect([before.stale, after.stale]).toEqual([[], []])
})

test('a part of the score that has not been measured for thirty days is not sure, and counts no more', () => {
  const change = from(40, { b: 0.4, brief: 0.4, h: -0.1 }, 200)
  const judgeWithout = (channels: readonly ObservedChannel[], days: number) =>
    judge({ days, change, sums: without(channels, 240) })
  expect(judgeWithout(['b', 'brief'], 240 + 30)).toMatchObject({ worst: 'b', stale: [] })
  const unknown = judgeWithout(['b', 'brief'], 240 + 31)
  expect(unknown).toMatchObject({ worst: 'h', stale: ['b'] })
  expect(unknown.left).toBeGreaterThan(365)
  expect(judgeWithout(['h'], 240 + 31)).toMatchObject({ worst: 'b', stale: ['h'] })
  // Of a device that nobody uses nothing is newer.
  expect(judge({ days: 300, change: day => (day < 240 ? change(day) : null) })).toMatchObject({ worst: 'b', stale: [] })
})

test('a rejection that was measured long ago says nothing of wear', () => {
  const leaky = (last: number) =>
    judge({
      days: 150,
      sums: (sums, day) => {
        sums.passage = 0.3 * sums.passages
        if (day >= last) glassesOnly(sums)
      },
    }).findings
  expect(leaky(130)).toMatchObject([
    { cause: 'worn', evidence: [{ channel: 'b', value: 0.3, unit: 'share', baseline: null }] },
  ])
  expect(leaky(100)).toEqual([])
})
