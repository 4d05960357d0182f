import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lifeStage, remainingLife, remainingShare } from '../../../src/domain/filterLife.ts'

const day = 86_400_000
const now = Date.UTC(2026, 0, 1)
const lasting = (days: number, total = 0) => ({
  replace_at: new Date(now + days * day).toISOString(),
  resource: 1000,
  total,
  ttl: 365,
})

test.each([
  [-1, 'Expired'],
  [0, 'Expired'],
  [0.5, 'Less than a day'],
  [1, '1 day'],
  [13.9, '13 days'],
  [14, '2 weeks'],
  [60, '8 weeks'],
  [61, '2 months'],
  [400, '13 months'],
  [730, '23 months'],
  [731, '2 years'],
  [1500, '4 years'],
])('%d days: %s', (days, text) => {
  expect(remainingLife(lasting(days), now)).toBe(text)
})

test('used up litres end it whatever its date', () => {
  expect(remainingLife(lasting(300, 1000), now)).toBe('Expired')
})

test('the share is between 0 and 1, falls with time and litres, and is 0 where it is expired by use', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -400, max: 400, noNaN: true }),
      fc.integer({ min: 0, max: 1200 }),
      fc.integer({ min: 1, max: 300 }),
      (days, total, more) => {
        const share = remainingShare(lasting(days, total), now)
        expect(share).toBeGreaterThanOrEqual(0)
        expect(share).toBeLessThanOrEqual(1)
        expect(remainingShare(lasting(days, total + more), now)).toBeLessThanOrEqual(share)
        expect(remainingShare(lasting(days - more, total), now)).toBeLessThanOrEqual(share)
        expect(remainingLife(lasting(days, total), now) === 'Expired').toBe(share === 0)
      },
    ),
  )
})

test('it is running out 30 days before its date, or at half its time where that is less, or with a tenth of its litres left', () => {
  const stage = (left: number, ttl: number, used = 0) =>
    lifeStage({ due: now + left * day, ttl, resource: 1000, used }, now)
  // More than a tenth of its time is left, and less: its days count, not their share.
  expect([31, 30, 0.001, 0].map(left => stage(left, 180))).toEqual(['ok', 'expiring', 'expiring', 'expired'])
  expect([72, 31, 30].map(left => stage(left, 730))).toEqual(['ok', 'ok', 'expiring'])
  expect([11, 10].map(left => stage(left, 20))).toEqual(['ok', 'expiring'])
  expect([899, 900, 999, 1000].map(used => stage(300, 365, used))).toEqual(['ok', 'expiring', 'expiring', 'expired'])
})

describe('what is promised', () => {
  /** Days that a text stands for at least. */
  const promised = (text: string): number => {
    if (text === 'Expired' || text === 'Less than a day') return 0
    const [, count = '', noun = ''] = /^(\d+) (day|week|month|year)s?$/.exec(text) ?? []
    return Number(count) * { day: 1, week: 7, month: 30.4375, year: 365.25 }[noun]!
  }
  const days = fc.double({ min: -1000, max: 5000, noNaN: true })

  test('is never more than is left, and says more than half of it', () => {
    fc.assert(
      fc.property(days, left => {
        const told = promised(remainingLife(lasting(left), now))
        expect(told).toBeLessThanOrEqual(Math.max(0, left) + 1e-6)
        if (left >= 1) expect(told).toBeGreaterThan(left / 2)
      }),
    )
  })

  test('does not grow as time goes by', () => {
    fc.assert(
      fc.property(days, fc.double({ min: 0, max: 800, noNaN: true }), (left, later) => {
        const cartridge = lasting(left)
        expect(promised(remainingLife(cartridge, now + later * day))).toBeLessThanOrEqual(
          promised(remainingLife(cartridge, now)),
        )
      }),
    )
  })

  test('changes its unit where section 4 has another: below two weeks, two months, two years', () => {
    const unitAt = (left: number) => remainingLife(lasting(left), now).replace(/^\d+ /, '')
    expect([1, 13.999, 14, 60.999, 61, 730.999, 731].map(unitAt)).toEqual([
      'day',
      'days',
      'weeks',
      'weeks',
      'months',
      'months',
      'years',
    ])
  })
})

test('the share is what is left of the time or of the litres, whichever is less', () => {
  expect(remainingShare(lasting(365), now)).toBe(1)
  expect(remainingShare(lasting(73), now)).toBeCloseTo(0.2, 12)
  expect(remainingShare(lasting(73, 900), now)).toBeCloseTo(0.1, 12)
  expect(remainingShare(lasting(73, 1000), now)).toBe(0)
})
