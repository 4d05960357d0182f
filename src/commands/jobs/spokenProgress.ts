/** What of a job’s progress is said to who hears it: seldom enough to be listened to. */

export interface Spoken {
  readonly text: string
  readonly quarter: number
  /** Epoch milliseconds. */
  readonly at: number
}

/** Milliseconds: never sooner after another, and never later. */
const soonest = 2000
const latest = 10_000

/** What is said now: at first that it began, then at each quarter, and at times where a quarter takes long. */
export function spokenAt(before: Spoken | undefined, title: string, ended: number, total: number, now: number): Spoken {
  if (!before) return { text: `${title}: ${total.toLocaleString('en')}`, quarter: 0, at: now }
  const quarter = total > 0 ? Math.floor((ended / total) * 4) : 0
  const waited = now - before.at
  if (waited < soonest || (quarter <= before.quarter && waited < latest)) return before
  return { text: `${title}: ${ended.toLocaleString('en')} of ${total.toLocaleString('en')}`, quarter, at: now }
}
