import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { totalsOf, type Bucket } from '../../../src/domain/totals.ts'

const missing: Bucket = { feed: null, permeate: null, waste: null, rejection_rate: null }
const at = (feed: number, permeate: number, rejection_rate: number | null = null): Bucket => ({
  feed,
  permeate,
  waste: feed - permeate,
  rejection_rate,
})

describe('the totals of several buckets', () => {
  test('are null without readings, and not zero', () => {
    const nothing = { permeate: null, waste: null, recovery: null, rejection: null }
    expect(totalsOf([])).toEqual(nothing)
    expect(totalsOf([missing, missing])).toEqual(nothing)
  })

  test('have litres but no rates if no water was drawn', () => {
    expect(totalsOf([missing, at(0, 0, 95)])).toEqual({ permeate: 0, waste: 0, recovery: null, rejection: null })
  })

  test('weight rates by the water drawn', () => {
    expect(totalsOf([at(10, 5, 90), missing, at(30, 10, 96), at(0, 0, 20)])).toEqual({
      permeate: 15,
      waste: 25,
      recovery: 37.5,
      rejection: 94,
    })
  })

  const bucket = fc.oneof(
    fc.constant(missing),
    fc
      .tuple(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 100 }), fc.integer({ min: -50, max: 100 }))
      .map(([feed, share, rejection]) => at(feed, (feed * share) / 100, rejection)),
  )
  test('are between the minimum and maximum of the buckets, in any order', () => {
    fc.assert(
      fc.property(fc.array(bucket, { minLength: 1 }), buckets => {
        const withReadings = buckets.filter(one => one.feed !== null)
        const { recovery, rejection, permeate, waste } = totalsOf(buckets)
        fc.pre(withReadings.length > 0)
        const recoveries = withReadings.map(one => (one.permeate! / one.feed!) * 100)
        const rejections = withReadings.map(one => one.rejection_rate!)
        expect(recovery).toBeGreaterThanOrEqual(Math.min(...recoveries) - 1e-9)
        expect(recovery).toBeLessThanOrEqual(Math.max(...recoveries) + 1e-9)
        expect(rejection).toBeGreaterThanOrEqual(Math.min(...rejections) - 1e-9)
        expect(rejection).toBeLessThanOrEqual(Math.max(...rejections) + 1e-9)
        const reversed = totalsOf(buckets.toReversed())
        expect(reversed.permeate).toBeCloseTo(permeate!, 6)
        expect(reversed.waste).toBeCloseTo(waste!, 6)
      }),
    )
  })
})
