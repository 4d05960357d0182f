/** Closes entries of the audit log that no call will close: of servers that ended, and of hours that are over. */
import { sql, type SQL } from 'drizzle-orm'
import { msPerHour, msPerMinute } from '../../src/domain/time.ts'
import type { Log } from '../core/log.ts'
import { repeat } from '../core/repeat.ts'
import type { Database } from '../db/database.ts'
import { withRetry } from '../db/retry.ts'

/** Milliseconds between two runs. */
const interval = msPerMinute
/** Milliseconds after which a call without an outcome counts as interrupted; the longest calls take a few minutes. */
const maxCallTime = 15 * msPerMinute
/** Milliseconds for which an hour stays open: the clocks of several servers differ. */
const grace = msPerMinute
/** Entries per statement, which keeps other entries waiting. */
const batchSize = 200

/**
 * Marks calls without an outcome as interrupted, and closes counts of hours that are over. Calls that began before
 * `lastEnd`, when all servers of the database had ended, need not be waited for.
 */
export async function closeEntries(db: Database, now: Date, lastEnd?: Date): Promise<void> {
  const deadline = new Date(Math.max(now.getTime() - maxCallTime, lastEnd?.getTime() ?? 0))
  const lastHour = new Date(now.getTime() - msPerHour - grace)
  await updateAll(db, sql`outcome = 'interrupted'`, sql`outcome = 'started' and at <= ${deadline.toISOString()}`)
  await updateAll(db, sql`counting = null`, sql`counting <= ${lastHour.toISOString()}`)
}

async function updateAll(db: Database, change: SQL, where: SQL): Promise<void> {
  for (let count = batchSize; count === batchSize;) {
    // Entries that another server is about to close are left to it.
    const { rows } = await withRetry(() =>
      db.execute(sql`update audit set ${change} where id in
        (select id from audit where ${where} order by id limit ${batchSize} for update skip locked) returning id`),
    )
    count = rows.length
  }
}

interface Options {
  readonly db: Database
  readonly log: Log
  readonly now: () => Date
  /** Whether no other server uses the database. */
  readonly isAlone: boolean
}

/** Closes entries now and then every minute. Resolves after the first run. */
export async function startAuditUpkeep({ db, log, now, isAlone }: Options): Promise<{ close(): Promise<void> }> {
  await closeEntries(db, now(), isAlone ? now() : undefined)
  const close = async () => {
    await closeEntries(db, now())
    return interval
  }
  return repeat(close, { log, errorText: 'Could not close entries of the audit log', delay: interval })
}
