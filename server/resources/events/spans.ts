/** Validates the times of calls on events. */
import { maxEventDays } from '../../../src/api/contract/events.ts'
import { badRequest } from '../../core/errors.ts'
import { parseTime } from '../shared/times.ts'
import { msPerDay } from '../../../src/domain/time.ts'

export interface Span {
  readonly from: Date
  readonly to: Date
}

/** Returns the span of an event. Throws a 400 if the end is before the start. */
export function eventSpan(start: string, end: string): Span {
  const span = { from: parseTime('Start', start), to: parseTime('End', end) }
  if (span.to < span.from) throw badRequest('End must not be before start')
  return span
}

/** Returns the span of a list. Throws a 400 if it is reversed or too long. */
export function listSpan(from: string, to: string): Span {
  const span = { from: parseTime('From', from), to: parseTime('To', to) }
  if (span.to < span.from) throw badRequest('To must not be before from')
  if (span.to.getTime() - span.from.getTime() > maxEventDays * msPerDay)
    throw badRequest(`From and to must be at most ${maxEventDays} days apart`)
  return span
}

/** An event's place in the list. */
export interface EventKey {
  readonly start: Date
  readonly id: string
}

/** Returns the place of an event in a list, given as `start,_id`. Throws a 400 if it is not one. */
export function eventKey(text: string): EventKey {
  const comma = text.indexOf(',')
  if (comma < 0) throw badRequest('After must be the start and the _id of an event, separated by a comma')
  return { start: parseTime('After', text.slice(0, comma)), id: text.slice(comma + 1) }
}
