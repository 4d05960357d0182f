import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runningPressure } from '../../../../../src/domain/health/instruments.ts'
import { pressureValue, runningOverResting } from '../../../../../src/domain/health/pressure/pump.ts'
import type { DaySums } from '../../../../../src/domain/health/types/observations.ts'
import {
  feedBrineConcentration,
  osmoticPressure,
  polarisationFactor,
  temperatureCorrection,
} from '../../../../../src/domain/normalise.ts'
import { baselinesOf, levelsOf, stepDay } from '../../../../../src/domain/health/stepDay.ts'
import type { HealthState } from '../../../../../src/domain/health/types/state.ts'
import { random } from '../../../../../simulator/model/random.ts'
import { daySums, first, from, run, usualContext } from '../samples.ts'

/** ln of the resting pressure of the samples, and of their running over resting pressure. */
const resting = 1.4
const friction = -0.02
/** ln running over resting pressure of a unit with a pump. */
const lift = 0.6
const withPump = () => ({ h: lift - friction })

/** Returns the days of a state until one on which nothing is known of a pump any more: as earlier versions have stored it. */
function earlier(state: HealthState, h: Partial<HealthState['channels']['h']>): HealthState {
  const { boosted: _, lifts: _lifts, ...others } = structuredClone(state)
  return { ...others, channels: { ...others.channels, h: { ...others.channels.h!, ...h } } }
}

describe('a pump', () => {
  test('is not taken from one day, nor from two', () => {
    const { state, found } = run({ days: 60, change: day => ([25, 40].includes(day) ? { h: 0.14 } : {}) })
    expect(state.boosted).toBe(false)
    expect(state.channels.h!.since).toBeLessThan(first + 15)
    expect(state.channels.h!.baseline).toBeCloseTo(friction, 1)
    expect(found).toBeUndefined()
  })

  test('is found from its first days, and the running pressure is learned', () => {
    const { state } = run({ days: 40, change: withPump })
    expect(state.boosted).toBe(true)
    expect(state.channels.h!.baseline).toBeCloseTo(resting + lift, 1)
    expect(Math.abs(state.channels.h!.level)).toBeLessThan(0.03)
    expect(runningPressure(state.channels)).toBeCloseTo(Math.exp(resting + lift), 0)
  })

  test('that is fitted later begins the pressure anew, and ends a finding of the pre-filter', () => {
    const clogged = from(40, { h: -0.3 }, 30)
    const before = run({ days: 90, change: clogged })
    expect(before.assessment.findings).toMatchObject([{ cause: 'prefilter' }])
    const after = run({ days: 130, change: day => (day < 90 ? clogged(day) : withPump()) })
    expect(after.state.boosted).toBe(true)
    expect(after.state.channels.h!.since).toBeGreaterThan(first + 90)
    expect(after.state.channels.h!.baseline).toBeCloseTo(resting + lift, 1)
    expect(after.assessment.findings).toEqual([])
  })

  test('that fails wholly is weak, and not gone', () => {
    const change = (day: number) => ({ h: day < 60 ? lift : Math.max(-0.05, lift - 0.02 * (day - 60)) })
    const { state, assessment } = run({ days: 120, change, context: day => ({ boosted: day >= 10 }) })
    expect(state.boosted).toBe(true)
    expect(assessment.findings).toMatchObject([{ group: 'pressure' }])
  })

  test('law: whatever the days say, the running pressure is what the last of them have measured', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 30, maxLength: 60 }), fc.boolean(), (lifted, boosted) => {
        const { state } = run({
          days: lifted.length,
          change: day => (lifted[day] === true ? { h: 0.15 } : {}),
          context: () => ({ boosted }),
        })
        const [min, max] = [Math.min, Math.max].map(of => of(...lifted.slice(-3).map(each => (each ? 0.15 : 0))))
        const found = Math.log(runningPressure(state.channels)!) - resting - friction
        expect(found).toBeGreaterThan(min! - 0.03)
        expect(found).toBeLessThan(max! + 0.03)
      }),
      { numRuns: 20 },
    )
  })
})

describe('days of earlier versions, with the running pressure alone,', () => {
  test('law: tell the same as those with the ratio', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1.5, max: 4, noNaN: true }),
        fc.double({ min: 1.5, max: 4, noNaN: true }),
        fc.double({ min: 4, max: 30, noNaN: true }),
        (supply, boost, temperature) => {
          const rng = random(1)
          const running = supply + boost
          const noise = () => 0.01 * (rng.next() - 0.5)
          const sums = (h: number) => {
            const day = daySums(1)
            const of = (value: number) => ({ n: 20, sum: 20 * (value + noise()), squares: 20 * value * value })
            const flow = 0.2 * Math.exp(3020 * (1 / 298 - 1 / (273 + temperature))) * (running / 1.08)
            return {
              ...day,
              channels: { ...day.channels, a: of(Math.log(0.2)), h: of(h), p: of(Math.log(supply)) },
              temperature: 20 * temperature,
              flow: 20 * flow,
              flows: 20,
              n: 20,
            }
          }
          for (const h of [Math.log(running), Math.log(running / supply)]) {
            expect(runningOverResting(sums(h))).toBeCloseTo(Math.log(running / supply), 1)
            expect(pressureValue(sums(h), true)).toBeCloseTo(Math.log(running), 1)
          }
        },
      ),
    )
  })

  test('tell nothing without the resting pressure', () => {
    const sums = daySums(1, { h: 1.5 })
    const { p: _, ...channels } = sums.channels
    expect(runningOverResting({ ...sums, channels })).toBeUndefined()
  })
})

describe('a state of an earlier version', () => {
  const next = (state: HealthState, days: number, boosted: boolean, change = {}) => {
    let now = state
    const begin = state.day + 1
    for (let day = 0; day < days; day++)
      now = stepDay(now, daySums(day + 1, change), { ...usualContext, boosted, day: begin + day })
    return now
  }

  test('of a device without a pump that was taken for one with it heals', () => {
    const { state } = run({ days: 60 })
    // A baseline of ratios, and the last days as bar.
    const stored = earlier(state, { baseline: friction, raw: [1.38, 1.37, 1.39], level: 1.3 })
    const healed = next(stored, 20, true)
    expect(healed.boosted).toBe(false)
    expect(healed.channels.h!.baseline).toBeCloseTo(friction, 1)
    expect(runningPressure(healed.channels)).toBeCloseTo(Math.exp(resting + friction), 0)
    expect(levelsOf(healed).h).toBeCloseTo(friction, 1)
    expect(healed.open).toEqual([])
  })

  test('with a pump keeps its baseline of the running pressure', () => {
    const { state } = run({ days: 60, change: withPump, context: () => ({ boosted: true }) })
    const running = resting + lift
    const stored = earlier(state, { raw: [running, running + 0.01, running - 0.01] })
    const kept = next(stored, 1, true, withPump())
    expect(kept.boosted).toBe(true)
    expect(baselinesOf(kept).h).toBe(baselinesOf(state).h)
    expect(runningPressure(kept.channels)).toBeCloseTo(Math.exp(running), 0)
  })

  test('with a pump whose baseline is of ratios learns it anew', () => {
    const { state } = run({ days: 60, change: withPump, context: () => ({ boosted: true }) })
    const anew = next(earlier(state, { baseline: lift }), 20, true, withPump())
    expect(anew.boosted).toBe(true)
    expect(anew.channels.h!.since).toBeGreaterThan(state.day)
    expect(anew.channels.h!.baseline).toBeCloseTo(resting + lift, 1)
  })

  test('without a pump goes on as it was', () => {
    const { state } = run({ days: 60 })
    const stored = earlier(state, {})
    expect(next(stored, 10, false).channels).toEqual(next(structuredClone(state), 10, false).channels)
  })
})

test('law: a day tells whether the running pressure or its ratio was stored, however salty the feed is', () => {
  const mean = (value: number) => ({ n: 1, sum: value, squares: value ** 2 })
  const between = (min: number, max: number) => fc.double({ min, max, noNaN: true })
  fc.assert(
    fc.property(between(1.6, 3.5), between(1.5, 3.2), between(100, 1500), between(8, 25), (rest, boost, tds, at) => {
      const running = rest + boost
      const wall = feedBrineConcentration(tds, 0.4) * polarisationFactor(0.4)
      const flow = 0.2 * temperatureCorrection(at) * (running - osmoticPressure(wall, at))
      const dayWith = (h: number) =>
        ({
          n: 1,
          flows: 1,
          flow,
          temperature: at,
          tank_runs: 0,
          channels: { h: mean(h), p: mean(Math.log(rest)), a: mean(Math.log(0.2)), f: mean(Math.log(tds)) },
        }) as Partial<DaySums> as DaySums
      const ratio = Math.log(running / rest)
      expect(runningOverResting(dayWith(ratio))).toBeCloseTo(ratio, 9)
      expect(runningOverResting(dayWith(Math.log(running)))).toBeCloseTo(ratio, 9)
    }),
  )
})
