/** Syncs device twins to `device_values`, in limited batches, because its indexes make updates expensive. */
import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { valueNames, valuesOf } from '../../db/fillDeviceValues.ts'
import { prepareStatement } from '../../db/prepared.ts'

export interface SyncResult {
  /** Devices whose rows changed. */
  readonly changed: readonly string[]
  /** Devices that were offline and are online again. */
  readonly online: readonly string[]
  /** Devices whose rows were locked or have changed meanwhile; they are to be synced later. */
  readonly busy: readonly string[]
}

const listOf = (column: (name: string) => SQL): SQL => sql.join(valueNames.map(column), sql`, `)
const names = listOf(name => sql`${sql.identifier(name)}`)
const shownValues = listOf(name => sql`shown.${sql.identifier(name)}`)
const nextValues = listOf(
  name => sql`case when change.is_newer then change.${sql.identifier(name)} else shown.${sql.identifier(name)} end`,
)
/**
 * SQL: whether a twin's values are to be copied. Times only grow, so of two servers that sync a device at once, the one with
 * the older values does not replace newer ones.
 */
const newerTwin = sql`(coalesce(twin.heard_at, '-infinity') > coalesce(shown.last_active, '-infinity')
  or (coalesce(twin.heard_at, '-infinity') = coalesce(shown.last_active, '-infinity')
    and (${shownValues}) is distinct from (${valuesOf(sql`twin`)})))`
/** SQL: whether a device that went offline has sent a message since. */
const sentSinceOffline = sql`twin.heard_at > coalesce(twin.offline_at, '-infinity')`

const statement = prepareStatement<{
  changed: string[] | null
  online: string[] | null
  busy: string[] | null
}>(
  'sync_twins',
  sql`
    with wanted as materialized (
      select twin.*, ${newerTwin} as is_newer, shown.status = 3 and ${sentSinceOffline} as is_back
      from device_twins as twin join device_values as shown using (bssid)
      where twin.bssid = any(${sql.placeholder('bssids')}::text[])
    ),
    next (bssid, heard_at, ${names}) as materialized (
      select shown.bssid, twin.heard_at, ${valuesOf(sql`twin`)}
      from wanted as twin join device_values as shown using (bssid)
      where twin.is_newer and ${newerTwin}
      order by shown.bssid for no key update of shown skip locked
    ),
    -- Only the twins of devices that are back are locked, because a lock is a write.
    back as materialized (
      select twin.bssid, twin.reported_status from device_twins as twin join device_values as shown using (bssid)
      where twin.bssid = any(array(select bssid from wanted where is_back)) and shown.status = 3 and ${sentSinceOffline}
      order by twin.bssid for no key update of twin, shown skip locked
    ),
    back_twins as (
      update device_twins as twin set offline_at = null from back where twin.bssid = back.bssid
    ),
    changed as (
      update device_values as shown set (last_active, status, ${names}) = (
        coalesce(change.heard_at, shown.last_active),
        case when change.is_back then coalesce(change.reported_status, 0) else shown.status end,
        ${nextValues}
      )
      from (
        select *, next.bssid is not null as is_newer, back.bssid is not null as is_back
        from next full join back using (bssid)
      ) as change
      where shown.bssid = change.bssid
      returning shown.bssid
    )
    select (select json_agg(bssid) from changed) as changed,
      (select json_agg(bssid) from back) as online,
      (select json_agg(bssid) from wanted where (is_newer and bssid not in (select bssid from next))
        or (is_back and bssid not in (select bssid from back))) as busy`,
)

/**
 * Copies the values of these twins to `device_values`. Skips locked rows, so that it never waits while holding locks, and
 * does not write rows that would not change. A device that is online again gets its last reported status.
 */
export async function syncTwins(db: Database, bssids: readonly string[]): Promise<SyncResult> {
  // A plan for few devices, which looks each one up by the indexes, is right for hundreds as well.
  const [row] = await statement(db, { bssids }, { keepPlan: true })
  const { changed, online, busy } = row!
  return { changed: changed ?? [], online: online ?? [], busy: busy ?? [] }
}

/** Blocks of the table per query: some ten thousand twins. */
const blocksPerQuery = 250

export interface FoundUnsynced {
  readonly bssids: readonly string[]
  /** Block from which to continue; `undefined` once all twins were compared. */
  readonly next: number | undefined
}

/**
 * Returns devices whose values are not copied yet, by comparison: what a killed server has left. Only those with a message
 * since a time (milliseconds UTC) are compared. Their table is read from a block on in the order in which it is stored, which
 * takes a fiftieth of the time of reading it by an index and comparing all. One that moves to a block that was read has changed meanwhile, so
 * the server that changed it copies it.
 */
export async function findUnsynced(db: Database, from: number, since: number): Promise<FoundUnsynced> {
  const next = from + blocksPerQuery
  const { rows } = await db.execute<{ bssids: string[] | null; blocks: number }>(sql`
    with twin as materialized (
      select * from device_twins where ctid >= ${`(${from},0)`}::tid and ctid < ${`(${next},0)`}::tid
        and heard_at >= ${new Date(since).toISOString()}::timestamptz
    )
    select (select json_agg(bssid) from twin join device_values as shown using (bssid)
        where ${newerTwin} or (twin.offline_at is not null and ${sentSinceOffline})) as bssids,
      (pg_relation_size('device_twins') / current_setting('block_size')::integer)::integer as blocks`)
  const { bssids, blocks } = rows[0]!
  return { bssids: bssids ?? [], next: next < blocks ? next : undefined }
}
