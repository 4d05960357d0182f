import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayName, dayStarts } from '../../../../src/domain/notifications/days.ts'
import { dayOf, wallTime } from '../../../../src/domain/zone.ts'

const hour = 3_600_000

describe('days of notifications', () => {
  test.each(['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia', 'America/Sao_Paulo', 'UTC'])(
    'are local days in %s, also across clock changes',
    zone =>
      fc.assert(
        fc.property(
          fc.array(fc.integer({ min: Date.UTC(2011, 11, 1), max: Date.UTC(2030, 0, 1) }), { maxLength: 20 }),
          fc.array(fc.integer({ min: 0, max: 48 }), { maxLength: 20 }),
          (instants, later) => {
            // Some instants are close together, around the same midnight or clock change.
            const all = instants.flatMap((instant, at) => [instant, instant + (later[at] ?? 1) * hour])
            const times = all.sort((a, b) => b - a).map(instant => new Date(instant).toISOString())
            expect(dayStarts(times, zone)).toEqual(times.map(time => dayOf(wallTime(zone, Date.parse(time)))))
          },
        ),
      ),
  )

  test('are named Today, Yesterday or by their date', () => {
    const zone = 'Europe/Berlin'
    const now = Date.parse('2026-11-20T22:30:00Z')
    const nameOf = (time: string) => dayName(dayStarts([time], zone)[0]!, now, zone)
    expect(nameOf('2026-11-20T22:00:00.000Z')).toBe('Today')
    expect(nameOf('2026-11-19T23:00:00.000Z')).toBe('Today')
    expect(nameOf('2026-11-19T22:59:59.999Z')).toBe('Yesterday')
    expect(nameOf('2026-11-18T22:59:00.000Z')).toBe('Wednesday, November 18, 2026')
    // An hour later it is another day in Berlin.
    expect(dayName(dayStarts(['2026-11-20T22:00:00.000Z'], zone)[0]!, now + hour, zone)).toBe('Yesterday')
  })

  test('of the same instants differ from zone to zone', () => {
    const times = ['2026-11-20T04:30:00.000Z', '2026-11-20T00:30:00.000Z']
    const now = Date.parse('2026-11-20T16:00:00Z')
    const names = (zone: string) => dayStarts(times, zone).map(began => dayName(began, now, zone))
    expect(names('Europe/Berlin')).toEqual(['Today', 'Today'])
    expect(names('America/New_York')).toEqual(['Yesterday', 'Yesterday'])
    expect(names('America/Halifax')).toEqual(['Today', 'Yesterday'])
  })

  test.each([
    ['put back', '2026-10-25T12:00:00Z', '2026-10-24T22:00:00.000Z', '2026-10-24T21:59:00.000Z'],
    ['put forward', '2026-03-29T12:00:00Z', '2026-03-28T23:00:00.000Z', '2026-03-28T22:59:00.000Z'],
  ])('are right on the day when clocks are %s', (_, now, first, before) => {
    const nameOf = (time: string, at = now) =>
      dayName(dayStarts([time], 'Europe/Berlin')[0]!, Date.parse(at), 'Europe/Berlin')
    expect(nameOf(first)).toBe('Today')
    expect(nameOf(before)).toBe('Yesterday')
    const nextDay = new Date(Date.parse(now) + 24 * hour).toISOString()
    expect(nameOf(first, nextDay)).toBe('Yesterday')
  })
})
