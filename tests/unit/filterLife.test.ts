import fc from 'fast-check'
import { expect, test } from 'vitest'
import { remainingLife, remainingShare } from '../../src/domain/filterLife.ts'

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
