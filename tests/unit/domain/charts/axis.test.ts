import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bucketLabel, dateRangeLabel, ticksOf } from '../../../../src/domain/charts/axis.ts'
import { chartGrid } from '../../../../src/domain/charts/grid.ts'
import { stepAlong } from '../../../../src/domain/charts/lines.ts'
import { sampleDevice } from '../../support/charts.ts'

const rowsOf = (range: 'day' | 'week' | 'month' | 'year', zone: string, until: number) =>
  chartGrid([sampleDevice({ range, until, zone })], { zone, perDevice: false }).rows

describe('the labels of the time axis', () => {
  test('are in order, and fit the width', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('day', 'week', 'month', 'year'),
        fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/New_York'),
        fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2030, 0, 1) }),
        fc.integer({ min: 260, max: 1600 }),
        (range, zone, until, pixels) => {
          const ticks = ticksOf(rowsOf(range, zone, until), pixels)
          expect(ticks.length).toBeGreaterThan(1)
          expect(ticks.length * 36).toBeLessThanOrEqual(pixels)
          for (const [at, tick] of ticks.entries()) {
            expect(tick.label).not.toBe('')
            if (at > 0) expect(tick.x).toBeGreaterThan(ticks[at - 1]!.x)
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  const labels = (...args: Parameters<typeof rowsOf>) => ticksOf(rowsOf(...args), 500).map(({ label }) => label)
  test('are hours, days or months', () => {
    const until = Date.UTC(2026, 2, 5)
    expect(labels('day', 'UTC', until)).toEqual([
      'Mar 4',
      '03:00',
      '06:00',
      '09:00',
      '12:00',
      '15:00',
      '18:00',
      '21:00',
    ])
    expect(labels('week', 'UTC', until)).toEqual(['Mar 2', 'Mar 3', 'Mar 4', 'Mar 5', 'Mar 6', 'Mar 7', 'Mar 8'])
    expect(labels('month', 'UTC', until)).toEqual(['Mar 2', 'Mar 9', 'Mar 16', 'Mar 23', 'Mar 30'])
    expect(labels('year', 'UTC', until).slice(0, 4)).toEqual(['2026', 'Feb', 'Mar', 'Apr'])
  })

  test('repeat an hour that occurs twice', () => {
    const rows = rowsOf('day', 'Europe/Berlin', Date.UTC(2026, 9, 25, 12))
    expect(ticksOf(rows, 1400).filter(({ label }) => label === '02:00')).toHaveLength(2)
  })
})

describe('the label of', () => {
  test('a bucket is its date and times', () => {
    const row = (wall: number, isRepeated = false) => ({ x: 0, wall, isRepeated, startsAt: 0 })
    const wall = Date.UTC(2026, 2, 5, 14, 20)
    expect(bucketLabel(row(wall), 600)).toBe('Thu, Mar 5, 14:20–14:30')
    expect(bucketLabel(row(wall, true), 600)).toBe('Thu, Mar 5, 14:20–14:30 (second time)')
    expect(bucketLabel(row(Date.UTC(2026, 2, 5)), 86_400)).toBe('Thu, Mar 5, 2026')
  })

  test('a range is its dates', () => {
    expect(dateRangeLabel(Date.UTC(2026, 2, 5), Date.UTC(2026, 2, 6))).toBe('Thu, Mar 5, 2026')
    expect(dateRangeLabel(Date.UTC(2026, 1, 27), Date.UTC(2026, 2, 6))).toBe('Feb 27 – Mar 5, 2026')
    expect(dateRangeLabel(Date.UTC(2025, 2, 6), Date.UTC(2026, 2, 6))).toBe('Mar 6, 2025 – Mar 5, 2026')
  })
})

test('the cursor steps along the positions and stays within them', () => {
  const places = [10, 20, 30, 40]
  expect(stepAlong(places, undefined, 1)).toBe(10)
  expect(stepAlong(places, undefined, -1)).toBe(40)
  expect(stepAlong(places, 20, 1)).toBe(30)
  expect(stepAlong(places, 25, 1)).toBe(30)
  expect(stepAlong(places, 25, -1)).toBe(20)
  expect(stepAlong(places, 40, 1)).toBe(40)
  expect(stepAlong(places, 10, -1)).toBe(10)
  expect(stepAlong(places, 10, Infinity)).toBe(40)
  expect(stepAlong(places, 40, -Infinity)).toBe(10)
  expect(stepAlong(places, 20, 10)).toBe(40)
  expect(stepAlong([], 20, 1)).toBe(20)
  expect(stepAlong([], undefined, 1)).toBeUndefined()
})
