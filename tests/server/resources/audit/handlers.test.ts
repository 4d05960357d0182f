/** The audit log: every operator and order on every column, in pages. */
import { beforeAll, describe, expect, test } from 'vitest'
import { apiKeys } from '../../../../src/api/contract/apiKeys.ts'
import type { AuditEntry } from '../../../../src/api/contract/audit.ts'
import { auditColumns } from '../../../../src/domain/columns/audit.ts'
import { operators } from '../../../../src/domain/lists/query.ts'
import { demoPassword } from '../../../../server/demo/catalogue.ts'
import { historyReader } from '../../support/calls/history.ts'
import { startServer } from '../../support/harness.ts'
import { newAccount } from '../../support/subjects.ts'

const { call, db, signIn } = await startServer()
const tokens = {
  superadmin: (await signIn('superadmin')).access_token,
  admin: (await signIn('admin')).access_token,
  vendor: (await signIn('vendor')).access_token,
}

const history = historyReader(call, tokens.admin)

/** Creates entries of all roles and none, with all outcomes, with no, one and many ids. */
beforeAll(async () => {
  const ids = [await newAccount(db, 'vendor'), 'nobody', (await signIn('vendor')).user_id]
  for (const some of [ids.slice(1), ids, ['nobody'], [await newAccount(db, 'vendor')]])
    await call('DELETE', '/api/v3/vendors', { token: tokens.admin, body: { ids: some } })
  for (const token of Object.values(tokens))
    await call('PATCH', '/api/v3/admins/nobody/change-status', { token, body: { status: true } })
  for (const login of ['user@example.com', 'nobody', 'vendor2'])
    await call('POST', '/api/v3/auth/login/dashboard', { body: { login, password: 'wrong' } })
  await call('PATCH', '/api/v3/vendors/me/profile', { token: tokens.vendor, body: { first_name: 'Lena' } })
  const named = { name: 'Nightly export', scope: 'write', days: 30, current_password: demoPassword }
  const created = await call('POST', apiKeys.create.path, { token: tokens.vendor, body: named })
  const { key } = created.json<{ data: { key: string } }>().data
  await call('PUT', '/api/v3/devices/lock', {
    headers: { authorization: `Bearer ${key}` },
    body: { ids: ['00:00:00:00:00:00'], locked: true },
  })
})

describe('the history', () => {
  const searchable = (column: keyof typeof auditColumns) => !('searchable' in auditColumns[column])
  const columns = (Object.keys(auditColumns) as (keyof typeof auditColumns)[]).filter(searchable)
  const displayedTexts = (entry: AuditEntry, column: keyof typeof auditColumns): string[] => {
    // A search for an action matches its title, or the method and path of its call.
    if (column === 'action') return [entry.title.toLowerCase(), entry.action.toLowerCase()]
    const value = column === 'call' ? entry.action : entry[column]
    if (Array.isArray(value)) return value.map(one => one.toLowerCase())
    const kind = auditColumns[column]
    const names: Readonly<Record<string, string>> = 'names' in kind ? kind.names : {}
    return value === null ? [] : [(names[value] ?? value).toLowerCase()]
  }

  test('is newest first, in pages without gaps or repetitions', async () => {
    const { data: all, count: total } = await history({ limit: '1000' })
    expect(all).toHaveLength(total)
    const order = all.map(entry => Number(entry._id))
    expect(order).toEqual(order.toSorted((one, other) => other - one))
    const pages = []
    for (let offset = 0; offset < total; offset += 7)
      pages.push(...(await history({ limit: '7', offset: String(offset) })).data)
    expect(pages).toEqual(all)
    expect((await history({ limit: '1000', sort: '', direction: 'asc' })).data).toEqual(all)
  })

  test.each(columns)('can be searched by %s with every operator, and sorted by it', async column => {
    const { data: all } = await history({ limit: '1000' })
    const against = all.flatMap(entry => displayedTexts(entry, column)).find(text => text !== '')!
    const search = { co: against.slice(1, 4), sw: against.slice(0, 3), ew: against.slice(-3) }
    for (const operator of ['co', 'sw', 'ew', 'eq', 'ne'] as const) {
      const needle = operator in search ? search[operator as keyof typeof search] : against
      const passes = (text: string) =>
        ({
          co: text.includes(needle),
          sw: text.startsWith(needle),
          ew: text.endsWith(needle),
          eq: text === needle,
          ne: text === needle,
        })[operator]
      const expected = all.filter(entry => displayedTexts(entry, column).some(passes) !== (operator === 'ne'))
      const found = await history({ column, operator, search: needle, limit: '1000' })
      expect(
        found.data.map(entry => entry._id),
        `${operator} ${needle}`,
      ).toEqual(expected.map(entry => entry._id))
    }
    for (const operator of operators) await history({ column, operator, search: against })
    const up = (await history({ sort: column, limit: '1000' })).data
    const down = (await history({ sort: column, direction: 'desc', limit: '1000' })).data
    expect(up).toHaveLength(all.length)
    expect(new Set(down.map(entry => entry._id)).size).toBe(all.length)
  })

  test('is searched by action by default, and visible to administrators only', async () => {
    const found = await history({ search: 'auth/LOGIN' })
    expect(found.count).toBeGreaterThan(0)
    for (const { action } of found.data) expect(action).toBe('POST /api/v3/auth/login/dashboard')
    for (const role of ['superadmin', 'vendor'] as const)
      expect((await call('GET', '/api/v3/audit', { token: tokens[role] })).statusCode).toBe(403)
  })
})
