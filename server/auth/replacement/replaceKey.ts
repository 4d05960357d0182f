/** Replacing an account's authenticator by another one, which counts once its first code is confirmed. */
import { addMilliseconds } from 'date-fns/addMilliseconds'
import { and, eq, gt, isNotNull } from 'drizzle-orm'
import { conflict } from '../../core/errors.ts'
import type { Secrets } from '../../core/secrets.ts'
import type { Database } from '../../db/database.ts'
import { secondFactors } from '../../db/schema/secondFactors.ts'
import { msPerMinute } from '../../../src/domain/time.ts'
import type { Caller } from '../../endpoints/handler.ts'
import { newKey, stepOfKey, wrongCode } from '../secondFactors.ts'

/** Milliseconds in which the new authenticator has to be confirmed. */
const confirmedWithin = 10 * msPerMinute

type CallingSession = Pick<Caller, 'account' | 'session'>

/** What a replacement leaves: no key that waits for its first code. */
const noNextKey = { next_key: null, next_key_id: null, next_session: null, next_expires_at: null }

/**
 * Creates the key of the new authenticator. It takes the place of one that waits to be confirmed. Throws a 409 if the account
 * has no authenticator, and a 503 if the server has no secrets.
 */
export async function createNextKey(
  tx: Database,
  secrets: Secrets | undefined,
  { account, session, login }: CallingSession & { readonly login: string },
  now: Date,
): Promise<{ key: string; uri: string }> {
  const { shown, stored } = newKey(secrets, { id: account, login })
  const rows = await tx
    .update(secondFactors)
    .set({
      next_key: stored.key,
      next_key_id: stored.key_id,
      next_session: session,
      next_expires_at: addMilliseconds(now, confirmedWithin),
    })
    .where(and(eq(secondFactors.account_id, account), isNotNull(secondFactors.confirmed_at)))
    .returning({ account: secondFactors.account_id })
  if (rows.length === 0) throw conflict('This account has no authenticator to replace')
  return shown
}

/**
 * Puts the new key in the place of the present one. Only the session that created it may, because it has proved who it is.
 * Throws a 409 if there is none to confirm, and a 400 for a wrong code.
 */
export async function confirmNextKey(
  tx: Database,
  secrets: Secrets | undefined,
  { account, session }: CallingSession,
  code: string,
  now: Date,
): Promise<void> {
  const ownFactor = eq(secondFactors.account_id, account)
  const waitingKey = and(ownFactor, eq(secondFactors.next_session, session), gt(secondFactors.next_expires_at, now))
  const [row] = await tx.select().from(secondFactors).where(waitingKey).for('update')
  if (!row?.next_key || !row.next_key_id) throw conflict('There is no new authenticator to confirm, please start again')
  const next = { key: row.next_key, key_id: row.next_key_id }
  const step = stepOfKey({ account_id: account, ...next }, secrets, code, now)
  if (step === undefined) throw wrongCode()
  await tx
    .update(secondFactors)
    .set({ ...next, ...noNextKey, confirmed_at: now, last_step: step })
    .where(ownFactor)
}
