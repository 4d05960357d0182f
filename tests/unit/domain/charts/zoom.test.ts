import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { zoomAround, zoomToRange, type Axis, type AxisRange } from '../../../../src/domain/charts/zoom.ts'

const minute = 60_000
const bucket = 10 * minute
const begin = Date.UTC(2026, 5, 1)
const axis: Axis = { xs: Array.from({ length: 144 }, (_, at) => begin + at * bucket), end: begin + 144 * bucket }
const all: AxisRange = { from: begin, to: axis.end }

const somewhere = fc.integer({ min: begin - 5 * bucket, max: axis.end + 5 * bucket })
/** What may be shown already: all, or part of it. */
const shown = fc.oneof(
  fc.constant(all),
  fc.tuple(fc.nat(100), fc.integer({ min: 2, max: 40 })).map(([at, length]) => {
    const from = begin + at * bucket
    return { from, to: from + length * bucket }
  }),
)

function expectShowable(stretch: AxisRange | undefined) {
  if (!stretch) return
  expect(stretch.from).toBeGreaterThanOrEqual(begin)
  expect(stretch.to).toBeLessThanOrEqual(axis.end)
  expect(stretch.to - stretch.from).toBeGreaterThanOrEqual(2 * bucket)
  expect(stretch.to - stretch.from).toBeLessThan(axis.end - begin)
}

describe('a marked stretch', () => {
  test('is shown the right way round, on the axis and two buckets long, wherever a drag begins and ends', () => {
    fc.assert(
      fc.property(shown, somewhere, somewhere, (before, one, other) => {
        const next = zoomToRange(axis, before, one, other)
        expectShowable(next)
        expect(zoomToRange(axis, before, other, one)).toEqual(next)
      }),
    )
  })

  test('is shown as it is where it is long enough', () => {
    const [from, to] = [begin + 3 * bucket, begin + 9 * bucket]
    expect(zoomToRange(axis, all, to, from)).toEqual({ from, to })
  })

  test('beside the plot, or of less than a bucket, changes nothing', () => {
    const before = { from: begin + 20 * bucket, to: begin + 30 * bucket }
    expect(zoomToRange(axis, all, begin - 9 * bucket, begin - bucket)).toBeUndefined()
    expect(zoomToRange(axis, before, before.to + bucket, before.to + 9 * bucket)).toEqual(before)
    expect(zoomToRange(axis, before, before.from + minute, before.from + 3 * minute)).toEqual(before)
  })
})

describe('zooming', () => {
  test('in ends at two buckets, and out at all of the axis with its last bucket', () => {
    fc.assert(
      fc.property(shown, fc.nat(1000), (before, thousandths) => {
        const about = ({ from, to }: AxisRange) => from + ((to - from) * thousandths) / 1000
        let now: AxisRange | undefined = before
        for (let times = 0; times < 12; times++) {
          now = zoomAround(axis, now ?? all, about(now ?? all), 0.5)
          expectShowable(now)
        }
        expect(now!.to - now!.from).toBeCloseTo(2 * bucket)
        for (let times = 0; times < 12; times++) now = zoomAround(axis, now ?? all, about(now ?? all), 2)
        expect(now).toBeUndefined()
      }),
    )
  })

  test('keeps what it is about where it is', () => {
    const about = begin + 36 * bucket
    expect(zoomAround(axis, all, about, 0.5)).toEqual({ from: begin + 18 * bucket, to: begin + 90 * bucket })
  })
})
