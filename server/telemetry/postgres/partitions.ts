/** Partitions of `readings`: one per UTC day, created on demand. */
import { sql } from 'drizzle-orm'
import { backupLock, partitionLock } from '../../db/advisoryLocks.ts'
import type { Database } from '../../db/database.ts'
import { msPerDay } from '../../../src/domain/time.ts'

/** Returns the number of days since 1970 (UTC). */
export const dayNumber = (instant: number): number => Math.floor(instant / msPerDay)

const iso = (number: number) => new Date(number * msPerDay).toISOString()

/** Returns the name of a day's partition, such as `readings_20261120`. */
export const partitionOf = (number: number): string => `readings_${iso(number).slice(0, 10).replaceAll('-', '')}`

export interface Partitions {
  /** Creates missing partitions of these days (see `dayNumber`). */
  ensure(days: Iterable<number>): Promise<void>
  /** Drops the partitions that end before a time, milliseconds UTC; none while a backup is made, which reads them. */
  dropBefore(instant: number): Promise<void>
  /** Clears the cache of existing partitions, because another process may have dropped one. */
  invalidate(): void
}

export function openPartitions(db: Database): Partitions {
  const existing = new Set<number>()
  /** Runs work in a transaction under the lock, which serializes it across processes. */
  const withLock = (work: (tx: Database) => Promise<void>) =>
    db.transaction(async tx => {
      await tx.execute(sql`select pg_advisory_xact_lock(${partitionLock})`)
      await work(tx)
    })
  return {
    ensure: async days => {
      const missing = [...new Set(days)].filter(number => !existing.has(number))
      if (missing.length === 0) return
      const present = new Set((await partitions(db)).map(({ name }) => name))
      const toCreate = missing.filter(number => !present.has(partitionOf(number)))
      if (toCreate.length > 0)
        await withLock(async tx => {
          for (const number of toCreate)
            await tx.execute(
              sql.raw(`create table if not exists ${partitionOf(number)} partition of readings
                for values from ('${iso(number)}') to ('${iso(number + 1)}')`),
            )
        })
      for (const number of missing) existing.add(number)
    },
    dropBefore: async instant => {
      const expired = (await partitions(db)).filter(({ name }) => name < partitionOf(dayNumber(instant)))
      for (const { name } of expired)
        await withLock(async tx => {
          const { rows } = await tx.execute<{ free: boolean }>(
            sql`select pg_try_advisory_xact_lock(${backupLock}) as free`,
          )
          if (rows[0]!.free) await tx.execute(sql.raw(`drop table if exists ${name}`))
        })
      existing.clear()
    },
    invalidate: () => existing.clear(),
  }
}

async function partitions(db: Database): Promise<{ name: string }[]> {
  const { rows } = await db.execute<{ name: string }>(
    sql`select child.relname as name from pg_inherits join pg_class child on child.oid = inhrelid
        where inhparent = 'readings'::regclass`,
  )
  return rows
}
