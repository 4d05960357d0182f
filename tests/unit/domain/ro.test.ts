import fc from 'fast-check'
import { expect, test } from 'vitest'
import { recovery, rejection } from '../../../src/domain/ro.ts'

const amount = fc.double({ min: 0.001, max: 1e6, noNaN: true })

test('recovery is permeate over feed in percent', () => {
  expect(recovery(25, 100)).toBe(25)
  expect(recovery(1, 0)).toBeNull()
  fc.assert(
    fc.property(amount, fc.double({ min: 0, max: 1, noNaN: true }), (feed, share) => {
      expect(recovery(feed * share, feed)).toBeCloseTo(share * 100, 6)
    }),
  )
})

test('rejection is the share of salt held back, and negative for a faulty sensor', () => {
  expect(rejection(500, 25)).toBe(95)
  expect(rejection(0, 25)).toBeNull()
  expect(rejection(100, 150)).toBe(-50)
  fc.assert(
    fc.property(amount, feed => {
      expect(rejection(feed, feed)).toBe(0)
    }),
  )
})
