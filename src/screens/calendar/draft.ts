import { parseWallTime } from '../../domain/calendar/days.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { instantOf } from '../../domain/zone.ts'
import type { Draft } from '../../store/calendar.ts'

/** Returns the instant of a field's value: a typed wall time, or a suggested ISO time; undefined if it is invalid. */
function parseInstant(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  if (value.endsWith('Z')) return Date.parse(value)
  const wall = parseWallTime(value, '')
  return wall === undefined ? undefined : instantOf(systemTimeZone(), wall)
}

/**
 * Returns the draft with its end moved along when the start has changed, keeping the elapsed duration. Its length on the
 * clock differs if clocks change in between.
 */
export function keepDuration(offered: Draft, before: Draft, next: Draft): Draft {
  if (next.start === before.start || next.end !== before.end || !('start' in next)) return next
  const [from, to] = [parseInstant(before.start ?? offered.start), parseInstant(before.end ?? offered.end)]
  const moved = parseInstant(next.start)
  if (from === undefined || to === undefined || moved === undefined || to < from) return next
  return { ...next, end: new Date(moved + to - from).toISOString() }
}
