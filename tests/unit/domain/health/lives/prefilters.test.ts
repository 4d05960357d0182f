/** What like pre-filters tell of the litres and days that one has left. */
import { describe, expect, test } from 'vitest'
import { forecastsOf, typicalWidth } from '../../../../../src/domain/health/forecast.ts'
import {
  minEnds,
  isFollowed,
  newestPrefilter,
  remainingLitres,
} from '../../../../../src/domain/health/lives/prefilters.ts'
import { survivalOf, type Life } from '../../../../../src/domain/health/maths/survival.ts'
import type { Forecast } from '../../../../../src/domain/health/types/assessment.ts'
import type { HealthCartridge, HealthContext } from '../../../../../src/domain/health/types/context.ts'
import { isClogged } from '../../../../../src/domain/health/wear.ts'
import { random } from '../../../../../simulator/model/random.ts'
import { first, from, run, usualContext } from '../samples.ts'

/** 1,800, 1,850 … 2,200 litres. */
const nine = Array.from({ length: 9 }, (_, index): Life => ({ length: 1800 + 50 * index, ended: true }))
const steps = survivalOf(nine)

describe('the litres that are left', () => {
  test('are to the median of the ends, and with nine from their least to their greatest', () => {
    expect(remainingLitres(steps, 500)).toEqual({ early: 1300, likely: 1500, late: 1700, ends: 9 })
  })

  test('are unknown with fewer than nine later ends', () => {
    expect(remainingLitres(survivalOf(nine.slice(1)), 500)).toBeUndefined()
    expect(remainingLitres(steps, 1800)).toBeUndefined()
    expect(remainingLitres([], 0)).toBeUndefined()
  })

  test('are more if others go on for longer, whose end is not known yet', () => {
    const going = Array.from({ length: 6 }, (): Life => ({ length: 2190, ended: false }))
    const left = remainingLitres(survivalOf([...nine, ...going]), 500)!
    expect(left).toMatchObject({ early: 1350, likely: 1650, late: 1700 })
    const longer = going.map(each => ({ ...each, length: 3000 }))
    expect(remainingLitres(survivalOf([...nine, ...longer]), 500)).toMatchObject({ likely: 1650, late: Infinity })
    expect(remainingLitres(survivalOf([...nine, ...longer, ...longer]), 500)).toBeUndefined()
  })

  test('lie in their interval in four of five cases, with few ends as with many', () => {
    const rng = random(7)
    const length = () => 2000 * Math.exp(0.2 * (rng.next() + rng.next() + rng.next() - 1.5))
    for (const ends of [minEnds, 10, 14, 19, 40, 200]) {
      let inside = 0
      const tries = 1500
      for (let number = 0; number < tries; number++) {
        const lives = Array.from({ length: ends }, (): Life => ({ length: length(), ended: true }))
        const { early, late } = remainingLitres(survivalOf(lives), 0)!
        const actual = length()
        if (actual >= early && actual <= late) inside++
      }
      expect(inside / tries, `${ends} ends`).toBeGreaterThan(0.77)
      expect(inside / tries, `${ends} ends`).toBeLessThan(0.87)
    }
  })
})

describe('a forecast of a pre-filter', () => {
  const filter: HealthCartridge = {
    position: 0,
    kind: 0,
    installed_at: (first - 1) * 86_400_000,
    litres: 500,
    resource: 1e9,
    ttl: 1e5,
  }
  const { state } = run({ days: 60 })
  const day = first + 60
  const weekly_litres = [8, 8, 8]
  const context: HealthContext = { ...usualContext, day, cartridges: [filter], weekly_litres, prefilter_lives: steps }
  const forecast = (values: Partial<HealthContext> = {}, of = state) => forecastsOf(of, { ...context, ...values })[0]!
  const days = ({ due }: Forecast) => due / 86_400_000 - day
  /** Litres of feed a day. */
  const daily = 8 / state.recovery!

  test('is by the condition that like ones had after its litres, at its own use', () => {
    const found = forecast()
    expect(found).toMatchObject({ basis: 'condition', like_ends: 9, typical: false, ended: false })
    expect(days(found)).toBeCloseTo(1500 / daily, 4)
    // The spread of the lives, and that of its own use.
    const use = typicalWidth('litres', 0, days(found))
    const late = Math.log((found.late / 86_400_000 - day) / days(found))
    expect(late).toBeCloseTo(Math.hypot(Math.log(1700 / 1500), use), 4)
    const early = Math.log(days(found) / (found.early / 86_400_000 - day))
    expect(early).toBeCloseTo(Math.hypot(Math.log(1500 / 1300), use), 4)
  })

  test('counts its own date and litres if they are earlier', () => {
    const soon = { ...filter, resource: 600 }
    expect(forecast({ cartridges: [soon] })).toMatchObject({ basis: 'litres', like_ends: null, typical: true })
    const dated = { ...filter, ttl: 70 }
    expect(forecast({ cartridges: [dated] })).toMatchObject({ basis: 'date', like_ends: null })
  })

  test('says nothing of like ones without use, with a booster pump, or without pressure', () => {
    expect(forecast({ weekly_litres: [] }).basis).toBe('date')
    expect(forecast({ weekly_litres: [0] }).basis).toBe('date')
    expect(forecast({ boosted: true }).like_ends).toBeNull()
    const { h: _, ...others } = state.channels
    expect(forecast({}, { ...state, channels: others }).like_ends).toBeNull()
  })

  test('takes the litres since the newest of several was installed, as they share their pressure', () => {
    const newer = { ...filter, position: 1, installed_at: (first + 50) * 86_400_000, litres: 100 }
    const both = forecastsOf(state, { ...context, cartridges: [filter, newer] })
    for (const each of both) expect(days(each)).toBeCloseTo(1900 / daily, 4)
    expect(newestPrefilter([filter, newer])).toBe(newer)
    expect(newestPrefilter([{ ...filter, kind: 2 }])).toBeUndefined()
  })

  test('is by its own trend once its pressure falls', () => {
    const clogging = run({ days: 100, change: from(40, { h: -0.3 }, 100) })
    const own = forecast({ day: first + 99 }, clogging.state)
    expect(own).toMatchObject({ basis: 'condition', like_ends: null })
    expect(own).toEqual(forecastsOf(clogging.state, { ...context, day: first + 99, prefilter_lives: [] })[0])
  })
})

describe('a pre-filter', () => {
  const { state } = run({ days: 60 })

  test('is followed if its pressure was learned when it was new', () => {
    const { since } = state.channels.h!
    expect(isFollowed(state, since - 8, false)).toBe(true)
    expect(isFollowed(state, since - 31, false)).toBe(false)
    // The pressure is still that of the one before.
    expect(isFollowed(state, since + 1, false)).toBe(false)
    expect(isFollowed(state, since - 8, true)).toBe(false)
    expect(isFollowed(run({ days: 6 }).state, first, false)).toBe(false)
  })

  test('is clogged at a fifth less pressure', () => {
    expect(isClogged(state)).toBe(false)
    expect(isClogged(run({ days: 100, change: from(40, { h: -0.15 }, 30) }).state)).toBe(false)
    expect(isClogged(run({ days: 100, change: from(40, { h: -0.3 }, 30) }).state)).toBe(true)
    expect(isClogged(run({ days: 6 }).state)).toBe(false)
  })
})
