/** Forecasts by the trend of a channel: a pre-filter that clogs evenly, and one that clogs faster and faster. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { residualScale } from '../../../../src/domain/health/channelState.ts'
import { clogged } from '../../../../src/domain/health/thresholds.ts'
import type { ChannelState } from '../../../../src/domain/health/types/state.ts'
import { daysTo, reachedOn, trendOf } from '../../../../src/domain/health/wear.ts'

const since = 20_000
const wander = 0.005 ** 2

/** Days whose residuals a channel keeps one by one. */
const kept = 28

/** Returns a channel whose pressure has fallen by `lost`, a share, with the power of the time, in so many days. */
function fallen(lost: number, days: number, power: number): ChannelState {
  const today = since + days - 1
  const valueOn = (day: number) => Math.log(1 - lost * ((day - since + 1) / days) ** power)
  const daily = Array.from({ length: kept }, (_, index) => valueOn(today - kept + 1 + index) * residualScale)
  const week = Math.floor((today - kept + 1) / 7) - 1
  const weeks = Array.from({ length: week - Math.ceil(since / 7) + 1 }, (_, index) => Math.ceil(since / 7) + index)
  return {
    since,
    day: today,
    level: valueOn(today),
    gaps: daily.map((_, index) => Math.min(1, index)),
    values: daily,
    week,
    week_gaps: weeks.map((_, index) => Math.min(1, index)),
    medians: weeks.map(one => valueOn(one * 7 + 3) * residualScale),
  } as Partial<ChannelState> as ChannelState
}

test.each([
  ['evenly', 1],
  ['with the square of the time', 2],
] as const)('a pre-filter that clogs %s is due when it will be clogged', (_, power) => {
  fc.assert(
    fc.property(fc.double({ min: 0.14, max: 0.18, noNaN: true }), fc.integer({ min: 60, max: 120 }), (lost, days) => {
      const channel = fallen(lost, days, power)
      const trend = trendOf(channel, channel.day, {
        wander,
        ageing: 0,
        course: { kinds: ['ramp', 'curve'], sinceFirst: true },
      })
      const actual = days * ((1 - Math.exp(clogged)) / lost) ** (1 / power) - days
      expect(daysTo(trend, clogged) / actual).toBeGreaterThan(0.7)
      expect(daysTo(trend, clogged) / actual).toBeLessThan(1.3)
    }),
  )
})

test('what has clogged is due at once, and what moves away from its limit is not', () => {
  const accelerating = 20
  expect(daysTo({ level: clogged, rate: -0.01, shown: 1, accelerating }, clogged)).toBe(0)
  expect(daysTo({ level: -0.1, rate: 0.01, shown: 1, accelerating }, clogged)).toBe(Infinity)
})

test('what has clogged has reached its limit on the same day, however long ago that is', () => {
  fc.assert(
    fc.property(fc.integer({ min: 60, max: 120 }), fc.double({ min: 0.25, max: 0.4, noNaN: true }), (days, lost) => {
      const channel = fallen(lost, days, 1)
      const actual = since + (days * (1 - Math.exp(clogged))) / lost
      expect(Math.abs(reachedOn(channel, clogged, 0) - actual)).toBeLessThan(3)
    }),
  )
})

test('single days beyond the limit, and days within it later on, do not move the day on which it was reached', () => {
  const channel = fallen(0.3, 28, 1)
  const reached = reachedOn(channel, clogged, 0)
  const values = channel.values.map((value, index) => (index === 3 ? -300 : index === 26 ? -100 : value))
  expect(reachedOn({ ...channel, values }, clogged, 0)).toBe(reached)
})

test('a limit that only the trend has reached was reached on the newest day, and one that all kept days have, on the first', () => {
  const channel = fallen(0.1, 70, 1)
  expect(reachedOn(channel, clogged, 0)).toBe(channel.day)
  expect(reachedOn(channel, -0.0001, 0)).toBeLessThan(since + 10)
})
