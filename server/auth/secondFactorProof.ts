/** Asks for password and second factor again, before a second factor is added or changed, or an API key is created. */
import type * as z from 'zod/mini'
import type { SecondFactorProof } from '../../src/api/contract/passkeys.ts'
import { badRequest, conflict } from '../core/errors.ts'
import type { Database } from '../db/database.ts'
import type { Call, Caller } from '../endpoints/handler.ts'
import { findAccount } from './accounts.ts'
import { checkCurrentPassword, lockWithPassword } from './currentPassword.ts'
import { storeUse, verifyAssertion, type ChallengeHolder } from './passkeys.ts'
import { needRelyingParty } from './relyingParty.ts'
import { hasSecondFactor, isAuthenticatorCode, lockForChange, takeCode, wrongCode } from './secondFactors.ts'
import { authenticatorLimit, clearAttempts, codeLimit, countAttempt } from './throttle.ts'

/** Returns the limits for a code of an account that is entered at an address. */
export const limitsOfCode = (code: string, account: string, address: string) => [
  codeLimit(account, address),
  ...(isAuthenticatorCode(code) ? [authenticatorLimit(account)] : []),
]

/**
 * Returns the holder of challenges that an existing passkey signs. Challenges for new passkeys belong to the session itself
 * and show that the password was entered, so a challenge of one kind must not be usable as one of the other.
 */
export const proofHolder = ({ account, session }: Caller): ChallengeHolder => ({ account, id: `${session} proof` })

type ProofCall = Pick<Call, 'caller' | 'address' | 'services'> & { readonly body: z.output<typeof SecondFactorProof> }

/**
 * Runs a change of the caller's account after its password and a code or a passkey have been checked. Throws a 409
 * without a second factor, or for a passkey where the server has none; a 400 if the proof is wrong; and a 429 after too
 * many failures.
 */
export async function withProof<Result>(
  { body: { current_password, code, credential }, caller, address, services }: ProofCall,
  change: (tx: Database, account: string) => Promise<Result>,
): Promise<Result> {
  const { db, secrets, now } = services
  const { id, password_hash } = await findAccount(db, { id: caller.account, role: caller.role })
  if (!(await hasSecondFactor(db, id))) throw conflict('This account has no second factor')
  if (code === undefined && credential === undefined) throw badRequest('Enter a code, or use a passkey')
  await checkCurrentPassword(services, caller, password_hash, current_password)
  const limits = code === undefined ? [codeLimit(id, address)] : limitsOfCode(code, id, address)
  await countAttempt(db, now(), ...limits)
  const assertion =
    credential &&
    (await verifyAssertion(
      db,
      needRelyingParty(services),
      proofHolder(caller),
      { ...credential, clientExtensionResults: {} },
      now(),
    ))
  const result = await db.transaction(async tx => {
    // Sign-ins lock the account before the code, too: another order could end in a deadlock.
    await lockForChange(tx, id)
    if (assertion) await storeUse(tx, assertion, now())
    if (code !== undefined && !(await takeCode(tx, secrets, id, code, now()))) throw wrongCode()
    return change(tx, id)
  })
  await clearAttempts(db, now(), ...limits)
  return result
}

/**
 * Runs a change of the caller's account after its password has been checked, and its second factor if it has one. Throws like
 * `withProof`, but without a second factor a 409 only if one was added meanwhile. Throws a 401 if the password was changed or
 * the account blocked meanwhile, which has ended the session.
 */
export async function withAccountProof<Result>(
  call: ProofCall,
  change: (tx: Database, account: string) => Promise<Result>,
): Promise<Result> {
  const { body, caller, services } = call
  const { db } = services
  const { id, password_hash } = await findAccount(db, { id: caller.account, role: caller.role })
  const changeIfStillValid = async (tx: Database) => {
    await lockWithPassword(tx, { id, password_hash })
    return change(tx, id)
  }
  if (await hasSecondFactor(db, id)) return withProof(call, changeIfStillValid)
  await checkCurrentPassword(services, caller, password_hash, body.current_password)
  return db.transaction(async tx => {
    await lockForChange(tx, id)
    if (await hasSecondFactor(tx, id))
      throw conflict('A second factor was just added to this account. Try again with a code or a passkey')
    return changeIfStillValid(tx)
  })
}
