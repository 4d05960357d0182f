/** Partitions of readings and of their sums: of some UTC days each, created on demand, and dropped as a whole. */
import { sql } from 'drizzle-orm'
import { backupLock, partitionLock } from '../../db/advisoryLocks.ts'
import type { Database } from '../../db/database.ts'
import { sqlState } from '../../db/retry.ts'
import { partitionDays } from '../partitionDays.ts'
import { msPerDay } from '../../../src/domain/time.ts'

/** Days in a partition of each table. */
const daysIn = {
  readings: partitionDays.readings,
  reading_ten_minutes: partitionDays.tenMinutes,
  reading_hours: partitionDays.hours,
  reading_days: partitionDays.days,
} as const
export type PartitionedTable = keyof typeof daysIn

/** Milliseconds for which dropping a partition waits for queries. */
const maxLockWait = 500
/** SQLSTATE `lock_not_available`. */
const lockNotAvailable = '55P03'

/** Returns the number of days since 1970 (UTC). */
export const dayNumber = (instant: number): number => Math.floor(instant / msPerDay)

const iso = (day: number) => new Date(day * msPerDay).toISOString()

/** Returns the day with which the partition of a day begins. */
const firstDay = (table: PartitionedTable, day: number) => Math.floor(day / daysIn[table]) * daysIn[table]

/** Returns the name of the partition of a day, such as `readings_20261120`. */
export const partitionOf = (table: PartitionedTable, day: number): string =>
  `${table}_${iso(firstDay(table, day)).slice(0, 10).replaceAll('-', '')}`

export interface Partitions {
  /** Creates the missing partitions of tables for these days (see `dayNumber`). In a transaction, they are part of it. */
  ensure(tables: readonly PartitionedTable[], days: Iterable<number>): Promise<void>
  /** Returns those of the days that no partition of the table contains. */
  absent(table: PartitionedTable, days: Iterable<number>): Promise<ReadonlySet<number>>
  /** Returns the days that have a partition of readings. */
  daysOfReadings(): Promise<number[]>
  /**
   * Drops the partitions that end before a time, milliseconds UTC. What a backup or a long query reads meanwhile stays until the
   * next time.
   */
  dropBefore(table: PartitionedTable, instant: number): Promise<void>
  /** Clears the cache of existing partitions, because another process may have dropped one. */
  invalidate(): void
}

export function openPartitions(db: Database): Partitions {
  const existing = new Map<PartitionedTable, Set<number>>()
  const knownOf = (table: PartitionedTable) => {
    const known = existing.get(table) ?? new Set()
    existing.set(table, known)
    return known
  }
  return {
    ensure: async (tables, days) => {
      const wanted = [...new Set(days)]
      for (const table of tables) {
        const known = knownOf(table)
        const missing = wanted.filter(day => !known.has(day))
        if (missing.length === 0) continue
        await createMissing(db, table, missing)
        for (const day of missing) known.add(day)
      }
    },
    absent: async (table, days) => {
      const known = knownOf(table)
      const wanted = new Set(days)
      const unknown = [...wanted].filter(day => !known.has(day))
      if (unknown.length === 0) return new Set()
      const absent = await absentDays(db, table, unknown)
      for (const day of unknown) if (!absent.has(day)) known.add(day)
      return absent
    },
    daysOfReadings: async () => (await partitionsOf(db, 'readings')).map(({ from }) => from),
    dropBefore: async (table, instant) => {
      const expired = (await partitionsOf(db, table)).filter(({ to }) => to * msPerDay <= instant)
      for (const { name } of expired) if (!(await drop(db, name))) break
      existing.clear()
    },
    invalidate: () => existing.clear(),
  }
}

/**
 * Drops a partition; returns false without doing so while a backup or a long query reads the table. Dropping locks the whole
 * table, and what comes after it waits for it: while it waited for the chart of a year, no reading could be stored.
 */
async function drop(db: Database, name: string): Promise<boolean> {
  try {
    return await db.transaction(async tx => {
      await tx.execute(sql.raw(`set local lock_timeout = '${maxLockWait}ms'`))
      const { rows } = await tx.execute<{ free: boolean }>(sql`select pg_try_advisory_xact_lock(${backupLock}) as free`)
      if (rows[0]!.free) await tx.execute(sql`drop table if exists ${sql.identifier(name)}`)
      return rows[0]!.free
    })
  } catch (error) {
    if (sqlState(error) === lockNotAvailable) return false
    throw error
  }
}

/** Creates the partitions of days that are in none. */
async function createMissing(db: Database, table: PartitionedTable, days: readonly number[]): Promise<void> {
  if ((await absentDays(db, table, days)).size === 0) return
  await db.transaction(async tx => {
    await tx.execute(sql`select pg_advisory_xact_lock(${partitionLock})`)
    // Another process may have created some by now.
    const absent = await absentDays(tx, table, days)
    for (const day of new Set([...absent].map(each => firstDay(table, each)))) await create(tx, table, day)
  })
}

/** Returns those of the days that are in no partition. */
async function absentDays(db: Database, table: PartitionedTable, days: readonly number[]): Promise<Set<number>> {
  const present = await partitionsOf(db, table)
  return new Set(days.filter(day => !present.some(({ from, to }) => from <= day && day < to)))
}

/** Creates the partition that begins with a day. Attaching a table waits for no query, unlike creating it as a partition. */
async function create(tx: Database, table: PartitionedTable, day: number): Promise<void> {
  const name = partitionOf(table, day)
  await tx.execute(sql.raw(`create table ${name} (like ${table} including all)`))
  await tx.execute(
    sql.raw(`alter table ${table} attach partition ${name}
      for values from ('${iso(day)}') to ('${iso(day + daysIn[table])}')`),
  )
}

/** The first day of a partition, and the day after its last. */
interface Partition {
  readonly name: string
  readonly from: number
  readonly to: number
}

async function partitionsOf(db: Database, table: PartitionedTable): Promise<Partition[]> {
  // The partition with the sums from before migration 0040 has no lower bound.
  const { rows } = await db.execute<Partition & Record<string, unknown>>(sql`
    select name, coalesce(extract(epoch from substring(bounds from 'FROM [(]''([^'']+)')::timestamptz) / 86400,
        '-infinity')::float8 as from,
      (extract(epoch from substring(bounds from 'TO [(]''([^'']+)')::timestamptz) / 86400)::float8 as to
    from (select relname as name, pg_get_expr(relpartbound, pg_class.oid) as bounds
      from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = ${table}::regclass) as partition`)
  return rows
}
