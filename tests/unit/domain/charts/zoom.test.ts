import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { zoomAround, zoomToRange, type Axis, type AxisRange } from '../../../../src/domain/charts/zoom.ts'

const minute = 60_000
const bucket = 10 * minute
const begin = Date.UTC(2026, 5, 1)
const axis: Axis = { xs: Array.from({ length: 144 }, (_, at) => begin + at * bucket), end: begin + 144 * bucket }
const all: AxisRange = { from: begin, to: axis.end }

const anyInstant = fc.integer({ min: begin - 5 * bucket, max: axis.end + 5 * bucket })
/** The range before zooming: the whole axis or a part of it. */
const anyRange = fc.oneof(
  fc.constant(all),
  fc.tuple(fc.nat(100), fc.integer({ min: 2, max: 40 })).map(([at, length]) => {
    const from = begin + at * bucket
    return { from, to: from + length * bucket }
  }),
)

function expectValidZoom(range: AxisRange | undefined) {
  if (!range) return
  expect(range.from).toBeGreaterThanOrEqual(begin)
  expect(range.to).toBeLessThanOrEqual(axis.end)
  expect(range.to - range.from).toBeGreaterThanOrEqual(2 * bucket)
  expect(range.to - range.from).toBeLessThan(axis.end - begin)
}

describe('a dragged range', () => {
  test('is ordered, on the axis and at least two buckets long, for any drag', () => {
    fc.assert(
      fc.property(anyRange, anyInstant, anyInstant, (before, one, other) => {
        const next = zoomToRange(axis, before, one, other)
        expectValidZoom(next)
        expect(zoomToRange(axis, before, other, one)).toEqual(next)
      }),
    )
  })

  test('is used exactly if it is long enough', () => {
    const [from, to] = [begin + 3 * bucket, begin + 9 * bucket]
    expect(zoomToRange(axis, all, to, from)).toEqual({ from, to })
  })

  test('changes nothing if it is outside the plot or shorter than a bucket', () => {
    const before = { from: begin + 20 * bucket, to: begin + 30 * bucket }
    expect(zoomToRange(axis, all, begin - 9 * bucket, begin - bucket)).toBeUndefined()
    expect(zoomToRange(axis, before, before.to + bucket, before.to + 9 * bucket)).toEqual(before)
    expect(zoomToRange(axis, before, before.from + minute, before.from + 3 * minute)).toEqual(before)
  })
})

describe('zooming', () => {
  test('in stops at two buckets, and out at the whole axis', () => {
    fc.assert(
      fc.property(anyRange, fc.nat(1000), (before, thousandths) => {
        const centre = ({ from, to }: AxisRange) => from + ((to - from) * thousandths) / 1000
        let now: AxisRange | undefined = before
        for (let times = 0; times < 12; times++) {
          now = zoomAround(axis, now ?? all, centre(now ?? all), 0.5)
          expectValidZoom(now)
        }
        expect(now!.to - now!.from).toBeCloseTo(2 * bucket)
        for (let times = 0; times < 12; times++) now = zoomAround(axis, now ?? all, centre(now ?? all), 2)
        expect(now).toBeUndefined()
      }),
    )
  })

  test('keeps the position of its centre', () => {
    const centre = begin + 36 * bucket
    expect(zoomAround(axis, all, centre, 0.5)).toEqual({ from: begin + 18 * bucket, to: begin + 90 * bucket })
  })
})
