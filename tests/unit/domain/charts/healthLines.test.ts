/** The lines of the health charts. */
import { describe, expect, test } from 'vitest'
import {
  bandAround,
  dayPosition,
  healthDays,
  healthLine,
  healthLineInWords,
  smoothed,
  withGaps,
} from '../../../../src/domain/charts/healthLines.ts'
import { msPerDay } from '../../../../src/domain/time.ts'
import { instantOf } from '../../../../src/domain/zone.ts'

const zone = 'Pacific/Auckland'
const first = Date.UTC(2026, 2, 1)
/** Days that start in the zone, also where clocks are put back (5 April). */
const at = (day: number) => new Date(instantOf(zone, first + day * msPerDay)).toISOString()
const days = (values: readonly (number | undefined)[], channel: 'a' | 'b' = 'a') =>
  values.map((value, day) => ({ at: at(day), days: 1, values: value === undefined ? {} : { [channel]: value } }))
const health = (values: readonly (number | undefined)[]) => ({
  points: days(values).map((day, index) => ({ ...day, errors: { a: 0.01 * (1 + index) } })),
  neighbours: days([0, 0, 0]),
  salt_hidden: false,
  findings: [],
  thresholds: { a: 0.12, b: 0.2 },
  replacements: [{ at: new Date(instantOf(zone, first + 2 * msPerDay) + 9 * 3_600_000).toISOString() }],
})

describe('the axis', () => {
  test('has one position for each local day, and ends today', () => {
    const now = Date.parse(at(45)) + 3_600_000
    const axis = healthDays(now, 31, zone)
    expect(axis).toHaveLength(32)
    expect(axis.at(-1)!.x).toBe(first + 45 * msPerDay)
    expect(axis[0]!.x).toBe(first + 14 * msPerDay)
  })

  test('days stay a day apart where clocks are put back', () => {
    const positions = Array.from({ length: 60 }, (_, day) => dayPosition(Date.parse(at(day)), zone))
    expect(positions.slice(1).map((x, index) => x - positions[index]!)).toEqual(Array(59).fill(msPerDay))
  })
})

describe('a line', () => {
  test('is the median of the week around each day: one day that is far off does not move it', () => {
    const line = healthLine(health([0, 0, 0, -1, 0, 0, 0]), 'a', zone)
    expect(line.days[3]!.y).toBeCloseTo(36.8, 1)
    expect(line.points.map(({ y }) => y)).toEqual(Array(7).fill(100))
  })

  test('is interrupted by more than a week without data, and its band with it', () => {
    const values = [0, 0, ...Array<undefined>(8).fill(undefined), 0.1]
    const { points } = healthLine(health(values), 'a', zone)
    expect(withGaps(points).map(({ y }) => y === null)).toEqual([false, false, true, false])
    const bands = bandAround(points.map(point => ({ ...point, error: Math.log(1.1) / 2 })))
    expect(bands.map(band => band.length)).toEqual([2, 1])
    expect(bands[0]![0]).toMatchObject({ low: expect.closeTo(100 / 1.1), high: expect.closeTo(110) })
    expect(bandAround(points.map(({ x, y }) => ({ x, y })))).toEqual([])
  })

  test('has thresholds on both sides, the errors of its days, and the days of replacements', () => {
    const line = healthLine(health([0, 0, 0]), 'a', zone)
    expect(line.thresholds.map(Math.round)).toEqual([89, 113])
    expect(line.points.map(({ error }) => error)).toEqual([0.02, 0.02, 0.02])
    expect(line.replacements).toEqual([first + 2 * msPerDay])
  })

  test('has what was measured on the days that have it, also in words', () => {
    const { points, ...others } = health([0, 0, 0])
    const measured = points.map((point, day) => ({ ...point, measured: day === 0 ? {} : { a: -0.1 * day } }))
    const line = healthLine({ ...others, points: measured }, 'a', zone)
    expect(line.measured.map(({ y }) => Math.round(y))).toEqual([90, 82])
    expect(healthLineInWords(line)).toContain('; as measured 82 %;')
    expect(healthLine({ ...others, points: measured }, 'r', zone).measured).toEqual([])
  })

  test('goes on through old weeks, which stand for seven days', () => {
    const weeks = [0, 7, 14].map(day => ({ at: at(day), days: 7, values: { a: -0.1 } }))
    const line = healthLine({ ...health([]), points: [...weeks, { at: at(21), days: 1, values: { a: 0 } }] }, 'a', zone)
    expect(line.weeks).toEqual([0, 7, 14].map(day => first + day * msPerDay))
    expect(withGaps(line.points).every(({ y }) => y !== null)).toBe(true)
    expect(line.points.map(({ y }) => Math.round(y))).toEqual([90, 90, 90, 100])
    expect(healthLineInWords(line)).toContain('in 3 weeks and 1 day with data')
  })

  test('that the bypass hides has neither band nor thresholds, and says so', () => {
    const salt = { points: days([0, 1.7], 'b').map(day => ({ ...day, errors: { b: 2 } })) }
    const line = healthLine({ ...health([]), ...salt, salt_hidden: true }, 'b', zone)
    expect(line.isHidden).toBe(true)
    expect(line.thresholds).toEqual([])
    expect(bandAround(line.points)).toEqual([])
    expect(healthLineInWords(line)).toMatch(/^the bypass hides that of the membrane; \d+ % of new/)
    expect(healthLine({ ...health([0]), salt_hidden: true }, 'a', zone).isHidden).toBe(false)
  })

  test('without data is empty', () => {
    expect(smoothed([])).toEqual([])
    expect(healthLineInWords(healthLine(health([]), 'a', zone))).toBe('no days with data')
  })
})

test('a chart is described by its last value, its range, its neighbours and its thresholds', () => {
  const values = Array.from({ length: 20 }, (_, day) => -0.01 * day)
  const text = healthLineInWords(healthLine(health(values), 'a', zone))
  expect(text).toMatch(
    /^84 ± 38 % of new on .*2026; lowest 84 %, highest 99 % in 20 days with data; neighbours 100 %; /,
  )
  expect(text).toMatch(/noticed below 89 % or above 113 %$/)
})
