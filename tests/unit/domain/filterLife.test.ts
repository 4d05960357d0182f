import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lifeStage, remainingLife, remainingShare } from '../../../src/domain/filterLife.ts'

const day = 86_400_000
const now = Date.UTC(2026, 0, 1)
const cartridge = (days: number, total = 0) => ({
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
  expect(remainingLife(cartridge(days), now)).toBe(text)
})

test('a cartridge without litres left is expired before its date', () => {
  expect(remainingLife(cartridge(300, 1000), now)).toBe('Expired')
})

test('the remaining share is between 0 and 1, falls with time and litres, and is 0 exactly when expired', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -400, max: 400, noNaN: true }),
      fc.integer({ min: 0, max: 1200 }),
      fc.integer({ min: 1, max: 300 }),
      (days, total, more) => {
        const share = remainingShare(cartridge(days, total), now)
        expect(share).toBeGreaterThanOrEqual(0)
        expect(share).toBeLessThanOrEqual(1)
        expect(remainingShare(cartridge(days, total + more), now)).toBeLessThanOrEqual(share)
        expect(remainingShare(cartridge(days - more, total), now)).toBeLessThanOrEqual(share)
        expect(remainingLife(cartridge(days, total), now) === 'Expired').toBe(share === 0)
      },
    ),
  )
})

test('a cartridge is expiring 30 days before its date, or at half its life if that is less, or with a tenth of its litres left', () => {
  const stage = (left: number, ttl: number, used = 0) =>
    lifeStage({ due: now + left * day, ttl, resource: 1000, used }, now)
  // The days decide and not their share: 30 of 180 are more than a tenth, and 31 of 730 less.
  expect([31, 30, 0.001, 0].map(left => stage(left, 180))).toEqual(['ok', 'expiring', 'expiring', 'expired'])
  expect([72, 31, 30].map(left => stage(left, 730))).toEqual(['ok', 'ok', 'expiring'])
  expect([11, 10].map(left => stage(left, 20))).toEqual(['ok', 'expiring'])
  expect([899, 900, 999, 1000].map(used => stage(300, 365, used))).toEqual(['ok', 'expiring', 'expiring', 'expired'])
})

describe('the text of the remaining life', () => {
  /** Returns the fewest days that a text can mean. */
  const daysIn = (text: string): number => {
    if (text === 'Expired' || text === 'Less than a day') return 0
    const [, count = '', noun = ''] = /^(\d+) (day|week|month|year)s?$/.exec(text) ?? []
    return Number(count) * { day: 1, week: 7, month: 30.4375, year: 365.25 }[noun]!
  }
  const days = fc.double({ min: -1000, max: 5000, noNaN: true })

  test('never promises more than the remaining days, and at least half of them', () => {
    fc.assert(
      fc.property(days, left => {
        const promised = daysIn(remainingLife(cartridge(left), now))
        expect(promised).toBeLessThanOrEqual(Math.max(0, left) + 1e-6)
        if (left >= 1) expect(promised).toBeGreaterThan(left / 2)
      }),
    )
  })

  test('never grows with time', () => {
    fc.assert(
      fc.property(days, fc.double({ min: 0, max: 800, noNaN: true }), (left, later) => {
        const lasting = cartridge(left)
        expect(daysIn(remainingLife(lasting, now + later * day))).toBeLessThanOrEqual(
          daysIn(remainingLife(lasting, now)),
        )
      }),
    )
  })

  test('changes its unit at two weeks, two months and two years, as in section 4', () => {
    const unitAt = (left: number) => remainingLife(cartridge(left), now).replace(/^\d+ /, '')
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

test('the remaining share is the smaller one of time and litres', () => {
  expect(remainingShare(cartridge(365), now)).toBe(1)
  expect(remainingShare(cartridge(73), now)).toBeCloseTo(0.2, 12)
  expect(remainingShare(cartridge(73, 900), now)).toBeCloseTo(0.1, 12)
  expect(remainingShare(cartridge(73, 1000), now)).toBe(0)
})
