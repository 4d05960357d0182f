import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bucketsOfPeriod, newestBuckets } from '../../../src/domain/buckets.ts'
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
  at: fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2040, 0, 1) }),
})

/** Returns the lengths of the buckets, milliseconds. */
const lengthsOf = (edges: readonly number[]) => edges.slice(1).map((edge, at) => edge - edges[at]!)
/** Returns the number of the local day that contains an instant. */
const dayOf = (zone: string, instant: number) => Math.floor(wallTime(zone, instant) / (24 * hour))

test.each([
  ['newest buckets', newestBuckets],
  ['buckets of a period', bucketsOfPeriod],
] as const)('%s have no gaps and contain the instant', (_, bucketsOf) => {
  fc.assert(
    fc.property(anyCase, ({ range, zone, at }) => {
      const { edges, seconds } = bucketsOf(range, at, zone)
      for (const length of lengthsOf(edges)) {
        expect(length).toBeGreaterThan(0)
        // A clock change makes a bucket at most an hour longer.
        expect(length).toBeLessThanOrEqual(seconds * 1000 + (seconds > 3600 ? hour : 0))
      }
      expect(edges[0]).toBeLessThan(at)
      expect(edges.at(-1)).toBeGreaterThanOrEqual(at)
    }),
    { numRuns: 150 },
  )
})

describe('the newest buckets', () => {
  test('have none of the day that Samoa skipped', () => {
    const { edges } = newestBuckets('month', Date.UTC(2011, 11, 31, 4), 'Pacific/Apia')
    expect(lengthsOf(edges).every(length => length === 6 * hour)).toBe(true)
  })

  test('end with the bucket that contains now, and continue the buckets of the calendar', () => {
    fc.assert(
      fc.property(anyCase, ({ range, zone, at }) => {
        const { edges } = newestBuckets(range, at, zone)
        expect(edges.at(-2)).toBeLessThanOrEqual(at)
        expect(edges.at(-1)).toBeGreaterThan(at)
        // The current period, as `until` is exclusive.
        const current = bucketsOfPeriod(range, at + 1, zone).edges
        expect(edges.filter(edge => edge >= current[0]!)).toEqual(current.slice(0, current.indexOf(edges.at(-1)!) + 1))
        // No day is missed between the newest buckets and the period before the current one.
        expect(edges[0]).toBeLessThanOrEqual(current[0]!)
      }),
      { numRuns: 150 },
    )
  })

  test.each([
    ['day', 144],
    ['week', 168],
    ['month', 124],
    ['year', 366],
  ] as const)('of a %s are %i', (range, count) => {
    fc.assert(
      fc.property(anyCase, ({ zone, at }) => {
        // Samoa skipped a day.
        fc.pre(zone !== 'Pacific/Apia')
        const { edges } = newestBuckets(range, at, zone)
        // More only where the current period alone has more.
        if (edges[0] === bucketsOfPeriod(range, at + 1, zone).edges[0]) expect(edges.length).toBeGreaterThan(count)
        else expect(edges).toHaveLength(count + 1)
      }),
      { numRuns: 40 },
    )
  })

  test.each([
    ['day', '2026-10-25T00:00:00+02:00'],
    ['week', '2026-10-19T00:00:00+02:00'],
  ] as const)('of a %s that clocks make longer begin with it', (range, start) => {
    const { edges } = newestBuckets(range, Date.parse('2026-10-25T23:55:00+01:00'), 'Europe/Berlin')
    expect(edges[0]).toBe(Date.parse(start))
    expect(edges.at(-1)).toBe(Date.parse('2026-10-26T00:00:00+01:00'))
  })

  test('just after midnight are those of the day before', () => {
    const { edges } = newestBuckets('day', Date.parse('2026-10-26T00:05:00+01:00'), 'Europe/Berlin')
    expect(edges.at(-1)).toBe(Date.parse('2026-10-26T00:10:00+01:00'))
    // Clocks were put back the day before: 24 hours ago it was 1 o'clock.
    expect(edges[0]).toBe(Date.parse('2026-10-25T01:10:00+02:00'))
  })
})

describe('a period', () => {
  test('consists of whole days of the zone', () => {
    fc.assert(
      fc.property(anyCase, ({ range, zone, at }) => {
        const { edges } = bucketsOfPeriod(range, at, zone)
        for (const edge of [edges[0]!, edges.at(-1)!]) expect(dayOf(zone, edge)).toBeGreaterThan(dayOf(zone, edge - 1))
      }),
      { numRuns: 150 },
    )
  })

  test.each([
    ['day', '2026-06-17', '2026-06-18', 144],
    ['week', '2026-06-15', '2026-06-22', 168],
    ['month', '2026-06-01', '2026-07-01', 120],
    ['year', '2026-01-01', '2027-01-01', 365],
  ] as const)('of a %s is that of the calendar', (range, from, to, count) => {
    const { edges } = bucketsOfPeriod(range, Date.UTC(2026, 5, 17, 12), 'UTC')
    expect([edges[0], edges.at(-1), edges.length]).toEqual([Date.parse(from), Date.parse(to), count + 1])
  })

  test.each([
    ['2026-03-29T12:00:00Z', 23],
    ['2026-10-25T12:00:00Z', 25],
    ['2026-07-01T12:00:00Z', 24],
  ])('in Berlin the day of %s has %i hours', (until, hours) => {
    const { edges } = bucketsOfPeriod('day', Date.parse(until), 'Europe/Berlin')
    expect(edges.at(-1)! - edges[0]!).toBe(hours * hour)
    expect(edges).toHaveLength(hours * 6 + 1)
  })

  test('has six-hour buckets from 0, 6, 12 and 18 local time, also around clock changes', () => {
    const { edges } = bucketsOfPeriod('month', Date.parse('2026-10-10T12:00:00Z'), 'Europe/Berlin')
    expect(edges).toHaveLength(31 * 4 + 1)
    for (const edge of edges) expect((wallTime('Europe/Berlin', edge) / hour) % 6).toBe(0)
  })

  test('includes the midnight that ends it', () => {
    const { edges } = bucketsOfPeriod('day', Date.parse('2026-05-02T00:00:00Z'), 'UTC')
    expect(edges[0]).toBe(Date.parse('2026-05-01T00:00:00Z'))
  })
})

test('a day whose midnight is skipped starts at the clock change', () => {
  // Cairo, 26 April 2024: 00:00 became 01:00.
  expect(instantOf('Africa/Cairo', Date.UTC(2024, 3, 26))).toBe(Date.parse('2024-04-25T22:00:00Z'))
})
