/** Stepping through calendar periods. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bucketsOfPeriod, newestBuckets } from '../../../../src/domain/buckets.ts'
import { periodLabel } from '../../../../src/domain/charts/axis.ts'
import { earlierPeriod, laterPeriod, sameDateEnd } from '../../../../src/domain/charts/days.ts'
import { wallTime } from '../../../../src/domain/zone.ts'

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Africa/Cairo', 'Pacific/Apia', 'Pacific/Kiritimati']
const anyStart = fc.record({
  range: fc.constantFrom('day', 'week', 'month', 'year'),
  zone: fc.constantFrom(...zones),
  deviceZones: fc.subarray(zones),
  // Around the days when clocks change; each step below passes some of them.
  now: fc.oneof(
    fc.integer({ min: Date.UTC(2005, 0, 1), max: Date.UTC(2035, 0, 1) }),
    fc
      .constantFrom('2026-03-29T01:00Z', '2026-10-25T01:00Z', '2026-11-01T06:00Z', '2011-12-31T10:00Z')
      .chain(at => fc.integer({ min: -36, max: 36 }).map(hours => Date.parse(at) + hours * 3_600_000)),
  ),
  steps: fc.integer({ min: 1, max: 12 }),
})

describe('steps', () => {
  test('back and forth return to the newest range', () => {
    fc.assert(
      fc.property(anyStart, ({ range, steps, ...present }) => {
        const visited: (string | undefined)[] = [undefined]
        for (let step = 0; step < steps; step++) visited.push(earlierPeriod({ range, until: visited.at(-1) }, present))
        for (const [at, until] of visited.entries())
          if (at > 0) expect(laterPeriod({ range, until }, present)).toBe(visited[at - 1])
        expect(laterPeriod({ range, until: undefined }, present)).toBeUndefined()
      }),
      { numRuns: 150 },
    )
  })

  test('back are periods without gaps or overlaps, and the newest range covers the rest', () => {
    fc.assert(
      fc.property(anyStart, ({ range, steps, ...present }) => {
        let until: string | undefined
        let start: number | undefined
        for (let step = 0; step < steps; step++) {
          until = earlierPeriod({ range, until }, present)
          const { edges } = bucketsOfPeriod(range, Date.parse(until), present.zone)
          if (start !== undefined) expect(edges.at(-1)).toBe(start)
          else if (present.deviceZones.length === 0)
            expect(edges.at(-1)).toBeGreaterThanOrEqual(newestBuckets(range, present.now, present.zone).edges[0]!)
          start = edges[0]!
        }
      }),
      { numRuns: 150 },
    )
  })
})

test('the same dates are shown in another zone', () => {
  fc.assert(
    fc.property(anyStart, fc.constantFrom(...zones), ({ range, zone, now }, otherZone) => {
      const end = sameDateEnd(now, zone, otherZone)
      // Samoa skipped a date.
      fc.pre(![zone, otherZone].includes('Pacific/Apia'))
      const [here, there] = [
        bucketsOfPeriod(range, now, zone).edges.map(edge => wallTime(zone, edge)),
        bucketsOfPeriod(range, end, otherZone).edges.map(edge => wallTime(otherZone, edge)),
      ]
      const dayOf = (wall: number | undefined) => Math.round((wall ?? 0) / 86_400_000)
      expect([dayOf(there[0]), dayOf(there.at(-1))]).toEqual([dayOf(here[0]), dayOf(here.at(-1))])
    }),
    { numRuns: 150 },
  )
})

test('periods are named by their date', () => {
  const nameOf = (range: 'day' | 'week' | 'month' | 'year', until?: string) => periodLabel({ range, until }, 'UTC')
  expect((['day', 'week', 'month', 'year'] as const).map(range => nameOf(range))).toEqual([
    'Last 24 hours',
    'Last 7 days',
    'Last 31 days',
    'Last 12 months',
  ])
  const until = '2026-03-06T00:00:00Z'
  expect((['day', 'week', 'month', 'year'] as const).map(range => nameOf(range, until))).toEqual([
    'Thu, Mar 5, 2026',
    'Mar 2 – 8, 2026',
    'March 2026',
    '2026',
  ])
})
