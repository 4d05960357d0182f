/** Detects devices that have gone offline without a last will, by their silence. */
import { isoOf } from '../../../src/domain/time.ts'
import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { prepareStatement } from '../../db/prepared.ts'

/** Maximum twins checked, and devices marked, per statement. */
const pageSize = 10_000
const maxMarked = 200

export interface SilentDevices {
  readonly bssids: readonly string[]
  /** Key after which to continue; `undefined` once all devices were checked. */
  readonly next: string | undefined
}

const time = (name: string): SQL => sql`${sql.placeholder(name)}::text::timestamptz`
const silent = (
  twin: SQL,
): SQL => sql`${twin}.offline_at is null and greatest(${twin}.heard_at, ${time('listening_since')})
  + greatest(90, 3 * ${twin}.report_interval) * interval '1 second' < ${time('now')}`

const statement = prepareStatement<{ bssids: string[] | null; last: string | null; n: number; found: number }>(
  'mark_silent',
  sql`
    with slice as materialized (
      select * from device_twins where bssid > ${sql.placeholder('after')} order by bssid limit ${pageSize}
    ),
    silent as materialized (
      select twin.bssid from device_twins as twin join devices as device using (bssid)
      where twin.bssid in (select bssid from slice where ${silent(sql`slice`)}) and ${silent(sql`twin`)}
      limit ${maxMarked}
      for no key update of twin, device skip locked
    ),
    marked as (
      update devices set status = 3 from silent where devices.bssid = silent.bssid and status <> 3
      returning devices.bssid
    ),
    twins as (
      update device_twins set offline_at = ${time('now')} from silent where device_twins.bssid = silent.bssid
    )
    select (select json_agg(bssid) from marked) as bssids, (select max(bssid) from slice) as last,
      (select count(*)::integer from slice) as n, (select count(*)::integer from silent) as found`,
)

/**
 * Marks devices after a key as offline that were silent for three reporting intervals, at least 90 s. Times are
 * milliseconds UTC; silence counts from `listeningSince`, before which no message could be received.
 */
export async function markSilent(
  db: Database,
  after: string,
  { now, listeningSince }: { readonly now: number; readonly listeningSince: number },
): Promise<SilentDevices> {
  const values = { after, now: isoOf(now), listening_since: isoOf(listeningSince) }
  const [row] = await statement(db, values, { keepPlan: true })
  const { bssids, last, n, found } = row!
  const next = found === maxMarked ? after : n === pageSize ? (last ?? undefined) : undefined
  return { bssids: bssids ?? [], next }
}
