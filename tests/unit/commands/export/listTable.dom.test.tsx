/** The pages that a list export reads, and its notes. */
import { beforeEach, expect, test, vi } from 'vitest'
import type { ListQuery } from '../../../../src/api/contract/endpoint.ts'
import * as readList from '../../../../src/api/readList.ts'
import { listTable } from '../../../../src/commands/export/listTable.ts'
import { deviceColumns } from '../../../../src/domain/columns/devices.ts'
import { findingColumns } from '../../../../src/domain/columns/findings.ts'
import { defaultUnits } from '../../../../src/domain/units.ts'
import { lists, resetLists } from '../../../../src/store/lists.ts'

const groups = Array.from({ length: 2500 }, (_, at) => ({
  _id: `id ${at}`,
  name: `group ${String(at).padStart(4, '0')}`,
  created_at: '2026-03-29T00:59:59.700Z',
  updated_at: '2026-10-25T01:00:00.000Z',
}))
type Rows = typeof groups

/** Mocks a server that lists these rows, or those from a name on, and returns the queries that it receives. */
function mockRows(rows: () => Rows) {
  const queries: ListQuery[] = []
  vi.spyOn(readList, 'readList').mockImplementation((_entity, query) => {
    queries.push(query)
    const { offset = 0, limit = 20, search = '', operator } = query as { offset?: number; limit?: number } & ListQuery
    const found = operator === 'ge' ? rows().filter(row => row.name >= search) : rows()
    return Promise.resolve({ count: found.length, data: found.slice(offset, offset + limit) } as never)
  })
  return queries
}

const progress = { report: () => undefined, signal: new AbortController().signal }
const view = { units: defaultUnits, zone: 'Europe/Berlin', now: Date.parse('2026-11-20T16:00:00Z') }
const request = { entity: 'groups', list: lists.groups, columns: 'all', view, progress } as const

async function read({ table }: ReturnType<typeof listTable>) {
  const rows = []
  for await (const page of table.pages) rows.push(...page)
  return { rows, notes: table.notes() }
}

beforeEach(() => {
  resetLists()
  vi.restoreAllMocks()
})

test('exports all matches, in pages of 1,000 that overlap by one row', async () => {
  const calls = mockRows(() => groups)
  Object.assign(lists.groups, { search: 'group', sort: 'name', direction: 'desc', page: 7 })
  const { rows, notes } = await read(listTable(request))
  expect(rows).toHaveLength(2500)
  expect(rows[0]).toEqual(['group 0000', '2026-03-29T01:59:59+01:00', '2026-10-25T02:00:00+01:00'])
  expect(calls.map(({ offset, limit }) => [offset, limit])).toEqual([0, 999, 1998].map(offset => [offset, 1000]))
  expect(calls[0]).toMatchObject({ search: 'group', sort: 'name', direction: 'desc' })
  expect(notes).toEqual([
    'Exported 2026-11-20T17:00:00+01:00, times in Europe/Berlin',
    'Search: Name contains ‘group’',
    'Sorted by Name, descending',
    '2,500 groups',
  ])
})

test('exports only the visible columns', async () => {
  mockRows(() => groups)
  lists.groups.shown.created_at = false
  const { table } = listTable({ ...request, columns: 'shown' })
  expect(table.columns.map(({ key }) => key)).toEqual(['name', 'updated_at'])
})

test.each([
  ['few are read one by one', 3, 3],
  ['many are read in pages', 600, 3],
])('exports only selected rows: %s', async (_, count, maxRequests) => {
  const bssid = (at: number) => `A4:1C:09:00:${String(at).padStart(4, '0').replace(/../, '$&:')}`
  const fleet = Array.from({ length: 2500 }, (_one, at) => ({ bssid: bssid(at), vendor: {} }))
  const queries: ListQuery[] = []
  vi.spyOn(readList, 'readList').mockImplementation((_entity, query) => {
    queries.push(query)
    const found = fleet.filter(device => device.bssid >= (query.search ?? ''))
    return Promise.resolve({ count: found.length, data: found.slice(0, Number(query.limit)) } as never)
  })
  for (const id of Object.keys(deviceColumns)) lists.devices.shown[id] = id === 'bssid'
  const ids = Array.from({ length: count }, (_one, at) => bssid(at * 4))
  // The last one no longer exists.
  const only = [...ids.toReversed(), 'A4:1C:09:00:00:00X']
  const { rows, notes } = await read(
    listTable({ ...request, entity: 'devices', list: lists.devices, columns: 'shown', only }),
  )
  expect(rows.flat()).toEqual(ids)
  expect(notes).toContain('1 selected row no longer exists')
  expect(queries.length).toBeLessThanOrEqual(maxRequests + 1)
})

test('a row that was missed because the order changed is added at the end, with a note', async () => {
  let pages = 0
  // Before the second page is read, the last row moves to the front.
  mockRows(() => (pages++ === 0 ? groups : [groups.at(-1)!, ...groups.slice(0, -1)]))
  lists.groups.sort = 'name'
  const { rows, notes } = await read(listTable(request))
  expect(new Set(rows.map(([name]) => name)).size).toBe(2500)
  expect(rows.at(-1)![0]).toBe('group 2499')
  expect(notes).toContain('The order changed while the list was read: 1 row at the end is out of order.')
})

test('no finding is lost when one is open again while findings are read in their own order, in which open ones come first', async () => {
  const all = Array.from({ length: 1500 }, (_, at) => ({
    _id: `id ${at}`,
    bssid: `device ${at}`,
    vendor: {},
    isOpen: false,
  }))
  let pages = 0
  vi.spyOn(readList, 'readList').mockImplementation((_entity, query) => {
    // Before the second page is read, the last finding moves to the first page.
    if (pages++ === 1) all.at(-1)!.isOpen = true
    const { offset = 0, limit = 20, sort } = query as { offset?: number; limit?: number; sort?: string }
    const inOrder = sort ? all : all.toSorted((a, b) => Number(b.isOpen) - Number(a.isOpen))
    return Promise.resolve({ count: all.length, data: inOrder.slice(offset, offset + limit) } as never)
  })
  for (const id of Object.keys(findingColumns)) lists.findings.shown[id] = id === 'bssid'
  const { rows } = await read(listTable({ ...request, entity: 'findings', list: lists.findings, columns: 'shown' }))
  expect(rows).toHaveLength(1500)
  expect(rows.flat()).toContain('device 1499')
})
