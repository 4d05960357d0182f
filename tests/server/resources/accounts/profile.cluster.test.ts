/** Changes of the own account while its password is changed, such as by a recovery or an administrator. */
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newPasswordHash } from '../../../../server/auth/passwords.ts'
import { accounts } from '../../../../server/db/schema/accounts.ts'
import { demoPassword } from '../../../../server/demo/catalogue.ts'
import { until } from '../../../support/until.ts'
import { startServer } from '../../support/harness.ts'

const { call, db, signIn } = await startServer()
const { access_token: token, user_id: id } = await signIn('vendor')
const ended = { message: 'The session has ended, please sign in again' }

test.each([
  ['PATCH', 'profile/password', { current_password: demoPassword, password: 'a password of a thief' }],
  ['PATCH', 'profile', { current_password: demoPassword, login: 'thief@example.com' }],
] as const)('%s of the own %s does not replace what was changed meanwhile', async (method, path, body) => {
  const hash = await newPasswordHash(`the owner’s password for ${path}`)
  const [before] = await db.select().from(accounts).where(eq(accounts.id, id))
  const { answer } = await db.transaction(async tx => {
    await tx.update(accounts).set({ password_hash: hash }).where(eq(accounts.id, id))
    const changing = call(method, `/api/v3/vendors/me/${path}`, { token, body })
    const waits = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await until(async () => expect((await db.execute(waits)).rows).toHaveLength(1))
    return { answer: changing }
  })
  const { statusCode, body: text } = await answer
  expect({ status: statusCode, ...(JSON.parse(text) as object) }).toEqual({ status: 401, ...ended })
  expect((await db.select().from(accounts).where(eq(accounts.id, id)))[0]).toMatchObject({
    login: before!.login,
    password_hash: hash,
  })
  await db.update(accounts).set({ password_hash: before!.password_hash }).where(eq(accounts.id, id))
})
