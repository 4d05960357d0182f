/** Means and bands of many daily values. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bandsOf, hasBands } from '../../../../src/domain/charts/bands.ts'
import { chartKinds } from '../../../../src/domain/charts/charts.ts'
import { chartModel, extentOf, linesOf } from '../../../../src/domain/charts/lines.ts'
import { defaultUnits } from '../../../../src/domain/units.ts'
import { sampleDevice } from '../../support/charts.ts'

const daily = fc.array(fc.oneof(fc.double({ min: -50, max: 500, noNaN: true }), fc.constantFrom(null, undefined)), {
  maxLength: 60,
})

describe('a band', () => {
  test('contains its mean and the day’s value, and the values of three days on each side', () => {
    fc.assert(
      fc.property(daily, values => {
        for (const [at, band] of bandsOf(values).entries()) {
          const value = values[at]
          if (typeof value !== 'number') {
            expect(band).toBe(value)
            continue
          }
          const { mean, low, high } = band!
          expect(low).toBeLessThanOrEqual(mean)
          expect(mean).toBeLessThanOrEqual(high)
          for (const [other, near] of values.entries())
            if (Math.abs(other - at) <= 3 && typeof near === 'number') {
              expect(low).toBeLessThanOrEqual(near)
              expect(near).toBeLessThanOrEqual(high)
            }
        }
      }),
    )
  })

  test('of equal values has no height, and one outlier moves the mean by a seventh', () => {
    expect(bandsOf([4, 4, 4]).map(band => [band!.low, band!.mean, band!.high])).toEqual([
      [4, 4, 4],
      [4, 4, 4],
      [4, 4, 4],
    ])
    expect(bandsOf([1, 1, 1, 8, 1, 1, 1])[3]).toEqual({ low: 1, mean: 2, high: 8 })
  })
})

test('bands are drawn for many days, and not for hours or a few days', () => {
  expect([hasBands(86_400, 366), hasBands(86_400, 30), hasBands(21_600, 124)]).toEqual([true, false, false])
})

test('a line with a band has the means, and a part of the band on each side of a gap', () => {
  const until = Date.UTC(2026, 5, 1)
  const device = sampleDevice({
    range: 'year',
    until,
    zone: 'UTC',
    valuesAt: place => ({ permeate: place === 100 ? null : place % 2 === 0 ? 10 : 20 }),
  })
  const model = chartModel([device], { zone: 'UTC', perDevice: false })
  const lines = linesOf(model, chartKinds[0], defaultUnits, new Set(), true)
  const [permeate] = lines
  expect(permeate!.bands.map(part => part.length)).toEqual([100, 264])
  expect(permeate!.bands[0]![50]).toMatchObject({ low: 10, high: 20 })
  expect(permeate!.points[50]!.y).toBeCloseTo((4 * 20 + 3 * 10) / 7)
  expect(permeate!.points[100]!.y).toBeNull()
  expect(extentOf(lines)).toEqual({ min: 10, max: 20 })
  expect(extentOf([])).toBeUndefined()
})
