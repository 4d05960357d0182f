/** Stores commands. Each is in one state, and exactly one result ends it. */
import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { recordset } from '../../db/bulk.ts'
import type { Database } from '../../db/database.ts'
import { deviceCommands, type CommandState } from '../../db/schema/wire.ts'
import type { Command } from '../../protocol/messages.ts'
import { msPerDay } from '../../../src/domain/time.ts'

/** Milliseconds for which commands are kept: 90 days. */
const retention = 90 * msPerDay
/** Rows per delete statement. */
const pruneBatchSize = 5000

export interface SentCommand extends Pick<Command, 'id' | 'command'> {
  readonly bssid: string
  readonly created_at: Date
  readonly expires_at: Date
}

/** The final state of a command. */
export interface CommandResult {
  readonly id: string
  readonly bssid: string
  readonly state: Exclude<CommandState, 'sent'>
  /** Why the command failed; null if it was executed. */
  readonly reason: string | null
}

/**
 * Stores commands and returns their ids, without those of devices that do not exist and of commands that their device has
 * answered. A command that is stored already and has no answer may be executed and answered again.
 */
export async function insertCommands(db: Database, commands: readonly SentCommand[]): Promise<ReadonlySet<string>> {
  const { rows } = await db.execute<{ id: string }>(sql`
    insert into device_commands (id, bssid, command, created_at, expires_at)
    select input.id, input.bssid, input.command, input.created_at, input.expires_at
    from ${recordset(deviceCommands, toRecords(commands))} as input
    where exists (select from devices where devices.bssid = input.bssid)
    on conflict (id) do update set state = 'sent', reason = null, ended_at = null, expires_at = excluded.expires_at
      where device_commands.state in ('sent', 'unanswered') and device_commands.bssid = excluded.bssid
    returning id`)
  return new Set(rows.map(({ id }) => id))
}

/** Returns the key of a device's answer: another device may answer with the same command id, without effect. */
export const answerKey = ({ id, bssid }: Pick<CommandResult, 'id' | 'bssid'>): string => `${bssid} ${id}`

/** Stores results, at most one for each key. Returns the keys of the results that ended a command. */
export async function endCommands(
  db: Database,
  results: readonly CommandResult[],
  at: Date,
): Promise<ReadonlySet<string>> {
  const { rows } = await db.execute<{ id: string; bssid: string }>(sql`
    update device_commands set state = input.state, reason = input.reason, ended_at = ${at.toISOString()}::timestamptz
    from ${recordset(deviceCommands, toRecords(results))} as input
    where device_commands.id = input.id and device_commands.bssid = input.bssid and device_commands.state = 'sent'
    returning device_commands.id, device_commands.bssid`)
  return new Set(rows.map(answerKey))
}

/** Copies objects to records, which TypeScript requires because an interface has no index signature. */
const toRecords = (objects: readonly object[]): Record<string, unknown>[] => objects.map(object => ({ ...object }))

/** Returns the result of a command, or `undefined` if it has not ended. */
export async function findResult(db: Database, id: string): Promise<CommandResult | undefined> {
  const [row] = await db.select().from(deviceCommands).where(eq(deviceCommands.id, id))
  return row === undefined || row.state === 'sent' ? undefined : { ...row, state: row.state }
}

/** Ends commands of stopped servers that expired before `expiredBefore`, and returns their results. */
export async function expireCommands(
  db: Database,
  expiredBefore: Date,
  reason: string,
  at: Date,
): Promise<CommandResult[]> {
  const expired = await db
    .update(deviceCommands)
    .set({ state: 'unanswered', reason, ended_at: at })
    .where(and(eq(deviceCommands.state, 'sent'), lt(deviceCommands.expires_at, expiredBefore)))
    .returning({ id: deviceCommands.id, bssid: deviceCommands.bssid })
  return expired.map(one => ({ ...one, state: 'unanswered', reason }))
}

/** Deletes commands that are older than the retention time. */
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
