/**
 * Folds notifications of one type into one line each: incidents, which the server has found, and long runs of others.
 */

import { dayStarts } from './days.ts'

/** The part of a notification that a run depends on. */
interface Notified {
  readonly _id: string
  readonly type: string
  readonly created_at: string
  readonly device: { readonly bssid: string }
  /** The incident that the row stands for. */
  readonly incident?: { readonly devices: number; readonly last_at: string } | undefined
}

/** The notifications of an incident, or of one type that follow each other on one day. */
export interface NotificationRun {
  readonly isIncident: boolean
  /** The number of notifications, with the first; of an incident that of its devices. */
  readonly count: number
  readonly devices: number
  /** The times of the oldest and the newest notification. */
  readonly from: string
  readonly to: string
  readonly isFolded: boolean
}

/** A notification that is shown. */
export interface NotificationEntry<Row> {
  readonly notification: Row
  /** Its index among all notifications. */
  readonly index: number
  /** The run that starts with it. */
  readonly run: NotificationRun | undefined
  /** Its place among the notifications of an unfolded incident, from 0. */
  readonly place?: number
}

/** The notifications of unfolded incidents, newest first, by the id of the incident's row. */
export type IncidentMembers<Row> = Readonly<Record<string, readonly Row[] | undefined>>

/** A shorter run is not folded: its rows are as quickly read as a count. */
const minRun = 4

/**
 * Returns the notifications that are shown: of a folded run only the first, and the focused one, because keys act on it.
 * `days` has the day of each notification; a run whose first or another notification is in `unfolded` is not folded. The
 * members of an unfolded incident follow its row.
 */
export function foldRuns<Row extends Notified>(
  rows: readonly Row[],
  days: readonly number[],
  unfolded: ReadonlySet<string>,
  focused: string | undefined,
  members: IncidentMembers<Row> = {},
): readonly NotificationEntry<Row>[] {
  const entries: NotificationEntry<Row>[] = []
  for (let start = 0, end = 0; start < rows.length; start = end) {
    end = start + 1
    const [line] = rows.slice(start, end)
    if (line?.incident) {
      const run = describeIncident(line, line.incident, unfolded)
      entries.push({ notification: line, index: start, run })
      for (const [place, member] of (run.isFolded ? [] : (members[line._id] ?? [])).entries())
        entries.push({ notification: member, index: start, run: undefined, place })
      continue
    }
    while (end < rows.length && isAlike(rows[end], line) && days[end] === days[start]) end++
    const run = describeRun(rows.slice(start, end), unfolded)
    for (const [offset, notification] of rows.slice(start, end).entries())
      if (offset === 0 || !run?.isFolded || notification._id === focused)
        entries.push({ notification, index: start + offset, run: offset === 0 ? run : undefined })
  }
  return entries
}

const isAlike = (row: Notified | undefined, first: Notified | undefined): boolean =>
  row?.type === first?.type && row?.incident === undefined

const describeIncident = (
  { _id, created_at }: Notified,
  { devices, last_at }: NonNullable<Notified['incident']>,
  unfolded: ReadonlySet<string>,
): NotificationRun => ({
  isIncident: true,
  count: devices,
  devices,
  from: created_at,
  to: last_at,
  isFolded: !unfolded.has(_id),
})

function describeRun(rows: readonly Notified[], unfolded: ReadonlySet<string>): NotificationRun | undefined {
  const [first] = rows
  const last = rows.at(-1)
  if (!first || !last || rows.length < minRun) return undefined
  return {
    isIncident: false,
    count: rows.length,
    devices: new Set(rows.map(({ device }) => device.bssid)).size,
    from: last.created_at,
    to: first.created_at,
    isFolded: !rows.some(({ _id }) => unfolded.has(_id)),
  }
}

/** Folds runs as `foldRuns` does, and returns the day of each shown notification too. */
export function foldByDay<Row extends Notified>(
  rows: readonly Row[],
  zone: string,
  unfolded: readonly string[],
  focused: string | undefined,
  members: IncidentMembers<Row> = {},
): { readonly entries: readonly NotificationEntry<Row>[]; readonly days: readonly number[] } {
  const days = dayStarts(
    rows.map(({ created_at }) => created_at),
    zone,
  )
  const entries = foldRuns(rows, days, new Set(unfolded), focused, members)
  return { entries, days: entries.map(({ index }) => days[index] ?? 0) }
}
