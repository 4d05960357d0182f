import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accounts } from '../../../../server/db/schema/accounts.ts'
import { startServer } from '../../support/harness.ts'
import { newAccount } from '../../support/subjects.ts'

const { call, signIn, db } = await startServer()
const token = (await signIn('admin')).access_token
const url = '/api/v3/users'

test('end users are listed with their email and whether it is confirmed', async () => {
  const answer = await call('GET', `${url}?search=user@`, { token })
  expect(answer.json()).toMatchObject({
    data: { count: 1, data: [{ login: 'user@example.com', email_confirmed: true, status: false }] },
  })
  const unconfirmed = await call('GET', `${url}?column=email_confirmed&operator=eq&search=no`, { token })
  expect(unconfirmed.json()).toMatchObject({ data: { count: 2 } })
})

test('a user can be blocked and unblocked', async () => {
  const id = await newAccount(db, 'user')
  for (const status of [true, true, false]) {
    const answer = await call('PUT', `${url}/${id}/change-status`, { token, body: { status } })
    expect(answer.json()).toEqual({ data: {} })
    const [row] = await db.select().from(accounts).where(eq(accounts.id, id))
    expect(row!.blocked).toBe(status)
  }
  const missing = await call('PUT', `${url}/${id}/change-status`, { token, body: {} })
  expect(missing.json()).toEqual({ message: 'Status is required' })
})

test('a user can be deleted once; administrators, vendors and unknown ids are not found', async () => {
  const id = await newAccount(db, 'user')
  expect((await call('DELETE', `${url}/${id}`, { token })).json()).toEqual({ data: {} })
  const before = await db.$count(accounts)
  const others = [(await signIn('vendor')).user_id, (await signIn('admin')).user_id]
  for (const absent of [id, 'nobody', ...others]) {
    const answer = await call('DELETE', `${url}/${absent}`, { token })
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({ message: 'User not found' })
    const blocked = await call('PUT', `${url}/${absent}/change-status`, { token, body: { status: true } })
    expect(blocked.statusCode).toBe(404)
  }
  expect(await db.$count(accounts)).toBe(before)
})
