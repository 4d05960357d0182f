import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bucketsOf } from '../../../src/domain/buckets.ts'
import { instantOf, wallTime } from '../../../src/domain/zone.ts'

const hour = 3_600_000
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Pacific/Apia',
  'Pacific/Chatham',
]
const ranges = ['day', 'week', 'month', 'year'] as const
const anyCase = fc.record({
  range: fc.constantFrom(...ranges),
  zone: fc.constantFrom(...zones),
  until: fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2040, 0, 1) }),
})

test('buckets have no gaps and contain the last instant', () => {
  fc.assert(
    fc.property(anyCase, ({ range, zone, until }) => {
      const { edges, seconds } = bucketsOf(range, until, zone)
      for (const [at, edge] of edges.entries()) {
        if (at === 0) continue
        const length = edge - edges[at - 1]!
        expect(length).toBeGreaterThan(0)
        // A clock change makes a bucket at most an hour longer.
        expect(length).toBeLessThanOrEqual(seconds * 1000 + (seconds > 3600 ? hour : 0))
      }
      expect(edges[0]).toBeLessThan(until)
      expect(edges.at(-1)).toBeGreaterThanOrEqual(until)
    }),
    { numRuns: 150 },
  )
})

test('the first bucket starts at the start of a day in the zone', () => {
  fc.assert(
    fc.property(anyCase, ({ range, zone, until }) => {
      const first = bucketsOf(range, until, zone).edges[0]!
      const dayOf = (instant: number) => Math.floor(wallTime(zone, instant) / (24 * hour))
      expect(dayOf(first)).toBeGreaterThan(dayOf(first - 1))
    }),
    { numRuns: 150 },
  )
})

describe.each([
  ['day', 144],
  ['week', 168],
  ['month', 120],
  ['year', 365],
] as const)('a %s without a clock change', (range, count) => {
  test(`has ${count} buckets`, () => {
    expect(bucketsOf(range, Date.UTC(2026, 5, 15, 12), 'UTC').edges).toHaveLength(count + 1)
  })
})

test.each([
  ['2026-03-29T12:00:00Z', 23],
  ['2026-10-25T12:00:00Z', 25],
  ['2026-07-01T12:00:00Z', 24],
])('in Berlin the day of %s has %i hours', (until, hours) => {
  const { edges } = bucketsOf('day', Date.parse(until), 'Europe/Berlin')
  expect(edges.at(-1)! - edges[0]!).toBe(hours * hour)
  expect(edges).toHaveLength(hours * 6 + 1)
})

test('six-hour buckets start at 0, 6, 12 and 18 local time, also around clock changes', () => {
  const { edges } = bucketsOf('month', Date.parse('2026-11-10T12:00:00Z'), 'Europe/Berlin')
  expect(edges).toHaveLength(121)
  for (const edge of edges) expect((wallTime('Europe/Berlin', edge) / hour) % 6).toBe(0)
})

test('midnight belongs to the day that it ends', () => {
  const { edges } = bucketsOf('day', Date.parse('2026-05-02T00:00:00Z'), 'UTC')
  expect(edges[0]).toBe(Date.parse('2026-05-01T00:00:00Z'))
})

test('a day whose midnight is skipped starts at the clock change', () => {
  // Cairo, 26 April 2024: 00:00 became 01:00.
  expect(instantOf('Africa/Cairo', Date.UTC(2024, 3, 26))).toBe(Date.parse('2024-04-25T22:00:00Z'))
})
