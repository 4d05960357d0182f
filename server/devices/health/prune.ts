/**
 * What health keeps of the past: days for 400 days and then weeks for five years; for five years lives of pre-filters that
 * have ended; and for 400 days what a supply's devices shared, findings that have ended, and forecasts with their outcomes.
 * Resets of baselines are kept as long as the days to which they apply, without what undoes them once they cannot be undone.
 */
import { addDays } from 'date-fns/addDays'
import { getTableColumns, sql, type SQL } from 'drizzle-orm'
import { baselineResetDays } from '../../../src/api/contract/health/endpoints.ts'
import { msPerDay } from '../../../src/domain/time.ts'
import type { Database } from '../../db/database.ts'
import { healthDays } from '../../db/schema/healthDays.ts'

const retentionDays = 400
/** Five years. */
const weekRetentionDays = 1827
/** Rows per statement, and devices per statement. */
const batchSize = 5_000
const devicesPerBatch = 200
/** Statements an hour at most: what is left follows in the next. */
const maxBatches = 500

export async function pruneHealth(db: Database, now: Date): Promise<void> {
  const today = Math.floor(now.getTime() / msPerDay)
  await reduceToWeeks(db, mondayOf(today - retentionDays), mondayOf(today - weekRetentionDays))
  const day = today - retentionDays
  const before = new Date(day * msPerDay).toISOString()
  const conditions = {
    supply_days: sql`day < ${day}`,
    supply_incidents: sql`ended_at < ${before}::timestamptz`,
    health_findings: sql`ended_at < ${before}::timestamptz`,
    kept_forecasts: sql`ended_at < ${before}::timestamptz`,
    prefilter_lives: sql`ended_at < ${addDays(now, -weekRetentionDays).toISOString()}::timestamptz`,
    baseline_resets: sql`reset_at < ${addDays(now, -weekRetentionDays).toISOString()}::timestamptz`,
  }
  await inBatches(
    db,
    sql`update baseline_resets set state = null, baselines = '{}', levels = '{}', findings = '[]', forecasts = '[]'
      where ctid = any(array(select ctid from baseline_resets where state is not null
        and reset_at < ${addDays(now, -baselineResetDays).toISOString()}::timestamptz limit ${batchSize}))`,
  )
  for (const [table, outdated] of Object.entries(conditions))
    await inBatches(
      db,
      sql`delete from ${sql.identifier(table)} where ctid = any(array(
        select ctid from ${sql.identifier(table)} where ${outdated} limit ${batchSize}))`,
    )
}

/** Executes a statement that changes at most `batchSize` rows until it changes fewer. */
async function inBatches(db: Database, statement: SQL): Promise<void> {
  for (let changed = batchSize; changed === batchSize;) {
    const { rows } = await db.execute<{ n: number }>(
      sql`with changed as (${statement} returning 1) select count(*)::integer as n from changed`,
    )
    changed = rows[0]!.n
  }
}

/** Returns the Monday of a day's week; 5 January 1970 was one. */
const mondayOf = (day: number) => Math.floor((day + 3) / 7) * 7 - 3

/** Columns of a week that are not sums of its days'. */
const special = {
  bssid: sql`bssid`,
  day: sql`(day + 3) / 7 * 7 - 3`,
  max_run: sql`max(max_run)`,
  days: sql`7`,
}
const columns = Object.keys(getTableColumns(healthDays))
const names = sql.join(
  columns.map(name => sql.identifier(name)),
  sql`, `,
)
const week = sql.join(
  columns.map(name => special[name as keyof typeof special] ?? sql`sum(${sql.identifier(name)})`),
  sql`, `,
)

/**
 * Reduces the days before a Monday to weeks, whose day is their Monday, and deletes those before the Monday `expired`. Each
 * device remembers how far it is, so that only new weeks are read.
 */
async function reduceToWeeks(db: Database, monday: number, expired: number): Promise<void> {
  for (let batch = 0, n = devicesPerBatch; n === devicesPerBatch && batch < maxBatches; batch++) {
    const { rows } = await db.execute<{ n: number }>(sql`
      with device as materialized (
        select bssid, weeks_to from device_health where weeks_to < ${monday}::integer
        order by weeks_to, bssid limit ${devicesPerBatch} for update skip locked
      ),
      expired as (
        delete from health_days as days using device
        where days.bssid = device.bssid and days.day < least(device.weeks_to, ${expired}::integer)
      ),
      old as (
        delete from health_days as days using device
        where days.bssid = device.bssid and days.day >= device.weeks_to and days.day < ${monday}::integer
        returning days.*
      ),
      weeks as (
        insert into health_days (${names}) select ${week} from old where day >= ${expired}::integer
        group by bssid, (day + 3) / 7
      ),
      marked as (
        update device_health as health set weeks_to = ${monday}::integer from device where health.bssid = device.bssid
      )
      select count(*)::integer as n from device`)
    n = rows[0]!.n
  }
}
