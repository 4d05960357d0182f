import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextOpening, type TimeWindow } from '../../../../src/domain/jobs/window.ts'

const minute = 60_000
const quarter = 15 * minute
const day = 24 * 60 * minute

/** Instants at which clocks change; Nepal's do not. */
const changes = [
  ['Europe/Berlin', '2026-03-29T01:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00Z'],
  ['America/New_York', '2026-03-08T07:00Z'],
  ['America/New_York', '2026-11-01T06:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30Z'],
  ['Asia/Kathmandu', '2026-03-29T01:00Z'],
  ['America/St_Johns', '2026-03-08T05:30Z'],
  ['America/St_Johns', '2026-11-01T04:30Z'],
] as const

const everyDay = [1, 2, 3, 4, 5, 6, 7]
const dayLists = fc.uniqueArray(fc.constantFrom(...everyDay), { minLength: 1, maxLength: 7 })
/** Windows of a policy whose times are multiples of `step` minutes. */
const windows = (step: number) => {
  const times = fc.integer({ min: 0, max: 1440 / step - 1 }).map(index => {
    const minutes = index * step
    return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
  })
  return fc.record({ days: dayLists, from: times, to: times }).filter(({ from, to }) => from !== to)
}
/** A zone, and an instant around a change of its clocks, a multiple of `step` milliseconds. */
const moments = (step: number) =>
  fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: (-9 * day) / step, max: (3 * day) / step }))
    .map(([[zone, change], steps]) => ({ zone, at: Date.parse(change) + steps * step }))

const formats = new Map<string, Intl.DateTimeFormat>()
const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
/** Returns what calendar and clock show: the weekday, 1–7, and `HH:MM`. */
function shown(zone: string, instant: number): { weekday: number; clock: string } {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, weekday: 'short', hour: '2-digit', minute: '2-digit' })
  formats.set(zone, format)
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]))
  return { weekday: names.indexOf(parts.weekday!) + 1, clock: `${parts.hour}:${parts.minute}` }
}
/** Returns whether calendar and clock show a time in the window. */
function isInside({ days, from, to }: TimeWindow, zone: string, instant: number): boolean {
  const { weekday, clock } = shown(zone, instant)
  const yesterday = weekday === 1 ? 7 : weekday - 1
  if (from < to) return days.includes(weekday) && from <= clock && clock < to
  return (days.includes(weekday) && from <= clock) || (days.includes(yesterday) && clock < to)
}

test('law: the opening is not in the past, is inside the window, and is its own next opening', () => {
  fc.assert(
    fc.property(windows(1), moments(1), (window, { zone, at }) => {
      const opening = nextOpening(window, zone, at)
      expect(opening).toBeGreaterThanOrEqual(at)
      expect(opening - at).toBeLessThan(15 * day)
      expect(isInside(window, zone, opening)).toBe(true)
      expect(nextOpening(window, zone, opening)).toBe(opening)
    }),
    { numRuns: 1000 },
  )
})

test('law: an instant inside the window is its own opening, and one outside is not', () => {
  fc.assert(
    fc.property(windows(1), moments(1), (window, { zone, at }) => {
      expect(nextOpening(window, zone, at) === at).toBe(isInside(window, zone, at))
    }),
    { numRuns: 1000 },
  )
})

test('law: the opening is the first of all quarters of an hour that are inside', () => {
  fc.assert(
    fc.property(windows(15), moments(quarter), (window, { zone, at }) => {
      let first = at
      while (!isInside(window, zone, first)) first += quarter
      expect(nextOpening(window, zone, at)).toBe(first)
    }),
    { numRuns: 300 },
  )
})

test('law: waiting longer never leads to an earlier opening', () => {
  fc.assert(
    fc.property(windows(1), moments(1), fc.integer({ min: 0, max: 3 * day }), (window, { zone, at }, later) => {
      expect(nextOpening(window, zone, at + later)).toBeGreaterThanOrEqual(nextOpening(window, zone, at))
    }),
    { numRuns: 500 },
  )
})

/** `span`: the days, 1–7, and the times: `67 22:00 04:00`. The instants are local times with their offset. */
type Example = readonly [name: string, zone: string, span: string, at: string, opening: string]
const check = (...[, zone, span, at, opening]: Example) => {
  const [days = '', from = '', to = ''] = span.split(' ')
  const result = nextOpening({ days: Array.from(days, Number), from, to }, zone, Date.parse(at))
  expect(new Date(result).toISOString()).toBe(new Date(opening).toISOString())
}
const [berlin, newYork, lordHowe] = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe']
const [nepal, newfoundland, samoa] = ['Asia/Kathmandu', 'America/St_Johns', 'Pacific/Apia']

describe('on ordinary days', () => {
  test.each<Example>([
    ['before it opens', nepal, '12 09:00 17:00', '2026-05-04T08:59:59.9+05:45', '2026-05-04T09:00+05:45'],
    ['when it opens', nepal, '12 09:00 17:00', '2026-05-04T09:00+05:45', '2026-05-04T09:00+05:45'],
    ['while it is open', nepal, '1 09:00 17:00', '2026-05-04T16:59:59.9+05:45', '2026-05-04T16:59:59.9+05:45'],
    ['when it closes', nepal, '12 09:00 17:00', '2026-05-04T17:00+05:45', '2026-05-05T09:00+05:45'],
    ['closed for a week', nepal, '1 09:00 17:00', '2026-05-04T17:00+05:45', '2026-05-11T09:00+05:45'],
    ['the night from Sunday', berlin, '7 22:00 04:00', '2026-05-04T03:59+02:00', '2026-05-04T03:59+02:00'],
    ['the night before Monday', berlin, '1 22:00 04:00', '2026-05-04T03:59+02:00', '2026-05-04T22:00+02:00'],
    ['the night after Sunday’s', berlin, '7 22:00 04:00', '2026-05-04T23:00+02:00', '2026-05-10T22:00+02:00'],
    ['until midnight', berlin, '1 22:00 00:00', '2026-05-05T00:00+02:00', '2026-05-11T22:00+02:00'],
  ])('%s', check)
})

describe('in spring', () => {
  test.each<Example>([
    ['opens after the gap', berlin, '7 02:30 05:00', '2026-03-29T00:00+01:00', '2026-03-29T03:00+02:00'],
    ['all of it is skipped', berlin, '17 02:15 02:45', '2026-03-29T00:00+01:00', '2026-03-30T02:15+02:00'],
    ['it is the skipped hour', newYork, '7 02:00 03:00', '2026-03-08T00:00-05:00', '2026-03-15T02:00-04:00'],
    ['it closes in the gap', berlin, '6 22:00 02:30', '2026-03-29T03:00+02:00', '2026-04-04T22:00+02:00'],
    ['it crosses the gap', newYork, '6 22:00 04:00', '2026-03-08T03:30-04:00', '2026-03-08T03:30-04:00'],
    ['it opens after the gap', newYork, '7 06:00 08:00', '2026-03-08T01:00-05:00', '2026-03-08T06:00-04:00'],
    ['a gap of half an hour', lordHowe, '7 02:10 03:00', '2026-10-04T00:00+10:30', '2026-10-04T02:30+11:00'],
    ['all in this gap', lordHowe, '17 02:10 02:20', '2026-10-04T00:00+10:30', '2026-10-05T02:10+11:00'],
    ['half-hour offset', newfoundland, '7 02:00 03:30', '2026-03-08T00:00-03:30', '2026-03-08T03:00-02:30'],
    ['a day that Samoa skipped', samoa, '5 22:00 02:00', '2011-12-29T12:00-10:00', '2011-12-31T00:00+14:00'],
  ])('%s', check)
})

describe('in autumn', () => {
  test.each<Example>([
    ['opens the first time', berlin, '7 02:30 05:00', '2026-10-25T00:00+02:00', '2026-10-25T02:30+02:00'],
    ['open the second time', berlin, '7 02:30 05:00', '2026-10-25T02:45+01:00', '2026-10-25T02:45+01:00'],
    ['opens a second time', berlin, '7 02:15 02:45', '2026-10-25T02:45+02:00', '2026-10-25T02:15+01:00'],
    ['interrupted by the change', newYork, '7 01:30 05:00', '2026-11-01T01:00-05:00', '2026-11-01T01:30-05:00'],
    ['reopened by the change', newYork, '7 00:30 01:30', '2026-11-01T01:30-04:00', '2026-11-01T01:00-05:00'],
    ['closed the second time', newYork, '7 00:30 01:30', '2026-11-01T01:30-05:00', '2026-11-08T00:30-05:00'],
    ['opens after the change', berlin, '7 06:00 08:00', '2026-10-25T02:00+02:00', '2026-10-25T06:00+01:00'],
    ['half an hour twice', lordHowe, '7 01:35 01:50', '2026-04-05T01:50+11:00', '2026-04-05T01:35+10:30'],
    ['half-hour offset', newfoundland, '7 01:10 01:20', '2026-11-01T01:20-02:30', '2026-11-01T01:10-03:30'],
  ])('%s', check)
})

test('a window without days, or in no zone, is an error rather than a wait without end', () => {
  expect(() => nextOpening({ days: [], from: '09:00', to: '17:00' }, berlin, 0)).toThrow(RangeError)
  expect(() => nextOpening({ days: [1], from: '09:00', to: '17:00' }, 'Europe/Atlantis', 0)).toThrow(RangeError)
})
