/** A job's progress for screen readers, throttled so that it can be listened to. */
import { formatNumber } from '../../domain/format.ts'

export interface Spoken {
  readonly text: string
  readonly quarter: number
  /** Epoch milliseconds. */
  readonly at: number
}

/** Minimum and maximum milliseconds between two announcements. */
const soonest = 2000
const latest = 10_000

/** Returns the current announcement: the start, each quarter, and every 10 seconds while a quarter takes longer. */
export function spokenAt(before: Spoken | undefined, title: string, ended: number, total: number, now: number): Spoken {
  if (!before) return { text: `${title}: ${formatNumber(total)}`, quarter: 0, at: now }
  const quarter = total > 0 ? Math.floor((ended / total) * 4) : 0
  const waited = now - before.at
  if (waited < soonest || (quarter <= before.quarter && waited < latest)) return before
  return { text: `${title}: ${formatNumber(ended)} of ${formatNumber(total)}`, quarter, at: now }
}
