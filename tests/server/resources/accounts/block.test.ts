/** Bulk blocking and unblocking of accounts of all roles, and bulk deletion of end users. */
import { inArray } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { admins, users, vendors } from '../../../../src/api/contract/accounts.ts'
import type { BulkResponse } from '../../../../src/api/contract/endpoint.ts'
import { issueMailToken } from '../../../../server/auth/mailTokens.ts'
import { startSession } from '../../../../server/auth/sessions.ts'
import { accounts } from '../../../../server/db/schema/accounts.ts'
import { mailTokens } from '../../../../server/db/schema/mailTokens.ts'
import { sessions } from '../../../../server/db/schema/sessions.ts'
import { startServer } from '../../support/harness.ts'
import { checksum } from '../../support/database/rows.ts'
import { newAccount } from '../../support/subjects.ts'

const { call, signIn, db, clock } = await startServer()

const kinds = [
  { role: 'admin', what: 'Administrator', by: 'superadmin', endpoint: admins.changeStatusOfMany },
  { role: 'vendor', what: 'Vendor', by: 'admin', endpoint: vendors.changeStatusOfMany },
  { role: 'user', what: 'User', by: 'admin', endpoint: users.changeStatusOfMany },
] as const
const old = new Date('2026-01-01T00:00:00Z')

describe.each(kinds)('blocking accounts of role $role', ({ role, what, by, endpoint }) => {
  const setStatus = async (ids: readonly string[], status: boolean) => {
    const { access_token: token } = await signIn(by)
    const answer = await call(endpoint.method, endpoint.path, { token, body: { ids, status } })
    return answer.json<{ data: BulkResponse }>().data
  }
  const rowsOf = async (ids: readonly string[]) => {
    const rows = await db
      .select()
      .from(accounts)
      .where(inArray(accounts.id, [...ids]))
    return ids.map(id => rows.find(row => row.id === id)!)
  }
  /** Creates two active accounts, with sessions and mailed links, and a blocked one. */
  async function newAccounts() {
    const [active, blocked, other] = await Promise.all(
      [false, true, false].map(each => newAccount(db, role, { blocked: each, updated_at: old })),
    )
    for (const id of [active!, other!]) {
      // End users sign in to the mobile app only.
      if (role !== 'user') await startSession(db, { id, role }, clock.now())
      await issueMailToken(db, id, 'recovery', clock.now())
    }
    return { active: active!, blocked: blocked!, other: other! }
  }
  const tables = role === 'user' ? [mailTokens] : [mailTokens, sessions]

  test('blocks only the given accounts, and returns their previous status', async () => {
    const { active, blocked, other } = await newAccounts()
    expect(await setStatus([active, blocked, 'nobody', active], true)).toEqual({
      count: 2,
      total: 3,
      failed: [{ id: 'nobody', message: `${what} not found` }],
      // The account that was blocked already is unchanged, and has no previous value.
      before: [{ ids: [active], values: { status: false } }],
    })
    const rows = await rowsOf([active, blocked, other])
    expect(rows.map(row => row.blocked)).toEqual([true, true, false])
    // The account that was blocked already is unchanged.
    expect(rows.map(row => row.updated_at > old)).toEqual([true, false, false])
    for (const table of tables) {
      const left = await db
        .select()
        .from(table)
        .where(inArray(table.account_id, [active, other]))
      expect(left.map(one => one.account_id)).toEqual([other])
    }
  })

  test('can be undone with the previous status', async () => {
    const { active, blocked } = await newAccounts()
    const { before } = await setStatus([active, blocked], false)
    expect((await rowsOf([active, blocked])).map(row => row.blocked)).toEqual([false, false])
    for (const { ids, values } of before!) await setStatus(ids, values['status'] as boolean)
    expect((await rowsOf([active, blocked])).map(row => row.blocked)).toEqual([false, true])
  })

  test('reports accounts of other roles, including the caller, as not found', async () => {
    const { user_id: self } = await signIn(by)
    const foreign = [
      self,
      ...(await Promise.all(kinds.filter(one => one.role !== role).map(one => newAccount(db, one.role)))),
    ]
    const before = await checksum(db)
    expect(await setStatus(foreign, true)).toEqual({
      count: 0,
      total: 3,
      failed: foreign.map(id => ({ id, message: `${what} not found` })),
      before: [],
    })
    expect(await checksum(db)).toBe(before)
  })
})

test('deleting end users reports all other ids as not found', async () => {
  const { access_token: token, user_id: self } = await signIn('admin')
  const ids = [await newAccount(db, 'user'), await newAccount(db, 'user')]
  const vendor = await newAccount(db, 'vendor')
  const { method, path } = users.deleteMany
  const answer = await call(method, path, { token, body: { ids: [...ids, vendor, self, ids[0]] } })
  expect(answer.json()).toEqual({
    data: {
      count: 2,
      total: 4,
      failed: [vendor, self].map(id => ({ id, message: 'User not found' })),
    },
  })
  expect(await db.$count(accounts, inArray(accounts.id, [...ids, vendor]))).toBe(1)
})
