/** Proof of the current password, which a session asks for again before it changes how its account signs in. */
import { badRequest } from '../core/errors.ts'
import type { Caller, Services } from '../endpoints/handler.ts'
import { verifyPassword } from './passwords.ts'
import { clearAttempts, countAttempt, currentPasswordLimit } from './throttle.ts'

/** Throws a 400 if the password is wrong, and a 429 after five failures of the session within five minutes. */
export async function checkCurrentPassword(
  { db, now }: Pick<Services, 'db' | 'now'>,
  { session }: Pick<Caller, 'session'>,
  passwordHash: string,
  password: string,
): Promise<void> {
  const limit = currentPasswordLimit(session)
  await countAttempt(db, now(), limit)
  if (!(await verifyPassword(passwordHash, password))) throw badRequest('Current password is wrong')
  await clearAttempts(db, now(), limit)
}
