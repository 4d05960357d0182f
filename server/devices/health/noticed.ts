/** What has changed noticeably since it was stored: only that is written. */
import type { Assessment, Finding, Forecast } from '../../../src/domain/health/types/assessment.ts'
import { msPerDay } from '../../../src/domain/time.ts'
import type { DueDevice, StoredForecast } from './slice.ts'

/** A device after its days: its assessment without the findings that a person has set aside. */
interface Shown {
  readonly shown: Assessment | undefined
}

interface Ended extends Shown {
  readonly bssid: string
  readonly change: number | null
}

/** What lists show of a device. `due`: milliseconds UTC. */
export interface ShownRow {
  readonly bssid: string
  readonly score: number | null
  readonly state: Assessment['state']
  readonly cause: Finding['cause'] | null
  readonly change: number | null
  readonly due: number | null
}

/** Returns the finding that lists show. */
export const firstFinding = ({ shown }: Shown) => shown?.findings[0]
/** Returns the forecast that is due first. */
export const nextForecast = ({ shown }: Shown) =>
  shown?.forecasts.reduce<Forecast | undefined>((one, other) => (one && one.due <= other.due ? one : other), undefined)

/**
 * What lists show is written only if it changed noticeably: a score by 2, a time by a day and 2 % of the time left. Scores
 * and forecasts waver a little each day, and a row of `devices` has many indexes.
 */
const minScoreChange = 2
const moved = (stored: number, found: number, now: number): boolean =>
  Math.abs(found - stored) > Math.max(msPerDay, 0.02 * (found - now))
const differs = (one: number | null, other: number | null): boolean =>
  one === null || other === null ? one !== other : Math.abs(one - other) >= minScoreChange

/** Returns what lists show of a device, if that has changed. */
export function noticedRow(ended: Ended, stored: DueDevice, now: number): ShownRow | undefined {
  const due = nextForecast(ended)?.due ?? null
  // Without a forecast, its date is that of its cartridges.
  const next = due ?? stored.next_replacement
  const row: ShownRow = {
    bssid: ended.bssid,
    score: ended.shown?.score ?? null,
    state: ended.shown?.state ?? 'learning',
    cause: firstFinding(ended)?.cause ?? null,
    change: ended.change,
    due,
  }
  const isNoticed =
    row.state !== stored.health_state ||
    row.cause !== stored.health_cause ||
    differs(row.score, stored.health_score) ||
    differs(row.change, stored.health_change) ||
    (next === null || stored.next_due === null ? next !== stored.next_due : moved(stored.next_due, next, now))
  return isNoticed ? row : undefined
}

/** Returns whether a forecast has moved from what is stored of it. */
export function hasMoved(found: Forecast, all: readonly StoredForecast[], now: number): boolean {
  const stored = all.find(({ position }) => position === found.position)
  return (
    stored === undefined ||
    stored.basis !== found.basis ||
    stored.like_ends !== found.like_ends ||
    stored.typical !== found.typical ||
    moved(stored.due, found.due, now) ||
    moved(stored.early, found.early, now) ||
    moved(stored.late, found.late, now)
  )
}
