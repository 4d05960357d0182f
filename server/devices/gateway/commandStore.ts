/** Commands in the database: each in one state, and of several that would end it exactly one does. */
import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { recordset } from '../../db/bulk.ts'
import type { Database } from '../../db/database.ts'
import { deviceCommands, type CommandState } from '../../db/schema/wire.ts'
import type { Command } from '../../protocol/messages.ts'

/** Milliseconds for which commands are kept. */
const retention = 90 * 86_400_000
/** Removed at a time. */
const pruneBatchSize = 5000

export interface SentCommand extends Pick<Command, 'id' | 'command'> {
  readonly bssid: string
  readonly created_at: Date
  readonly expires_at: Date
}

export interface CommandResult {
  readonly id: string
  readonly bssid: string
  readonly state: Exclude<CommandState, 'sent'>
  /** Why it was not done; null where it was. */
  readonly reason: string | null
}

/** Stores commands of devices that exist; returns the ids of those. */
export async function insertCommands(db: Database, commands: readonly SentCommand[]): Promise<ReadonlySet<string>> {
  const { rows } = await db.execute<{ id: string }>(sql`
    insert into device_commands (id, bssid, command, created_at, expires_at)
    select given.id, given.bssid, given.command, given.created_at, given.expires_at
    from ${recordset(deviceCommands, rowsOf(commands))} as given
    where exists (select from devices where devices.bssid = given.bssid)
    returning id`)
  return new Set(rows.map(({ id }) => id))
}

/** Ends commands that have not ended, each given once; returns the ids of those that did by this. */
export async function endCommands(
  db: Database,
  results: readonly CommandResult[],
  at: Date,
): Promise<ReadonlySet<string>> {
  const { rows } = await db.execute<{ id: string }>(sql`
    update device_commands set state = given.state, reason = given.reason, ended_at = ${at.toISOString()}::timestamptz
    from ${recordset(deviceCommands, rowsOf(results))} as given
    where device_commands.id = given.id and device_commands.bssid = given.bssid and device_commands.state = 'sent'
    returning device_commands.id`)
  return new Set(rows.map(({ id }) => id))
}

/** Rows by column name: what an interface names, as the record that it is. */
const rowsOf = (given: readonly object[]): Record<string, unknown>[] => given.map(each => ({ ...each }))

/** How a command ended, where it has. */
export async function findResult(db: Database, id: string): Promise<CommandResult | undefined> {
  const [row] = await db.select().from(deviceCommands).where(eq(deviceCommands.id, id))
  return row === undefined || row.state === 'sent' ? undefined : { ...row, state: row.state }
}

/** Ends those that expired before `expired` and that nobody waits for any more: their server was stopped. */
export function expireCommands(db: Database, expired: Date, reason: string, at: Date): Promise<{ id: string }[]> {
  return db
    .update(deviceCommands)
    .set({ state: 'unanswered', reason, ended_at: at })
    .where(and(eq(deviceCommands.state, 'sent'), lt(deviceCommands.expires_at, expired)))
    .returning({ id: deviceCommands.id })
}

/** Removes commands of more than 90 days ago. */
export async function pruneCommands(db: Database, at: Date): Promise<void> {
  const old = db
    .select({ id: deviceCommands.id })
    .from(deviceCommands)
    .where(lt(deviceCommands.created_at, new Date(at.getTime() - retention)))
    .limit(pruneBatchSize)
  for (let removedCount = pruneBatchSize; removedCount === pruneBatchSize;) {
    const removed = await db
      .delete(deviceCommands)
      .where(inArray(deviceCommands.id, old))
      .returning({ id: deviceCommands.id })
    removedCount = removed.length
  }
}
