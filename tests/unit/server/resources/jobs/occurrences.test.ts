import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ruleProblem } from '../../../../../src/domain/jobs/rule.ts'
import { firstStart, nextOccurrence } from '../../../../../server/resources/jobs/occurrences.ts'

const from = '2026-01-07T02:30:00Z'
/** Returns the next times of a rule, as ISO 8601 to the minute. */
function next(rrule: string, after: string, { count = 1, time_zone = 'Europe/Berlin' } = {}): string[] {
  const times: string[] = []
  for (let at = Date.parse(after); times.length < count;) {
    const found = nextOccurrence({ rrule, from, time_zone }, at)
    if (found === undefined) break
    at = found
    times.push(new Date(at).toISOString().slice(0, 16))
  }
  return times
}

test.each([
  [
    'each first Sunday',
    'FREQ=MONTHLY;BYDAY=1SU;BYHOUR=3',
    '2026-03-02T00:00Z',
    ['2026-04-05T01:30', '2026-05-03T01:30'],
  ],
  [
    'the hour and minute of the beginning',
    'FREQ=WEEKLY',
    '2026-01-01T00:00Z',
    ['2026-01-07T02:30', '2026-01-14T02:30'],
  ],
  [
    'the last day of a month',
    'FREQ=MONTHLY;BYMONTHDAY=-1',
    '2026-01-31T03:00Z',
    ['2026-02-28T02:30', '2026-03-31T01:30'],
  ],
  ['not before its beginning', 'FREQ=DAILY', '2025-01-01T00:00Z', ['2026-01-07T02:30', '2026-01-08T02:30']],
  ['the clock of the zone over a change', 'FREQ=DAILY', '2026-03-28T01:00Z', ['2026-03-28T02:30', '2026-03-29T01:30']],
  ['not a time that clocks skip', 'FREQ=DAILY;BYHOUR=2', '2026-03-28T12:00Z', ['2026-03-30T00:30', '2026-03-31T00:30']],
  [
    'once a time that clocks show twice',
    'FREQ=DAILY;BYHOUR=2',
    '2026-10-24T12:00Z',
    ['2026-10-25T00:30', '2026-10-26T01:30'],
  ],
  ['each hour', 'FREQ=HOURLY', '2026-05-04T08:00Z', ['2026-05-04T08:30', '2026-05-04T09:30']],
  [
    'the last times',
    'FREQ=DAILY;UNTIL=20260109T023000Z',
    '2026-01-08T00:00Z',
    ['2026-01-08T02:30', '2026-01-09T02:30'],
  ],
  ['the last of a count', 'FREQ=DAILY;COUNT=3', '2026-01-08T03:00Z', ['2026-01-09T02:30']],
  ['leap days', 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29', '2028-03-01T00:00Z', ['2032-02-29T02:30']],
])('%s', (_, rrule, after, expected) => {
  expect(ruleProblem(rrule)).toBeUndefined()
  const found = next(rrule, after, { count: 2 })
  expect(found.slice(0, expected.length)).toEqual(expected)
  if (/COUNT|UNTIL/.test(rrule)) expect(found).toEqual(expected)
})

test.each([
  ['', 'must be a rule of RFC 5545, such as FREQ=WEEKLY;BYDAY=SU;BYHOUR=3'],
  ['weekly', 'must be a rule of RFC 5545, such as FREQ=WEEKLY;BYDAY=SU;BYHOUR=3'],
  ['INTERVAL=2', 'must be a rule of RFC 5545, such as FREQ=WEEKLY;BYDAY=SU;BYHOUR=3'],
  ['FREQ=SECONDLY', 'must not repeat more often than hourly'],
  ['FREQ=MINUTELY;INTERVAL=120', 'must not repeat more often than hourly'],
  ['FREQ=HOURLY;BYMINUTE=0,30', 'must not repeat more often than hourly'],
  ['FREQ=DAILY;BYHOUR=3;BYSECOND=0,1', 'must not repeat more often than hourly'],
  ['FREQ=SOMETIMES', 'must have a valid FREQ'],
  ['FREQ=DAILY;INTERVAL=0', 'must have a valid INTERVAL'],
  ['FREQ=DAILY;INTERVAL=1001', 'must have a valid INTERVAL'],
  ['FREQ=DAILY;INTERVAL=1,2', 'must have a valid INTERVAL'],
  ['FREQ=DAILY;COUNT=1001', 'must have a valid COUNT'],
  ['FREQ=DAILY;COUNT=1e2', 'must have a valid COUNT'],
  ['FREQ=DAILY;UNTIL=20261231', 'must have UNTIL as UTC, such as 20261231T235959Z'],
  ['FREQ=DAILY;UNTIL=20260230T000000Z', 'must have UNTIL as UTC, such as 20261231T235959Z'],
  ['FREQ=MONTHLY;BYMONTHDAY=32', 'must have a valid BYMONTHDAY'],
  ['FREQ=MONTHLY;BYMONTHDAY=0', 'must have a valid BYMONTHDAY'],
  ['FREQ=WEEKLY;BYDAY=XX', 'must have a valid BYDAY'],
  ['FREQ=WEEKLY;BYDAY=MOTU', 'must have a valid BYDAY'],
  ['FREQ=WEEKLY;BYDAY=', 'must have a valid BYDAY'],
  ['FREQ=WEEKLY;BYHOUR=24', 'must have a valid BYHOUR'],
  ['FREQ=WEEKLY;', 'must not have the part '],
  ['FREQ=WEEKLY;__proto__=1', 'must not have the part __proto__'],
  ['RRULE:FREQ=WEEKLY', 'must be a rule of RFC 5545, such as FREQ=WEEKLY;BYDAY=SU;BYHOUR=3'],
  ['FREQ=WEEKLY\nRDATE:20260101T000000Z', 'must have a valid FREQ'],
  ['FREQ=WEEKLY;FREQ=DAILY', 'must not have a part twice'],
])('refuses %s', (rrule, problem) => {
  expect(ruleProblem(rrule)).toBe(problem)
})

const now = new Date('2026-01-08T00:00:00Z')
const startBy = (rrule: string, changes = {}) =>
  firstStart({ rrule, from, time_zone: 'Europe/Berlin', ...changes }, now)

test.each([
  ['FREQ=WEEKLY;BYDAY=1SU', {}, /is not valid: BYDAY/],
  ['FREQ=DAILY;COUNT=3;UNTIL=20261231T235959Z', {}, /is not valid: COUNT and UNTIL/],
  ['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', {}, 'has no occurrence in the next years'],
  ['FREQ=HOURLY;INTERVAL=24;BYHOUR=5', {}, 'has no occurrence in the next years'],
  ['FREQ=DAILY;COUNT=1', {}, 'has no future occurrence'],
  ['FREQ=DAILY;UNTIL=20260107T235959Z', {}, 'has no future occurrence'],
  ['FREQ=DAILY', { from: '2024-11-01T00:00:00Z' }, 'must be within the last 400 days'],
  ['FREQ=DAILY', { from: '0000-01-01T00:00:00Z' }, 'must be within the last 400 days'],
])('does not start by %s', (rrule, changes, message) => {
  expect(() => startBy(rrule, changes)).toThrow(message)
})

test('starts at the first time from now on', () => {
  expect(startBy('FREQ=DAILY').toISOString()).toBe('2026-01-08T02:30:00.000Z')
  expect(startBy('FREQ=DAILY', { from: '2027-01-01T00:00:00Z' }).toISOString()).toBe('2027-01-01T00:00:00.000Z')
  expect(startBy('FREQ=DAILY', { from: now.toISOString() })).toEqual(now)
  expect(firstStart('2026-05-04T10:00:00+02:00', now).toISOString()).toBe('2026-05-04T08:00:00.000Z')
  expect(firstStart(undefined, now)).toEqual(now)
})

const someOf = (values: readonly (string | number)[]) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 4 }).map(chosen => chosen.join(','))
const parts: Record<string, fc.Arbitrary<string | number>> = {
  INTERVAL: fc.integer({ min: 1, max: 1000 }),
  COUNT: fc.integer({ min: 1, max: 1000 }),
  UNTIL: fc.constantFrom('20270101T000000Z', '99991231T235959Z'),
  BYMONTH: someOf([1, 2, 6, 12]),
  BYMONTHDAY: someOf([1, 29, 31, -1, -31]),
  BYYEARDAY: someOf([1, 366, -366, 60]),
  BYWEEKNO: someOf([1, 53, -53, 20]),
  BYDAY: someOf(['MO', 'SU', '1MO', '-5FR', '53TU']),
  BYHOUR: someOf([0, 2, 23, 12]),
  BYMINUTE: fc.integer({ min: 0, max: 59 }),
  BYSECOND: fc.integer({ min: 0, max: 59 }),
  BYSETPOS: someOf([1, -1, 366, 3]),
  WKST: fc.constantFrom('MO', 'SU'),
}

/** Returns the milliseconds for which this thread has used the processor: unlike the clock, other work does not add to them. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

test('any rule starts or is refused, with little work, and happens at most once an hour', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
      fc.record(parts, { requiredKeys: [] }),
      fc.constantFrom('Europe/Berlin', 'Australia/Lord_Howe', 'UTC', 'America/St_Johns'),
      (freq, given, time_zone) => {
        const rrule = [`FREQ=${freq}`, ...Object.entries(given).map(([name, value]) => `${name}=${value}`)].join(';')
        expect(ruleProblem(rrule)).toBeUndefined()
        const started = processorTime()
        try {
          const first = startBy(rrule, { time_zone }).getTime()
          const second = nextOccurrence({ rrule, from, time_zone }, first)
          // Clocks of Lord Howe change by half an hour.
          if (second !== undefined) expect(second - first).toBeGreaterThanOrEqual(30 * 60_000)
        } catch (error) {
          expect(error).toMatchObject({ status: 400 })
        }
        expect(processorTime() - started, rrule).toBeLessThan(2000)
      },
    ),
    { numRuns: 300 },
  )
})
