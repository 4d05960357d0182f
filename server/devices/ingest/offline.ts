/** Detects devices that have gone offline without a last will, by their silence. */
import { isoOf } from '../../../src/domain/time.ts'
import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { prepareStatement } from '../../db/prepared.ts'
import { maxInterruption } from './listening.ts'

/** Maximum devices checked, and marked, in a transaction. */
export const maxChecked = 5_000
const maxMarked = 200

export interface SilenceLimits {
  readonly now: number
  readonly listeningSince: number
  readonly interruptedUntil: number
  readonly size: number
}

export interface SilentDevices {
  readonly bssids: readonly string[]
  /** The maximum of checks for the next transaction; 0 if none is due. */
  readonly next: number
}

const time = (name: string): SQL => sql`${sql.placeholder(name)}::text::timestamptz`

/** Locks the checks that are due, and skips checks that another server has locked. */
const lockDue = prepareStatement<{ bssid: string }>(
  'lock_silence_checks',
  sql`select bssid from silence_checks where due_at <= ${time('now')} order by due_at limit ${sql.placeholder('size')}::text::integer
    for update skip locked`,
)

const onlineTwin = (twin: SQL): SQL => sql`${twin}.offline_at is null`
/** When a device is silent if no further message arrives. */
const silentAt = (twin: SQL): SQL => sql`greatest(
  greatest(${twin}.heard_at, ${time('listening_since')}) + greatest(90, 3 * ${twin}.report_interval) * interval '1 second',
  ${time('heard_again')})`
const silentTwin = (twin: SQL): SQL => sql`${onlineTwin(twin)} and ${silentAt(twin)} < ${time('now')}`

/** Marks the silent ones of these devices, and moves or ends the checks of the others. A locked device keeps its check. */
const markDue = prepareStatement<{ bssids: string[] | null; found: number; done: number }>(
  'mark_silent',
  sql`
    with checked as materialized (
      select twin.bssid, ${onlineTwin(sql`twin`)} as is_online, ${silentAt(sql`twin`)} as silent_at,
        ${silentTwin(sql`twin`)} as is_silent
      from device_twins as twin where twin.bssid = any(${sql.placeholder('bssids')}::text[])
    ),
    silent as materialized (
      select twin.bssid from device_twins as twin join device_values as shown using (bssid)
      where twin.bssid = any(array(select bssid from checked where is_silent)) and ${silentTwin(sql`twin`)}
      limit ${maxMarked}
      for no key update of twin, shown skip locked
    ),
    marked as (
      update device_values as shown set status = 3 from silent where shown.bssid = silent.bssid and status <> 3
      returning shown.bssid
    ),
    twins as (
      update device_twins set offline_at = ${time('now')} from silent where device_twins.bssid = silent.bssid
    ),
    ended as (
      delete from silence_checks as ended
      using (select bssid from silent union all select bssid from checked where not is_online) as offline
      where ended.bssid = offline.bssid
      returning 1
    ),
    moved as (
      update silence_checks as moved set due_at = silent_at from checked
      where moved.bssid = checked.bssid and is_online and not is_silent
      returning 1
    )
    select (select json_agg(bssid) from marked) as bssids, (select count(*)::integer from silent) as found,
      (select count(*)::integer from (select from ended union all select from moved) as done) as done`,
)

/**
 * Marks devices as offline that were silent for three reporting intervals, at least 90 s. It reads only devices whose check is
 * due, at most `size`. Times are milliseconds UTC; silence counts from `listeningSince`, and all devices have 90 s to be heard
 * after `interruptedUntil`, until when messages may not have been received.
 *
 * `tx` is a transaction: its second statement sees what was stored before the checks were locked, and a device that comes
 * back after that waits for the end of the transaction to add its new check.
 */
export async function markSilent(
  tx: Database,
  { now, listeningSince, interruptedUntil, size }: SilenceLimits,
): Promise<SilentDevices> {
  const at = { now: isoOf(now) }
  const due = await lockDue(tx, { ...at, size: String(size) }, { keepPlan: true })
  if (due.length === 0) return { bssids: [], next: 0 }
  const values = {
    ...at,
    bssids: due.map(({ bssid }) => bssid),
    listening_since: isoOf(listeningSince),
    heard_again: isoOf(interruptedUntil + maxInterruption),
  }
  const [row] = await markDue(tx, values, { keepPlan: false })
  const { bssids, found, done } = row!
  // In an outage the other due devices are silent as well: the next transaction locks only as many as it can mark.
  if (found === maxMarked) return { bssids: bssids ?? [], next: maxMarked }
  // If nothing was done, all that is left is locked.
  return { bssids: bssids ?? [], next: due.length === size && done > 0 ? maxChecked : 0 }
}
