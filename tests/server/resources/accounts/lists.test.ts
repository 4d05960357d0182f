/** Lists of accounts: every operator and order on every column, compared with filtering and sorting all rows. */
import { beforeAll, describe, expect, test } from 'vitest'
import { admins, users, vendors } from '../../../../src/api/contract/accounts.ts'
import type { SearchColumns } from '../../../../src/api/contract/endpoint.ts'
import { operators, type Operator } from '../../../../src/domain/lists/query.ts'
import { startServer } from '../../support/harness.ts'
import { newAccount } from '../../support/subjects.ts'

const { call, signIn, db } = await startServer()

type Row = Readonly<Record<string, string | boolean>>
const lists = [
  ['admins', admins.list, 'superadmin'],
  ['vendors', vendors.list, 'admin'],
  ['users', users.list, 'admin'],
] as const
const people = ['Zoë', 'ada', 'Ada', 'Żaneta', '']

beforeAll(async () => {
  for (const role of ['admin', 'vendor', 'user'] as const)
    for (const [at, first_name] of people.entries()) {
      const login = `${role}.${at}@Example.com`
      await newAccount(db, role, { login, first_name, last_name: `Number ${at}`, blocked: at % 2 === 0 })
    }
})

describe.each(lists)('%s', (_, endpoint, login) => {
  const { search: byDefault, kinds }: SearchColumns = endpoint.columns!
  const columns = Object.keys(kinds)
  const get = async (query: Record<string, string> = {}) => {
    const token = (await signIn(login)).access_token
    const answer = await call('GET', `${endpoint.path}?${new URLSearchParams({ limit: '1000', ...query })}`, { token })
    expect(answer.statusCode).toBe(200)
    return answer.json<{ data: { count: number; data: Row[] } }>().data
  }
  const nameOf = (column: string) => (column === 'email' ? 'login' : column)
  /** Returns the displayed value in lower case. */
  const displayedText = (column: string, row: Row) => {
    const value = row[nameOf(column)]!
    const kind = kinds[column]!
    if (typeof value === 'string') return value.toLowerCase()
    const names = Object.entries(kind.kind === 'choice' ? kind.names : { true: 'Yes', false: 'No' })
    return names.find(([code]) => code === String(value))![1].toLowerCase()
  }
  /** Returns a sortable value: lower-case text, or a boolean as a number. */
  const sortValue = (column: string, row: Row) => {
    const value = row[nameOf(column)]!
    return typeof value === 'string' ? value.toLowerCase() : Number(value)
  }
  const order = (column: string, one: Row, other: Row) => {
    const [a, b] = [sortValue(column, one), sortValue(column, other)]
    return a < b ? -1 : a > b ? 1 : 0
  }
  const passes = (column: string, operator: Operator, search: string, against: Row, row: Row) => {
    const text = displayedText(column, row)
    if (operator === 'co') return text.includes(search)
    if (operator === 'sw') return text.startsWith(search)
    if (operator === 'ew') return text.endsWith(search)
    const way = order(column, row, against)
    return { eq: way === 0, ne: way !== 0, gt: way > 0, ge: way >= 0, lt: way < 0, le: way <= 0 }[operator]
  }

  test.each(columns)('search in %s', async column => {
    const { data: all } = await get()
    for (const against of [all[0]!, all.at(-1)!])
      for (const operator of operators) {
        const whole = displayedText(column, against)
        const parts: Partial<Record<Operator, string>> = {
          co: whole.slice(1, 4),
          sw: whole.slice(0, 3),
          ew: whole.slice(-3),
        }
        const search = parts[operator] ?? whole
        if (search === '') continue
        const found = await get({ column, operator, search: search.toUpperCase() })
        const expected = all.filter(row => passes(column, operator, search, against, row))
        expect(found, `${operator} ${search}`).toEqual({ count: expected.length, data: expected })
      }
  })

  test.each(columns)('sorted by %s, in both directions, ignoring case and without repeated rows', async column => {
    for (const direction of ['asc', 'desc'] as const) {
      const { data: all } = await get({ direction, sort: column })
      const sign = direction === 'asc' ? 1 : -1
      const compared = all.slice(1).map((row, at) => sign * order(column, all[at]!, row))
      expect(compared.every(way => way <= 0)).toBe(true)
      expect(new Set(all.map(row => row._id)).size).toBe(all.length)
      const pages = [
        ...(await get({ direction, sort: column, limit: '4' })).data,
        ...(await get({ direction, sort: column, limit: '1000', offset: '4' })).data,
      ]
      expect(pages).toEqual(all)
    }
  })

  test(`searches ${byDefault} by default, and lists one role only`, async () => {
    const { count, data } = await get({ search: 'EXAMPLE.com' })
    expect(data).toEqual((await get()).data.filter(row => displayedText(byDefault, row).includes('example.com')))
    expect(count).toBeGreaterThanOrEqual(people.length)
    const own = `${endpoint === admins.list ? 'admin' : endpoint === vendors.list ? 'vendor' : 'user'}.0@Example.com`
    const others = ['admin.0@Example.com', 'vendor.0@Example.com', 'user.0@Example.com'].filter(one => one !== own)
    const logins = (await get()).data.map(row => row.login)
    expect(logins).toContain(own)
    for (const other of [...others, 'superadmin']) expect(logins).not.toContain(other)
  })
})
