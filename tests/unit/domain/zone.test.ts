import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { isoIn, isoWithOffset, wallTime } from '../../../src/domain/zone.ts'

afterEach(() => vi.restoreAllMocks())

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/St_Johns',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Africa/Casablanca',
]
const times = fc.integer({ min: Date.UTC(2009, 0, 1), max: Date.UTC(2036, 0, 1) })

test('law: isoIn has the local time of the zone, and parses to the same second', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), times, (zone, instant) => {
      const second = Math.floor(instant / 1000) * 1000
      const text = isoIn(zone, instant)
      expect(Date.parse(text)).toBe(second)
      expect(text).toBe(isoWithOffset(wallTime(zone, second), wallTime(zone, second) - second))
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['Europe/Berlin', '2026-10-25T00:59:59Z', '2026-10-25T02:59:59+02:00'],
  ['Europe/Berlin', '2026-10-25T01:00:00Z', '2026-10-25T02:00:00+01:00'],
  ['Europe/Berlin', '2026-03-29T01:00:00.999Z', '2026-03-29T03:00:00+02:00'],
  ['America/St_Johns', '2026-11-20T16:00:00Z', '2026-11-20T12:30:00-03:30'],
])('%s: %s is %s', (zone, instant, text) => {
  expect(isoIn(zone, Date.parse(instant))).toBe(text)
})

test('a zone that is spelled in thousands of ways does not leave a format for each', () => {
  const create = vi.spyOn(Intl, 'DateTimeFormat')
  const spellings = Array.from({ length: 1 << 10 }, (_, upper) =>
    Array.from('antarctica/davis', (letter, at) => ((upper >> at) & 1 ? letter.toUpperCase() : letter)).join(''),
  )
  const noon = Date.UTC(2026, 5, 1, 12)
  for (const zone of [...spellings, spellings.at(-1)!]) expect(wallTime(zone, noon)).toBe(noon + 7 * 3_600_000)
  expect(create).toHaveBeenCalledTimes(spellings.length)
  // The first one is made again: it was not kept.
  wallTime(spellings[0]!, noon)
  expect(create).toHaveBeenCalledTimes(spellings.length + 1)
})
