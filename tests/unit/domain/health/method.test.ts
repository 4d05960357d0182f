import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changePoint, sizeOf } from '../../../../src/domain/health/maths/changePoint.ts'
import { fittedCorrection } from '../../../../src/domain/health/maths/coefficients.ts'
import { diagnose } from '../../../../src/domain/health/diagnose.ts'
import { forecastsOf } from '../../../../src/domain/health/forecast.ts'
import { logDensity } from '../../../../src/domain/health/maths/gaussian.ts'
import { median } from '../../../../src/domain/health/maths/median.ts'
import { neighboursOfEach, sharedPart } from '../../../../src/domain/health/residuals.ts'
import { sharedChanges } from '../../../../src/domain/health/supply.ts'
import type { Forecast } from '../../../../src/domain/health/types/assessment.ts'
import type { HealthCartridge, OwnWidths } from '../../../../src/domain/health/types/context.ts'
import type { SupplyDay } from '../../../../src/domain/health/types/supply.ts'
import { first, from, run, usualContext } from './samples.ts'

test('the median is the middle of the sorted values', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 150 }), values => {
      const sorted = values.toSorted((one, other) => one - other)
      const middle = (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2
      expect(median(values)).toBe(middle)
    }),
  )
  expect(median([])).toBeNaN()
})

test('the log density is that of a normal distribution', () => {
  expect(logDensity([1], [[4]])).toBeCloseTo(-0.125 - Math.log(2))
  const correlated = logDensity(
    [1, 1],
    [
      [1, 0.8],
      [0.8, 1],
    ],
  )
  const opposite = logDensity(
    [1, -1],
    [
      [1, 0.8],
      [0.8, 1],
    ],
  )
  expect(correlated - opposite).toBeCloseTo(-1 / 1.8 + 1 / 0.2)
})

describe('a change point', () => {
  const days = Array.from({ length: 60 }, (_, day) => day)
  const search = { earliest: 5, today: 59, stride: 1, kinds: ['step', 'ramp'] as const }
  const noise = (day: number) => 0.01 * Math.sin(day * 7.3)

  test('is found for a step, with its size', () => {
    const series = { days, values: days.map(day => (day < 40 ? 0 : 0.3) + noise(day)) }
    const found = changePoint(series, 0.03 ** 2, search)!
    expect(found.likely).toBe(40)
    expect(found.step).toBeGreaterThan(0)
    expect(sizeOf(series, found.shape, 0.03 ** 2).value).toBeCloseTo(0.3, 1)
  })

  test('is found for a ramp, with its size', () => {
    const series = { days, values: days.map(day => Math.max(0, day - 25) * 0.01 + noise(day)) }
    const found = changePoint(series, 0.03 ** 2, search)!
    expect(found.early).toBeLessThanOrEqual(26)
    expect(found.late).toBeGreaterThanOrEqual(26)
    expect(found.step).toBeLessThan(0)
    expect(sizeOf(series, found.shape, 0.03 ** 2).value).toBeCloseTo(0.34, 1)
  })

  test('needs six days', () => {
    expect(changePoint({ days: [1, 2, 3], values: [0, 0, 1] }, 0.001, search)).toBeUndefined()
  })
})

describe('a diagnosis', () => {
  const channels = ['a', 'b', 'r', 'f'] as const
  const covariance = channels.map((_, row) => channels.map((__, column) => (row === column ? 0.03 ** 2 : 0)))
  const of = (values: number[], step = 0) => diagnose({ channels, values, covariance, step, recovery: 0.4 }, {}, 1)

  test('has probabilities that sum to 1, whatever is observed', () => {
    const value = fc.double({ min: -3, max: 3, noNaN: true })
    fc.assert(
      fc.property(
        fc.tuple(value, value, value, value),
        fc.double({ min: -50, max: 50, noNaN: true }),
        (values, step) => {
          const causes = of(values, step)
          expect(causes.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1)
        },
      ),
    )
  })

  test('tells an O-ring from a sensor by its tempo', () => {
    expect(of([0, 0.4, 0, 0], 5)[0]).toMatchObject({ cause: 'oring' })
    expect(of([0, 0.4, 0, 0], -5)[0]).toMatchObject({ cause: 'outlet_tds_sensor' })
  })

  test('calls unknown what fits nothing', () => {
    expect(of([0.6, -0.6, 0.6, 0.6])[0]).toMatchObject({ cause: 'unknown' })
  })

  test('leaves out what the context excludes', () => {
    const causes = diagnose(
      { channels, values: [-0.4, 0, 0, 0], covariance, step: 0, recovery: 0.4 },
      { fouling: 0 },
      1,
    )
    expect(causes.map(({ cause }) => cause)).not.toContain('fouling')
  })
})

describe('neighbours', () => {
  test('are the others', () => {
    expect(neighboursOfEach([{ a: 0.1 }, {}, { a: 0.2, b: 1 }, { a: 0.4 }])[3]).toEqual({
      a: { n: 2, median: expect.closeTo(0.15) as number },
      b: { n: 1, median: 1 },
    })
    expect(neighboursOfEach([{ a: 0.1 }])).toEqual([{}])
  })

  test('are, of each device, what is left without its own value', () => {
    // Adding 0 makes 0 of -0, which are sorted in any order.
    const number = fc.double({ min: -1, max: 1, noNaN: true }).map(one => one + 0)
    const value = fc.option(number, { nil: undefined })
    fc.assert(
      fc.property(fc.array(value, { maxLength: 90 }), values => {
        const found = neighboursOfEach(values.map(a => (a === undefined ? {} : { a })))
        for (const [own, { a }] of found.entries()) {
          const others = values.filter((other, index) => index !== own && other !== undefined)
          expect(a).toEqual(others.length === 0 ? undefined : { n: others.length, median: median(others as number[]) })
        }
      }),
    )
  })

  test('count from five on, the more the more of them there are', () => {
    expect(sharedPart('a', { n: 4, median: 1 })).toBe(0)
    expect(sharedPart('a', { n: 5, median: 1 })).toBe(0.5)
    expect(sharedPart('a', { n: 45, median: 1 })).toBe(0.9)
    expect(sharedPart('r', { n: 45, median: 1 })).toBe(0)
  })
})

describe('a supply', () => {
  const history = (change: (day: number) => number, n = 8): SupplyDay[] =>
    Array.from({ length: 80 }, (_, day) => ({
      day,
      medians: { f: { n, median: change(day) + 0.02 * Math.sin(day) }, p: { n, median: 0 } },
    }))

  test('finds one change once, with its beginning', () => {
    const [change, ...more] = sharedChanges(history(day => (day < 50 ? 0 : 0.47)))
    expect(more).toEqual([])
    expect(change).toMatchObject({ cause: 'feed_water', devices: 8 })
    expect(Math.abs(change!.began - 50)).toBeLessThanOrEqual(1)
    expect(change!.ended).toBeUndefined()
    // A few days that agree show it.
    expect(change!.found - 50).toBeGreaterThanOrEqual(1)
    expect(change!.found - 50).toBeLessThanOrEqual(4)
  })

  test('whose water is as before has an ended one', () => {
    const [change] = sharedChanges(history(day => (day >= 40 && day < 60 ? 0.47 : 0)))
    expect(change!.ended).toBeGreaterThanOrEqual(60)
  })

  test('needs five devices', () => {
    expect(sharedChanges(history(day => (day < 50 ? 0 : 0.47), 4))).toEqual([])
  })
})

describe('temperature coefficients', () => {
  const device = (coefficient: number, degrees: number) =>
    Array.from({ length: 20 }, (_, index) => {
      const temperature = 10 + (degrees * index) / 19
      const year = index / 40
      return { temperature, year, value: coefficient * (1 / 298 - 1 / (273 + temperature)) - 0.1 * year }
    })

  test('are fitted from 30 devices that span 8 °C', () => {
    const devices = Array.from({ length: 30 }, () => device(-250, 9))
    expect(fittedCorrection(devices, -0.1)).toBeCloseTo(-250)
    expect(fittedCorrection(devices.slice(1), -0.1)).toBeUndefined()
    expect(
      fittedCorrection(
        devices.map(() => device(-250, 7)),
        -0.1,
      ),
    ).toBeUndefined()
  })
})

describe('a forecast', () => {
  const { state } = run({ days: 60 })
  const context = { ...usualContext, day: first + 60 }
  const litres = { position: 0, kind: 1 as const, installed_at: 0, litres: 500, resource: 1000, ttl: 1e5 }

  test('is by the litres of its own use, with an interval', () => {
    const [forecast] = forecastsOf(state, { ...context, cartridges: [litres], weekly_litres: [10, 10, 10] })
    expect(forecast).toMatchObject({ basis: 'litres', typical: true, due: (first + 110) * 86_400_000 })
    expect(forecast!.early).toBeLessThan(forecast!.due)
    expect(forecast!.late).toBeGreaterThan(forecast!.due)
  })

  test('is the date itself if that is first, also when it has passed', () => {
    const soon = { ...litres, installed_at: (first - 40) * 86_400_000 + 5000, ttl: 110 }
    expect(forecastsOf(state, { ...context, cartridges: [soon] })[0]).toMatchObject({
      basis: 'date',
      due: (first + 70) * 86_400_000 + 5000,
    })
    const end = (first - 20) * 86_400_000 + 5000
    const [over] = forecastsOf(state, { ...context, cartridges: [{ ...soon, ttl: 20 }], weekly_litres: [10] })
    expect(over).toMatchObject({ basis: 'date', due: end, early: end, late: end, ended: true })
  })

  test('that its litres are used up says since when, at the earliest since it was installed', () => {
    const used = { ...litres, installed_at: (first + 20) * 86_400_000, litres: 1100 }
    const dueOf = (cartridge: HealthCartridge) =>
      forecastsOf(state, { ...context, cartridges: [cartridge], weekly_litres: [10] })[0]!.due / 86_400_000
    expect(dueOf(used)).toBe(first + 50)
    expect(dueOf({ ...used, litres: 9000 })).toBe(first + 20)
  })

  test('is by its condition once a pre-filter clogs', () => {
    const clogging = run({ days: 100, change: from(40, { h: -0.3 }, 100) })
    const filter = { ...litres, kind: 0 as const, resource: 1e9 }
    const [forecast] = forecastsOf(clogging.state, { ...context, day: first + 99, cartridges: [filter] })
    expect(forecast!.basis).toBe('condition')
    const left = forecast!.due / 86_400_000 - first - 99
    expect(left).toBeGreaterThan(8)
    expect(left).toBeLessThan(25)
  })

  test('has an interval as wide as own outcomes say', () => {
    const with_ = (own_widths: OwnWidths) =>
      forecastsOf(state, { ...context, cartridges: [litres], weekly_litres: [10], own_widths })[0]!
    const late = ({ late: at }: Forecast) => Math.log((at / 86_400_000 - context.day) / 50)
    const own = with_({ 1: { litres: 2 } })
    expect(own.typical).toBe(false)
    expect(late(own)).toBeCloseTo(2 * late(with_({})), 4)
    // Those about its condition say nothing about its litres.
    expect(with_({ 1: { condition: 2 } })).toEqual(with_({}))
  })

  test('stays on the day on which its condition was used up', () => {
    const steps = [100, 112, 124, 136].map(days => ({
      days,
      state: run({ days, change: from(30, { h: -0.5 }, 80) }).state,
    }))
    const filter: HealthCartridge = { ...litres, kind: 0, resource: 1e9, installed_at: first * 86_400_000 }
    const dues = steps.map(({ days, state: used }) => {
      const [forecast] = forecastsOf(used, { ...context, day: first + days - 1, cartridges: [filter] })
      expect(forecast).toMatchObject({ basis: 'condition', ended: true, early: forecast!.due, late: forecast!.due })
      return forecast!.due / 86_400_000 - first
    })
    // A loss of ln 0.8 is reached after 36 of the 80 days.
    for (const due of dues) expect(Math.abs(due - 66)).toBeLessThanOrEqual(4)
  })

  test('is the date alone, however far, where neither litres nor condition tell anything', () => {
    const membrane = { ...litres, kind: 2 as const, installed_at: first * 86_400_000, resource: 1e9, ttl: 3650 }
    const [forecast] = forecastsOf(run({ days: 5 }).state, { ...context, cartridges: [membrane], weekly_litres: [10] })
    const end = (first + 3650) * 86_400_000
    expect(forecast).toMatchObject({ basis: 'date', due: end, early: end, late: end, typical: false })
  })

  test('has ended once its date or its litres have', () => {
    const ended = (cartridge: HealthCartridge) =>
      forecastsOf(state, { ...context, cartridges: [cartridge], weekly_litres: [10] })[0]!.ended
    expect(ended(litres)).toBe(false)
    expect(ended({ ...litres, litres: 1000 })).toBe(true)
    expect(ended({ ...litres, installed_at: (first - 40) * 86_400_000, ttl: 100 })).toBe(true)
    expect(ended({ ...litres, installed_at: (first - 40) * 86_400_000, ttl: 101 })).toBe(false)
  })
})
