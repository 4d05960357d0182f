/** Writes entries of the audit log. The database links each of them to the chain (migration 0006). */
import { sql } from 'drizzle-orm'
import { maxAuditIds } from '../../src/api/contract/audit.ts'
import { msPerHour } from '../../src/domain/time.ts'
import { addressGroup } from '../core/addressGroup.ts'
import { batched } from '../core/batches.ts'
import { recordset } from '../db/bulk.ts'
import type { Database } from '../db/database.ts'
import { withRetry } from '../db/retry.ts'
import { audit } from '../db/schema/audit.ts'

type Row = typeof audit.$inferSelect

/** Who calls what, and on what. */
export type CallColumns = Pick<Row, 'at' | 'account_id' | 'login' | 'role' | 'action' | 'ids' | 'values' | 'address'>

/** What came of a call. */
export type OutcomeColumns = Pick<Row, 'outcome' | 'status' | 'done' | 'failed' | 'message' | 'created_ids'> & {
  readonly ended_at: Date
}

export interface AuditRecorder {
  /** Stores that a call begins, and returns the id of its entry. */
  begin(call: CallColumns): Promise<number>
  /** Stores the outcome of a call that has begun. */
  end(id: number, outcome: OutcomeColumns): Promise<void>
  /** Stores a call that did not begin, because it was refused. */
  refuse(call: CallColumns & OutcomeColumns): Promise<void>
  /**
   * Counts a call without a session: those from a network in an hour, with the same action and outcome, share an entry.
   * `ids` has the accounts that they were about; account, login and role are null once they were about several.
   */
  count(call: CallColumns & OutcomeColumns): Promise<void>
  /** Counts a call as `count` does, in the transaction of what it does. */
  countWithin(tx: Database, call: CallColumns & OutcomeColumns): Promise<void>
}

const notStarted = { status: 0, message: '' }

/**
 * Creates a recorder. Each kind of statement runs once at a time and takes all that has gathered meanwhile, so that many
 * calls neither queue for the chain one by one nor occupy the database's connections.
 */
export function openRecorder(db: Database): AuditRecorder {
  const insert = batched((rows: readonly (typeof audit.$inferInsert)[]) =>
    withRetry(() =>
      db
        .insert(audit)
        .values([...rows])
        .returning({ id: audit.id }),
    ),
  )
  const end = batched(async (rows: readonly (OutcomeColumns & { readonly id: number })[]) => {
    await withRetry(() => storeOutcomes(db, rows))
    return rows
  })
  const count = batched(async (calls: readonly (CallColumns & OutcomeColumns)[]) => {
    await withRetry(() =>
      db.transaction(async tx => {
        for (const call of calls) await countCall(tx, call)
      }),
    )
    return calls
  })
  const byNetwork = (call: CallColumns & OutcomeColumns) => ({ ...call, address: addressGroup(call.address) })
  return {
    begin: async call => (await insert({ ...call, ...notStarted, outcome: 'started' })).id,
    end: async (id, outcome) => void (await end({ id, ...outcome })),
    refuse: async call => void (await insert(call)),
    count: async call => void (await count(byNetwork(call))),
    countWithin: (tx, call) => countCall(tx, byNetwork(call)),
  }
}

/** Stores outcomes, also of calls that were given up as interrupted. */
const storeOutcomes = (db: Database, rows: readonly (OutcomeColumns & { readonly id: number })[]) =>
  db.execute(sql`
    update audit set outcome = input.outcome, status = input.status, done = input.done, failed = input.failed,
      message = input.message, created_ids = input.created_ids, ended_at = input.ended_at
    from ${recordset(
      audit,
      rows.map(row => ({ ...row })),
    )} as input
    where audit.id = input.id and audit.outcome in ('started', 'interrupted')`)

async function countCall(db: Database, call: CallColumns & OutcomeColumns): Promise<void> {
  const counting = new Date(Math.floor(call.at.getTime() / msPerHour) * msPerHour)
  const sameAccount = sql`audit.account_id is not distinct from excluded.account_id`
  await db
    .insert(audit)
    .values({ ...call, count: 1, counting })
    .onConflictDoUpdate({
      target: [audit.counting, audit.action, audit.address, audit.outcome],
      targetWhere: sql`counting is not null`,
      set: {
        count: sql`audit.count + 1`,
        account_id: sql`case when ${sameAccount} then audit.account_id end`,
        login: sql`case when ${sameAccount} then audit.login end`,
        role: sql`case when ${sameAccount} then audit.role end`,
        ids: sql`case when audit.ids @> excluded.ids or cardinality(audit.ids) >= ${maxAuditIds}::integer then audit.ids
          else audit.ids || excluded.ids end`,
        status: sql`excluded.status`,
        message: sql`excluded.message`,
        ended_at: sql`greatest(audit.ended_at, excluded.ended_at)`,
      },
    })
}
