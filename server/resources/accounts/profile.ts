/** A person's own account, alike for administrators and vendors. */
import { eq } from 'drizzle-orm'
import { admins, vendors } from '../../src/api/contract/accounts.ts'
import type { Database } from '../db/database.ts'
import { accounts } from '../db/schema/accounts.ts'
import { badRequest, conflict, notFound } from '../errors.ts'
import { handler, type Call, type Handler } from '../handler.ts'
import { passwordFits, hashPassword, refuseCommon } from './passwords.ts'
import { endSessions } from './sessions.ts'

type Row = typeof accounts.$inferSelect

/** What every account shows, as the contract names it. */
const account = (row: Row) => ({
  _id: row.id,
  login: row.login,
  first_name: row.first_name,
  last_name: row.last_name,
  status: row.blocked,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

const vendor = (row: Row) => ({
  ...account(row),
  company_name: row.company_name,
  company_address: row.company_address,
  description: row.description,
})

async function find(db: Database, id: string): Promise<Row> {
  const [row] = await db.select().from(accounts).where(eq(accounts.id, id))
  if (!row) throw notFound('Account')
  return row
}

/** Changes an account. A login that another has is a 409. */
async function edit(db: Database, id: string, changes: Partial<Row>, now: Date): Promise<Row> {
  try {
    const [row] = await db
      .update(accounts)
      .set({ ...changes, updated_at: now })
      .where(eq(accounts.id, id))
      .returning()
    if (!row) throw notFound('Account')
    return row
  } catch (error) {
    if (isLoginTaken(error)) throw conflict('This login is already taken')
    throw error
  }
}

/** Whether a query failed on the unique login. The driver's error is what the query's error was caused by. */
const isLoginTaken = (error: unknown) =>
  error instanceof Error &&
  error.cause instanceof Error &&
  'constraint' in error.cause &&
  error.cause.constraint === 'accounts_login_key'

async function changePassword({ body, caller, services }: PasswordCall): Promise<Record<string, never>> {
  const { db, now } = services
  const { password_hash } = await find(db, caller.account)
  if (!(await passwordFits(password_hash, body.current_password))) throw badRequest('Current password is wrong')
  await refuseCommon(body.password)
  const changed = await hashPassword(body.password)
  await db.transaction(async tx => {
    await edit(tx, caller.account, { password_hash: changed }, now())
    await endSessions(tx, caller.account, caller.session)
  })
  return {}
}
type Own = typeof admins.changeOwnPassword
type PasswordCall = Call<Own['params'], Own['query'], Own['body']>

export const profileHandlers: readonly Handler[] = [
  handler(admins.profile, async ({ caller, services: { db } }) => account(await find(db, caller.account))),
  handler(admins.editProfile, async ({ caller, body, services: { db, now } }) =>
    account(await edit(db, caller.account, body, now())),
  ),
  handler(admins.changeOwnPassword, changePassword),

  handler(vendors.profile, async ({ caller, services: { db } }) => vendor(await find(db, caller.account))),
  handler(vendors.editProfile, async ({ caller, body, services: { db, now } }) =>
    vendor(await edit(db, caller.account, body, now())),
  ),
  handler(vendors.changeOwnPassword, changePassword),
]
