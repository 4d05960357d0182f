/** Blocks and unblocks accounts in bulk. */
import { and, eq, ne } from 'drizzle-orm'
import type { BulkResponse } from '../../../src/api/contract/endpoint.ts'
import type { AccountRole } from '../../../src/domain/roles.ts'
import { revokeMailTokens } from '../../auth/mailTokens.ts'
import { endSessions } from '../../auth/sessions.ts'
import { anyOf } from '../../db/anyOf.ts'
import type { Database } from '../../db/database.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { bulkResponse } from '../shared/bulkResponse.ts'
import { accountNames } from '../../auth/accounts.ts'

/**
 * Blocks or unblocks accounts of a role and returns the outcome of each. Blocking ends their sessions and revokes their
 * recovery tokens. A preview changes nothing.
 */
export async function setBlocked(
  db: Database,
  role: AccountRole,
  ids: readonly string[],
  options: { readonly blocked: boolean; readonly now: Date; readonly preview?: boolean },
): Promise<BulkResponse> {
  const { blocked, now, preview = false } = options
  return db.transaction(async tx => {
    // Locked, so that no other call changes the values between this read and the update. Not against references to them: a
    // mail that is just getting its token would wait for this, and this for that mail.
    const rows = await tx
      .select({ id: accounts.id, blocked: accounts.blocked })
      .from(accounts)
      .where(and(eq(accounts.role, role), anyOf(accounts.id, ids)))
      .orderBy(accounts.id)
      .for('no key update')
    const existing = rows.map(({ id }) => id)
    const outcomes = new Map(existing.map(id => [id, undefined]))
    if (preview) return bulkResponse(accountNames[role], ids, outcomes)
    const existingAccounts = anyOf(accounts.id, existing)
    await tx
      .update(accounts)
      .set({ blocked, updated_at: now })
      .where(and(existingAccounts, ne(accounts.blocked, blocked)))
    if (blocked) {
      await endSessions(tx, existing)
      await revokeMailTokens(tx, existing, 'recovery')
    }
    // Only accounts that changed have previous values, so that undo does not touch the others.
    const changed = rows.filter(row => row.blocked !== blocked)
    const previous = new Map(changed.map(row => [row.id, { status: row.blocked }]))
    return bulkResponse(accountNames[role], ids, outcomes, previous)
  })
}
