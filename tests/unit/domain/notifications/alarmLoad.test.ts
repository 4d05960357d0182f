import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { alarmLoad, lastDays, takenPerDay, windowLength } from '../../../../src/domain/notifications/alarmLoad.ts'
import { dayOf, wallTime } from '../../../../src/domain/zone.ts'

const hour = 3_600_000
const day = 24 * hour
const from = Date.UTC(2026, 10, 20)
const days = [0, 1, 2].map(index => from + index * day)
/** Noon of the third day. */
const now = from + 2.5 * day
const windows = (...counts: readonly (readonly [hours: number, alarms: number])[]) =>
  counts.map(([hours, alarms]) => ({ at: from + hours * hour, alarms }))

describe('the alarm load', () => {
  test('is the alarms by the days that have passed, today in part', () => {
    const load = alarmLoad(windows([1, 3], [25, 4], [50, 3]), { days, from, now })
    expect(load).toMatchObject({ alarms: 10, perPersonDay: 4, windows: 360, floodWindows: 0, floodHours: 0 })
    expect(load.days).toEqual(days.map((at, index) => ({ at, alarms: [3, 4, 3][index], flooded: 0 })))
  })

  test('has a flood from ten alarms in ten minutes on, and no sooner', () => {
    const load = alarmLoad(windows([1, 9], [2, 10], [26, 31], [27, 1]), { days, from, now })
    expect(load).toMatchObject({ floodWindows: 2, floodHours: 1 / 3 })
    expect(load.days.map(({ alarms, flooded }) => [alarms, flooded])).toEqual([
      [19, 10],
      [32, 31],
      [0, 0],
    ])
    expect(load.fullest).toEqual({ at: from + 26 * hour, alarms: 31 })
  })

  test('without alarms is none', () => {
    expect(alarmLoad([], { days, from, now })).toMatchObject({ alarms: 0, perPersonDay: 0, fullest: undefined })
  })

  test('of the first moment of a day is finite', () => {
    expect(alarmLoad([{ at: from, alarms: 2 }], { days: [from], from, now: from }).perPersonDay).toBe(2 * takenPerDay)
  })

  test('of several windows that are as full names the newest', () => {
    expect(alarmLoad(windows([1, 5], [3, 5], [4, 2]), { days, from, now }).fullest?.at).toBe(from + 3 * hour)
  })

  test('counts each alarm in one day, whatever the zone and its clock changes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia', 'UTC'),
        fc.integer({ min: Date.UTC(2015, 0, 1), max: Date.UTC(2030, 0, 1) }),
        fc.constantFrom(7, 30),
        fc.array(fc.tuple(fc.nat({ max: 30 * 24 * 60 }), fc.integer({ min: 1, max: 40 })), { maxLength: 30 }),
        (zone, until, count, alarms) => {
          const starts = lastDays(count, until, zone)
          expect(starts).toHaveLength(count)
          expect(starts.map(at => dayOf(wallTime(zone, at)))).toEqual(
            starts.map((_, index) => dayOf(wallTime(zone, until)) - (count - 1 - index) * day),
          )
          const counted = new Map<number, number>()
          for (const [minutes, n] of alarms) {
            const at = until - minutes * 60_000
            if (at < starts[0]!) continue
            const window = Math.floor(at / windowLength) * windowLength
            counted.set(window, (counted.get(window) ?? 0) + n)
          }
          const all = [...counted].map(([at, n]) => ({ at, alarms: n })).sort((a, b) => a.at - b.at)
          const load = alarmLoad(all, { days: starts, from: starts[0]!, now: until })
          const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
          expect(sum(load.days.map(each => each.alarms))).toBe(load.alarms)
          expect(sum(load.days.map(each => each.flooded))).toBe(
            sum(all.filter(each => each.alarms >= 10).map(each => each.alarms)),
          )
        },
      ),
      { numRuns: 60 },
    )
  })
})
