/** The number of SQL statements of a list call, which does not grow with the page or the fleet. */
import { drizzle } from 'drizzle-orm/node-postgres'
import { expect, test } from 'vitest'
import { ListQuery } from '../../../../src/api/contract/endpoint.ts'
import { deviceList } from '../../../../server/resources/devices/columns.ts'
import { devicesByKeys } from '../../../../server/resources/devices/rows.ts'
import { listPage } from '../../../../server/resources/shared/list.ts'
import { startServer } from '../../support/harness.ts'

const { pool } = await startServer()

/** Returns the statements of a list call. */
async function statementsOf(query: ListQuery): Promise<string[]> {
  const statements: string[] = []
  const db = drizzle(pool, { logger: { logQuery: statement => statements.push(statement) } })
  const { keys } = await listPage(db, deviceList, undefined, ListQuery.parse(query))
  await devicesByKeys(db, keys)
  return statements
}

const search = { search: 'kitchen', column: 'description' } as const

test.each<ListQuery>([
  {},
  { offset: 20 },
  { limit: 1000 },
  { sort: 'temperature' },
  { sort: 'temperature', direction: 'desc' },
  { sort: 'description', offset: 30, limit: 10 },
  search,
  { ...search, sort: 'last_active' },
  { search: '20', column: 'temperature', operator: 'ge', sort: 'temperature' },
])('%o takes four: the count, the keys, the rows and their cartridges', async query => {
  expect(await statementsOf(query)).toHaveLength(4)
})

test('a page that contains rows with and without a value takes two more', async () => {
  expect((await statementsOf({ sort: 'battery_level', limit: 1000 })).length).toBeLessThanOrEqual(7)
})

test('a list by the names of other rows takes at most six, however many names its page has', async () => {
  for (const sort of ['model', 'filtration_system', 'company_name'])
    for (const limit of [5, 1000]) expect((await statementsOf({ sort, limit })).length).toBeLessThanOrEqual(6)
})

test.each<[string, ListQuery, readonly string[]]>([
  [
    'sorted and searched by values of the newest reading',
    { search: '20', column: 'temperature', operator: 'ge', sort: 'feed' },
    ['device_values'],
  ],
  ['sorted and searched by settings', { ...search, sort: 'firmware' }, ['devices']],
  ['searched by a setting and sorted by a value', { ...search, sort: 'temperature' }, ['devices', 'device_values']],
])('the keys of a list that is %s are read from the tables that store them', async (_, query, tables) => {
  const [, keys] = await statementsOf(query)
  const read = [...keys!.matchAll(/(?:from|join) "(\w+)"/g)].map(([, name]) => name)
  expect(read).toEqual(tables)
})
