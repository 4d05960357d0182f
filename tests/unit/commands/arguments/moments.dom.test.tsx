/** Moments and durations as people type them. */
import { expect, test } from 'vitest'
import { parseDuration, parseMoment } from '../../../../src/commands/arguments/moments.ts'
import { parsePolicy } from '../../../../src/commands/arguments/policy.ts'
import { todayIn } from '../../../../src/domain/calendar/days.ts'
import { systemTimeZone } from '../../../../src/domain/systemTimeZone.ts'

/** A Wednesday, 12:00 in the zone of the tests. */
const now = new Date(2026, 10, 25, 12).getTime()

const at = (text: string) => {
  const moment = parseMoment(text, now)
  if (moment === undefined) return undefined
  const date = new Date(moment)
  const clock = `${date.getHours()}`.padStart(2, '0') + ':' + `${date.getMinutes()}`.padStart(2, '0')
  return `${todayIn(systemTimeZone(), date.getTime())} ${clock}`
}

test.each([
  ['13:00', '2026-11-25 13:00'],
  ['11:00', '2026-11-26 11:00'],
  ['tomorrow', '2026-11-26 09:00'],
  ['Tomorrow 8:30', '2026-11-26 08:30'],
  ['tomorrow at 8:30', '2026-11-26 08:30'],
  ['today 18:00', '2026-11-25 18:00'],
  ['friday', '2026-11-27 09:00'],
  ['mon 03:00', '2026-11-30 03:00'],
  ['wed 13:00', '2026-11-25 13:00'],
  ['wednesday 11:00', '2026-12-02 11:00'],
  ['2h', '2026-11-25 14:00'],
  ['90 minutes', '2026-11-25 13:30'],
  ['3 days', '2026-11-28 12:00'],
  ['2026-12-01 03:00', '2026-12-01 03:00'],
])('%s is %s', (text, expected) => expect(at(text)).toBe(expected))

test.each(['', 'kitchen', '25:00', 'monkey', 'tomorrow noon', 'friday 24:10', '2 weeks', 'two hours'])(
  '%j is none',
  text => expect(at(text)).toBeUndefined(),
)

test('durations have a unit', () => {
  expect(['30min', '2h', '7d', '1 hour', '30 minutes', '2 days'].map(parseDuration)).toEqual([
    30, 120, 10_080, 60, 30, 2880,
  ])
  expect(['2', 'h', '2 x', '1.5h'].map(parseDuration)).toEqual([undefined, undefined, undefined, undefined])
})

test('a policy may have its start without that word', () => {
  const same = (spoken: string, words: string) =>
    expect(parsePolicy(spoken, now), spoken).toEqual(parsePolicy(words, now))
  same('at 22:00', 'start 22:00')
  same('in 2 hours rate 10', 'start 2h rate 10')
  same('rate 10 at 22:00', 'rate 10 start 22:00')
  same('tomorrow', 'start tomorrow')
  same('tomorrow 8:00 waves 1%', 'start tomorrow 8:00 waves 1%')
  same('on monday at 8:00', 'start monday 8:00')
  same('repeat weekly mon,thu at 03:00', 'repeat weekly mon,thu start 03:00')
  for (const wrong of ['at home', 'in the kitchen', 'at 2h', 'in 22:00', 'monkey'])
    expect(parsePolicy(wrong, now), wrong).toHaveProperty('problem')
})

test('the end of new matches is the end of a day, however the day is typed', () => {
  const end = (text: string) => {
    const parsed = parsePolicy(`until ${text}`, now)
    return 'policy' in parsed ? parsed.policy.until : undefined
  }
  expect(end('2 days')).toBe(end('2d'))
  expect(end('friday')).toBe(end('2d'))
  expect(end('tomorrow')).toBe(end('2026-11-26'))
})
