import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  addMonths,
  dayAt,
  daysBetween,
  daysOf,
  layoutSpan,
  inCalendar,
  localText,
  newEventAt,
  occurrence,
  splitByDay,
  visibleDays,
  startOfDay,
  adjacentDate,
  todayIn,
  wallOf,
  parseWallTime,
  weekStart,
} from '../../../../src/domain/calendar/days.ts'
import { msPerMinute } from '../../../../src/domain/time.ts'
import { calendarViews } from '../../../../src/domain/calendar/views.ts'
import {
  clock,
  clockAt,
  clockHint,
  clockSpan,
  momentText,
  spanText,
  viewTitle,
} from '../../../../src/domain/calendar/texts.ts'
import { instantOf, wallTime } from '../../../../src/domain/zone.ts'

const berlin = 'Europe/Berlin'
const zones = [
  'UTC',
  berlin,
  'America/New_York',
  'America/Santiago',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Pacific/Chatham',
]
const hour = 60 * msPerMinute
const day = 24 * hour
const anyDay = fc.integer({ min: Date.UTC(2005, 0, 1), max: Date.UTC(2035, 0, 1) }).map(instant => dayAt(instant))
const anyZone = fc.constantFrom(...zones)
const anyEvent = fc
  .record({
    start: fc.integer({ min: Date.UTC(2005, 0, 1), max: Date.UTC(2035, 0, 1) }),
    length: fc.oneof(
      fc.constant(0),
      fc.integer({ min: 0, max: 90 * msPerMinute }),
      fc.integer({ min: 0, max: 9 * day }),
    ),
  })
  .map(({ start, length }) => ({
    start: new Date(start).toISOString(),
    end: new Date(start + length).toISOString(),
  }))

describe('days', () => {
  test('weeks begin on Monday', () => {
    expect(weekStart('2026-03-29')).toBe('2026-03-23')
    expect(weekStart('2026-03-30')).toBe('2026-03-30')
  })

  test('a month later is the same day, or the last of a shorter month', () => {
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
    expect(addMonths('2024-01-31', 1)).toBe('2024-02-29')
    expect(addMonths('2026-01-15', -1)).toBe('2025-12-15')
    expect(addMonths('2026-12-31', 2)).toBe('2027-02-28')
  })

  test('every view contains its date, and a month view has whole weeks', () => {
    fc.assert(
      fc.property(anyDay, fc.constantFrom(...calendarViews), (date, view) => {
        const { first, end } = visibleDays(view, date)
        expect(first <= date && date < end).toBe(true)
        const days = daysBetween(first, addDays(end, -1), first, end)
        if (view === 'month') {
          expect(days.length % 7).toBe(0)
          expect(weekStart(first)).toBe(first)
          expect(days).toContain(`${date.slice(0, 7)}-01`)
        }
        if (view === 'week') expect(days).toHaveLength(7)
        expect(adjacentDate(view, date, 1) > date).toBe(true)
        expect(adjacentDate(view, date, -1) < date).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  test('a day starts at midnight, or right after it if a clock change skips midnight', () => {
    expect(new Date(startOfDay(berlin, '2026-03-29')).toISOString()).toBe('2026-03-28T23:00:00.000Z')
    // Clocks in Santiago go from 24:00 to 01:00.
    expect(clock(wallTime('America/Santiago', startOfDay('America/Santiago', '2026-09-06')))).toBe('01:00')
    fc.assert(
      fc.property(anyDay, anyZone, (date, zone) => {
        const begin = startOfDay(zone, date)
        expect(todayIn(zone, begin)).toBe(date)
        expect(todayIn(zone, begin - 1) < date).toBe(true)
        const length = startOfDay(zone, addDays(date, 1)) - begin
        expect(Math.abs(length - day)).toBeLessThanOrEqual(hour)
      }),
      { numRuns: 200 },
    )
  })
})

describe('early years and the ends of the calendar', () => {
  test('years below 100 are not read as 19xx', () => {
    expect(addMonths('0001-01-31', 1)).toBe('0001-02-28')
    expect(visibleDays('month', '0050-05-05')).toEqual({ first: '0050-04-25', end: '0050-06-06' })
    expect(dayAt(wallTime('UTC', wallOf('0020-01-02')))).toBe('0020-01-02')
    expect(localText('UTC', wallOf('0020-01-02', 90))).toBe('0020-01-02T01:30')
  })

  test('daysBetween is empty for reversed or invalid days, and accepts year 0', () => {
    expect(daysBetween('2026-01-05', '2026-01-01', '2026-01-01', '2026-02-01')).toEqual([])
    expect(daysBetween('0000-01-01', '0000-01-03', '0000-01-02', '0000-02-01')).toEqual(['0000-01-02', '0000-01-03'])
    expect(daysBetween('no day', '2026-01-03', '2026-01-01', '2026-02-01')).toEqual([])
  })

  test('the calendar runs from 1970 to 2199', () => {
    expect(inCalendar('1969-12-31')).toBe(false)
    expect(inCalendar('1970-01-01')).toBe(true)
    expect(inCalendar('2199-12-31')).toBe(true)
    expect(inCalendar('2200-01-01')).toBe(false)
    for (const view of calendarViews) {
      expect(adjacentDate(view, '2199-12-31', 1)).toBe('2199-12-31')
      expect(adjacentDate(view, '1970-01-01', -1)).toBe('1970-01-01')
    }
  })
})

describe('clock changes', () => {
  const spring = wallOf('2026-03-29', 150)
  const autumn = wallOf('2026-10-25', 150)

  test('half past two does not occur in spring and occurs twice in autumn', () => {
    expect(occurrence(berlin, spring)).toBe('never')
    expect(occurrence(berlin, autumn)).toBe('twice')
    expect(occurrence(berlin, wallOf('2026-03-29', 180))).toBe('once')
    expect(occurrence(berlin, wallOf('2026-10-25', 180))).toBe('once')
    expect(occurrence('America/New_York', spring)).toBe('once')
  })

  test('a typed time that is skipped or ambiguous still gives an instant', () => {
    expect(new Date(instantOf(berlin, spring)).toISOString()).toBe('2026-03-29T01:30:00.000Z')
    expect(clockAt(berlin, instantOf(berlin, spring))).toBe('03:30')
    expect(new Date(instantOf(berlin, autumn)).toISOString()).toBe('2026-10-25T00:30:00.000Z')
    expect(clockAt(berlin, instantOf(berlin, autumn))).toBe('02:30 (UTC+2)')
    expect(clockAt(berlin, instantOf(berlin, autumn) + hour)).toBe('02:30 (UTC+1)')
  })

  test('an event across a clock change is laid out by local time', () => {
    const acrossSpring = { start: '2026-03-29T00:30:00Z', end: '2026-03-29T01:30:00Z' }
    expect(layoutSpan(acrossSpring, berlin)).toEqual({ from: wallOf('2026-03-29', 90), to: wallOf('2026-03-29', 210) })
    expect(clockSpan(acrossSpring, berlin)).toBe('01:30 – 03:30')
    // From a quarter to three to a quarter past two, which takes half an hour.
    const acrossAutumn = { start: '2026-10-25T00:45:00Z', end: '2026-10-25T01:15:00Z' }
    expect(layoutSpan(acrossAutumn, berlin)).toEqual({ from: wallOf('2026-10-25', 165), to: wallOf('2026-10-25', 195) })
    expect(clockSpan(acrossAutumn, berlin)).toBe('02:45 (UTC+2) – 02:15 (UTC+1)')
  })
})

describe('events', () => {
  test('midnight belongs to the day that it ends', () => {
    const evening = { start: '2026-03-03T20:00:00Z', end: '2026-03-03T23:00:00Z' }
    expect(daysOf(evening, berlin)).toEqual({ first: '2026-03-03', last: '2026-03-03' })
    expect(spanText(evening, berlin)).toBe('21:00 – 24:00')
    expect(layoutSpan(evening, berlin).to).toBe(wallOf('2026-03-03', 23 * 60 + 59))
    expect(daysOf({ start: evening.end, end: evening.end }, berlin)).toEqual({
      first: '2026-03-04',
      last: '2026-03-04',
    })
  })

  test('an event across midnight is split by day, and a longer one is not', () => {
    const night = layoutSpan({ start: '2026-03-03T21:00:00Z', end: '2026-03-04T01:00:00Z' }, berlin)
    expect(splitByDay(night)).toEqual([
      { from: wallOf('2026-03-03', 22 * 60), to: wallOf('2026-03-03', 23 * 60 + 59) },
      { from: wallOf('2026-03-04'), to: wallOf('2026-03-04', 120) },
    ])
    const fair = layoutSpan({ start: '2026-03-03T08:00:00Z', end: '2026-03-05T16:00:00Z' }, berlin)
    expect(splitByDay(fair)).toEqual([fair])
  })

  test('every event is laid out forwards, in whole minutes, on its own days', () => {
    fc.assert(
      fc.property(anyEvent, anyZone, (event, zone) => {
        const { first, last } = daysOf(event, zone)
        const whole = layoutSpan(event, zone)
        expect(dayAt(whole.from)).toBe(first)
        expect(dayAt(whole.to) <= last || dayAt(whole.to) === first).toBe(true)
        for (const { from, to } of splitByDay(whole)) {
          expect(to).toBeGreaterThanOrEqual(from)
          expect([from % msPerMinute, to % msPerMinute]).toEqual([0, 0])
          expect(dayAt(from) === dayAt(to) || to - from >= day).toBe(true)
        }
      }),
      { numRuns: 400 },
    )
  })

  test('a new event takes an hour, from nine unless a slot was chosen', () => {
    expect(newEventAt(berlin, '2026-03-03')).toEqual({
      start: '2026-03-03T08:00:00.000Z',
      end: '2026-03-03T09:00:00.000Z',
    })
    expect(newEventAt(berlin, '2026-03-03', 23 * 60 + 30).end).toBe('2026-03-03T23:30:00.000Z')
  })

  test('a new event takes an hour also in an hour that is skipped or occurs twice', () => {
    for (const [date, minutes] of [
      ['2027-03-28', 120],
      ['2027-03-28', 150],
      ['2027-03-28', 60],
      ['2026-10-25', 120],
      ['2026-10-25', 150],
    ] as const) {
      const { start, end } = newEventAt(berlin, date, minutes)
      expect(Date.parse(end) - Date.parse(start)).toBe(hour)
    }
    expect(newEventAt(berlin, '2027-03-28', 150).start).toBe('2027-03-28T01:30:00.000Z')
  })
})

describe('times in fields', () => {
  test('the text in a field is parsed as the same local time', () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2005, 0, 1), max: Date.UTC(2035, 0, 1) }), anyZone, (instant, zone) => {
        const text = localText(zone, instant)
        const wall = parseWallTime(text, '2026-01-01')
        expect(wall).toBeDefined()
        expect(localText(zone, instantOf(zone, wall!))).toBe(text)
      }),
      { numRuns: 300 },
    )
  })

  test.each([
    ['2026-03-29 02:30', wallOf('2026-03-29', 150)],
    ['2026-03-29T02:30', wallOf('2026-03-29', 150)],
    ['9:05', wallOf('2026-03-03', 545)],
    ['today 9:05', wallOf('2026-03-03', 545)],
    ['Tomorrow 23.59', wallOf('2026-03-04', 1439)],
    ['24:00', undefined],
    ['9:60', undefined],
    ['2026-02-30 09:00', undefined],
    ['soon', undefined],
    ['', undefined],
  ])('%j is parsed', (text, wall) => expect(parseWallTime(text, '2026-03-03')).toBe(wall))
})

describe('the hint at a time field', () => {
  test.each([
    ['2026-10-25T02:30', '02:30 occurs twice on this day, because clocks are put back. The first is used'],
    ['2026-10-25T00:30:00.000Z', '02:30 occurs twice on this day, because clocks are put back. The first is used'],
    ['2026-10-25T01:30:00.000Z', '02:30 occurs twice on this day, because clocks are put back. The second is used'],
    ['2026-03-29T02:30', '02:30 does not occur on this day, because clocks are put forward. 03:30 is used'],
    ['2026-03-29T01:30:00.000Z', undefined],
    ['2026-03-03T09:00', undefined],
    ['soon', undefined],
    ['', undefined],
    // A year that is still being typed.
    ...['0002', '0020', '0202'].map(year => [`${year}-03-29T02:30`, undefined] as const),
  ] as const)('%j', (text, hint) => expect(clockHint(berlin, text)).toBe(hint))
})

describe('names', () => {
  test('of visible ranges', () => {
    expect(viewTitle('month', '2026-03-03')).toBe('March 2026')
    expect(viewTitle('week', '2026-03-03')).toBe('Mar 2 – 8, 2026')
    expect(viewTitle('week', '2026-12-30')).toBe('Dec 28, 2026 – Jan 3, 2027')
    expect(viewTitle('day', '2026-03-03')).toBe('Tuesday, March 3, 2026')
    expect(viewTitle('agenda', '2026-11-20')).toBe('Nov 20 – Dec 19, 2026')
  })

  test('of times', () => {
    const now = Date.UTC(2026, 5, 1)
    const moment = Date.UTC(2026, 2, 3, 8)
    expect(momentText(berlin, moment, moment, now)).toBe('Tue, Mar 3, 09:00')
    expect(spanText({ start: '2026-03-03T21:00:00Z', end: '2026-03-04T01:00:00Z' }, berlin, now)).toBe(
      'Tue, Mar 3, 22:00 – Wed, Mar 4, 02:00',
    )
    expect(spanText({ start: '2026-03-03T08:00:00Z', end: '2026-03-03T08:00:00Z' }, berlin, now)).toBe('09:00')
  })

  test('of times have a year if it is not the current one in their zone', () => {
    const moment = Date.UTC(2026, 11, 31, 23, 30)
    expect(momentText(berlin, moment, moment, Date.UTC(2026, 5, 1))).toBe('Fri, Jan 1, 2027, 00:30')
    expect(momentText(berlin, moment, moment, Date.UTC(2027, 5, 1))).toBe('Fri, Jan 1, 00:30')
    expect(momentText('UTC', moment, moment, Date.UTC(2026, 5, 1))).toBe('Thu, Dec 31, 23:30')
  })

  test('of events across years have both years', () => {
    const event = { start: '2026-11-01T00:00:00Z', end: '2027-11-01T00:00:00Z' }
    for (const year of [2026, 2027])
      expect(spanText(event, berlin, Date.UTC(year, 5, 1))).toBe('Sun, Nov 1, 2026, 01:00 – Mon, Nov 1, 2027, 01:00')
  })
})
