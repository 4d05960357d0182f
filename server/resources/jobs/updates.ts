/** Follows updates of firmware that devices have acknowledged, until they have succeeded or failed. */
import { sql } from 'drizzle-orm'
import type { JobPolicy } from '../../../src/api/contract/jobPolicy.ts'
import type { StatusCode } from '../../../src/domain/device.ts'
import type { Database } from '../../db/database.ts'
import { decideUpdate, successTime } from './updateRules.ts'

/** Updates that are looked at in a transaction. */
const batchSize = 1000

type Row = {
  readonly job_id: string
  readonly bssid: string
  readonly vendor_id: string | null
  readonly version: string
  readonly policy: JobPolicy
  readonly acknowledged_at: number
  readonly was_updating: boolean
  readonly online_since: number | null
  readonly status: StatusCode | null
  readonly firmware: string | null
}

/**
 * Decides about the updates of these devices, or about those that are due. What it has found out is stored in their tasks, so
 * that another server goes on from there. Returns the vendors of the jobs of those that have ended.
 */
export async function followUpdates(
  db: Database,
  bssids: readonly string[] | undefined,
  now: Date,
): Promise<(string | null)[]> {
  const ended: (string | null)[] = []
  for (;;) {
    const { count, vendors } = await followBatch(db, bssids, now)
    ended.push(...vendors)
    // Of an event's devices there are fewer; those that are due are not due any more.
    if (bssids !== undefined || count < batchSize) return ended
  }
}

const followBatch = (db: Database, bssids: readonly string[] | undefined, now: Date) =>
  db.transaction(async tx => {
    const at = sql`${now.toISOString()}::timestamptz`
    const these = bssids === undefined ? sql`task.due_at <= ${at}` : sql`task.bssid = any(${sql.param(bssids)}::text[])`
    // Another transaction that has locked a task may have read its device before the event.
    const locked = bssids === undefined ? sql`skip locked` : sql``
    const { rows } = await tx.execute<Row>(sql`
      select task.job_id, task.bssid, job.vendor_id, coalesce(task.input, job.input) ->> 'version' as version, job.policy,
        (extract(epoch from task.acknowledged_at) * 1000)::float8 as acknowledged_at, task.was_updating,
        (extract(epoch from task.online_since) * 1000)::float8 as online_since, shown.status, device.firmware
      from job_tasks as task join jobs as job on job.id = task.job_id
      left join devices as device on device.bssid = task.bssid
        and (job.vendor_id is null or device.vendor_id = job.vendor_id)
      left join device_values as shown on shown.bssid = device.bssid
      where ${these} and task.state = 'sent' and task.acknowledged_at is not null
      order by task.bssid limit ${batchSize} for update of task ${locked}`)
    if (rows.length === 0) return { count: 0, vendors: [] }
    const decisions = rows.map(row => {
      const { status, firmware } = row
      const update = {
        version: row.version,
        successTime: successTime(row.policy) ?? 0,
        acknowledgedAt: row.acknowledged_at,
        wasUpdating: row.was_updating,
        onlineSince: row.online_since,
        device: status === null || firmware === null ? null : { status, firmware },
      }
      return { row, ...decideUpdate(update, now.getTime()) }
    })
    const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString())
    // An event may be about any value of the device.
    const hasChanged = ({ row, state, wasUpdating, onlineSince }: (typeof decisions)[number]) =>
      state !== 'sent' || wasUpdating !== row.was_updating || onlineSince !== row.online_since
    const changed = bssids === undefined ? decisions : decisions.filter(hasChanged)
    if (changed.length === 0) return { count: rows.length, vendors: [] }
    const changes = changed.map(({ row: { job_id, bssid }, state, reason, ...found }) => ({
      job_id,
      bssid,
      state,
      reason,
      was_updating: found.wasUpdating,
      due_at: iso(found.dueAt),
      online_since: iso(found.onlineSince),
    }))
    await tx.execute(sql`
      update job_tasks as task set state = input.state, reason = input.reason, due_at = input.due_at,
        was_updating = input.was_updating, online_since = input.online_since,
        ended_at = case when input.state <> 'sent' then ${at} end
      from json_to_recordset(${JSON.stringify(changes)}::json) as input (job_id text, bssid text, state text, reason text,
        due_at timestamptz, was_updating boolean, online_since timestamptz)
      where task.job_id = input.job_id and task.bssid = input.bssid`)
    const vendors = decisions.filter(({ state }) => state !== 'sent').map(({ row }) => row.vendor_id)
    return { count: rows.length, vendors }
  })
