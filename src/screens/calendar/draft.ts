import { parseWallTime } from '../../domain/calendar/days.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { instantOf } from '../../domain/zone.ts'
import type { Draft } from '../../store/calendar.ts'

/** The instant that a field means: a wall time as it was typed, or an ISO time as it is offered. Undefined where it is none. */
function instantIn(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  if (value.endsWith('Z')) return Date.parse(value)
  const wall = parseWallTime(value, '')
  return wall === undefined ? undefined : instantOf(systemTimeZone(), wall)
}

/**
 * What was typed, with an end that has kept its distance where the start was moved: so much time later, which by the
 * clock is more or less where that is changed in between.
 */
export function withStartMoved(offered: Draft, before: Draft, next: Draft): Draft {
  if (next.start === before.start || next.end !== before.end || !('start' in next)) return next
  const [from, to] = [instantIn(before.start ?? offered.start), instantIn(before.end ?? offered.end)]
  const moved = instantIn(next.start)
  if (from === undefined || to === undefined || moved === undefined || to < from) return next
  return { ...next, end: new Date(moved + to - from).toISOString() }
}
