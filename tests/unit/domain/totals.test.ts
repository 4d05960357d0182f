import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { totalsOf, type Bucket } from '../../../src/domain/totals.ts'

const silent: Bucket = { feed: null, permeate: null, waste: null, rejection_rate: null }
const at = (feed: number, permeate: number, rejection_rate: number | null = null): Bucket => ({
  feed,
  permeate,
  waste: feed - permeate,
  rejection_rate,
})

describe('the totals of several buckets', () => {
  test('are nothing where nothing was read, which is not zero', () => {
    const nothing = { permeate: null, waste: null, recovery: null, rejection: null }
    expect(totalsOf([])).toEqual(nothing)
    expect(totalsOf([silent, silent])).toEqual(nothing)
  })

  test('are litres and no rates while no water was drawn', () => {
    expect(totalsOf([silent, at(0, 0, 95)])).toEqual({ permeate: 0, waste: 0, recovery: null, rejection: null })
  })

  test('weigh rates by the water: a large draw counts for more than a small one', () => {
    expect(totalsOf([at(10, 5, 90), silent, at(30, 10, 96), at(0, 0, 20)])).toEqual({
      permeate: 15,
      waste: 25,
      recovery: 37.5,
      rejection: 94,
    })
  })

  const bucket = fc.oneof(
    fc.constant(silent),
    fc
      .tuple(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 100 }), fc.integer({ min: -50, max: 100 }))
      .map(([feed, share, rejection]) => at(feed, (feed * share) / 100, rejection)),
  )
  test('lie between the least and the greatest of the buckets, in whatever order they come', () => {
    fc.assert(
      fc.property(fc.array(bucket, { minLength: 1 }), buckets => {
        const read = buckets.filter(one => one.feed !== null)
        const { recovery, rejection, permeate, waste } = totalsOf(buckets)
        fc.pre(read.length > 0)
        const recoveries = read.map(one => (one.permeate! / one.feed!) * 100)
        const rejections = read.map(one => one.rejection_rate!)
        expect(recovery).toBeGreaterThanOrEqual(Math.min(...recoveries) - 1e-9)
        expect(recovery).toBeLessThanOrEqual(Math.max(...recoveries) + 1e-9)
        expect(rejection).toBeGreaterThanOrEqual(Math.min(...rejections) - 1e-9)
        expect(rejection).toBeLessThanOrEqual(Math.max(...rejections) + 1e-9)
        const turned = totalsOf(buckets.toReversed())
        expect(turned.permeate).toBeCloseTo(permeate!, 6)
        expect(turned.waste).toBeCloseTo(waste!, 6)
      }),
    )
  })
})
