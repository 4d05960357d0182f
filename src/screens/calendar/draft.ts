import { localText, wallTyped } from '../../domain/calendarDays.ts'
import { ownZone } from '../../domain/ownZone.ts'
import type { Draft } from '../../store/calendar.ts'

/** The wall time in a field: as it was typed, or an ISO time as it is offered. Undefined where it is none. */
function wallIn(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  return wallTyped(value.endsWith('Z') ? localText(ownZone(), Date.parse(value)) : value, '')
}

/** What was typed, with an end that has kept its distance where the start was moved. */
export function withStartMoved(offered: Draft, before: Draft, next: Draft): Draft {
  if (next.start === before.start || next.end !== before.end || !('start' in next)) return next
  const [from, to] = [wallIn(before.start ?? offered.start), wallIn(before.end ?? offered.end)]
  const moved = wallIn(next.start)
  if (from === undefined || to === undefined || moved === undefined || to < from) return next
  return { ...next, end: new Date(moved + to - from).toISOString().slice(0, 16) }
}
