/** However PostgreSQL is asked for a page, it has the same rows in the same order as the whole list. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ListQuery } from '../../../../src/api/contract/endpoint.ts'
import { deviceColumns } from '../../../../src/domain/columns/devices.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { deviceList } from '../../../../server/resources/devices/columns.ts'
import { listPage } from '../../../../server/resources/shared/list.ts'
import { ownDevices } from '../../../../server/resources/shared/scope.ts'
import { startServer } from '../../support/harness.ts'

const { db } = await startServer()
const callers = (['admin', 'vendor'] as const).map(role => ({
  role,
  login: role,
  vendor: role === 'vendor' ? demoId('account vendor') : null,
  account: demoId(`account ${role}`),
  session: '',
}))

const searches = [
  {},
  { column: 'description', search: 'ki' },
  { column: 'description', search: 'kitchen' },
  { column: 'bssid', search: 'A4' },
  { column: 'company_name', search: 'a' },
  { column: 'model', search: 'ro' },
  { column: 'cartridges', search: 'pp' },
  { column: 'temperature', operator: 'ge', search: '15' },
  { column: 'last_active', operator: 'gt', search: '2020-01-01' },
  { column: 'status', operator: 'ne', search: 'Offline' },
] as const

const question = fc.record({
  caller: fc.constantFrom(...callers),
  search: fc.constantFrom(...searches),
  sort: fc.constantFrom(...Object.keys(deviceColumns)),
  direction: fc.constantFrom('asc' as const, 'desc' as const),
  offset: fc.nat({ max: 45 }),
  limit: fc.integer({ min: 1, max: 30 }),
})

test('a page of few and of many matches is a part of the whole list', async () => {
  await fc.assert(
    fc.asyncProperty(question, async ({ caller, search, sort, direction, offset, limit }) => {
      const page = (list: typeof deviceList, query: Partial<ListQuery>) =>
        listPage(db, list, ownDevices(caller), ListQuery.parse({ ...search, sort, direction, ...query }))
      const whole = await page(deviceList, { limit: 1000 })
      const expected = { count: whole.keys.length, keys: whole.keys.slice(offset, offset + limit) }
      expect(await page(deviceList, { offset, limit })).toEqual(expected)
      expect(await page({ ...deviceList, fewMatches: 0 }, { offset, limit })).toEqual(expected)
    }),
    { numRuns: 150 },
  )
})
