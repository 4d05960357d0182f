/** Folds long runs of notifications of one type, such as fifty devices that go offline together, into one line each. */

import { dayStarts } from './days.ts'

/** The part of a notification that a run depends on. */
interface Notified {
  readonly _id: string
  readonly type: string
  readonly created_at: string
  readonly device: { readonly bssid: string }
}

/** Notifications of one type that follow each other on one day. */
export interface NotificationRun {
  /** The number of notifications, with the first. */
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
}

/** A shorter run is not folded: its rows are as quickly read as a count. */
const minRun = 4

/**
 * Returns the notifications that are shown: of a folded run only the first, and the focused one, because keys act on it.
 * `days` has the day of each notification; a run whose first or another notification is in `unfolded` is not folded.
 */
export function foldRuns<Row extends Notified>(
  rows: readonly Row[],
  days: readonly number[],
  unfolded: ReadonlySet<string>,
  focused: string | undefined,
): readonly NotificationEntry<Row>[] {
  const entries: NotificationEntry<Row>[] = []
  for (let start = 0, end = 0; start < rows.length; start = end) {
    end = start + 1
    while (end < rows.length && rows[end]?.type === rows[start]?.type && days[end] === days[start]) end++
    const run = describeRun(rows.slice(start, end), unfolded)
    for (const [offset, notification] of rows.slice(start, end).entries())
      if (offset === 0 || !run?.isFolded || notification._id === focused)
        entries.push({ notification, index: start + offset, run: offset === 0 ? run : undefined })
  }
  return entries
}

function describeRun(rows: readonly Notified[], unfolded: ReadonlySet<string>): NotificationRun | undefined {
  const [first] = rows
  const last = rows.at(-1)
  if (!first || !last || rows.length < minRun) return undefined
  return {
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
): { readonly entries: readonly NotificationEntry<Row>[]; readonly days: readonly number[] } {
  const days = dayStarts(
    rows.map(({ created_at }) => created_at),
    zone,
  )
  const entries = foldRuns(rows, days, new Set(unfolded), focused)
  return { entries, days: entries.map(({ index }) => days[index] ?? 0) }
}
