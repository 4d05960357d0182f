/** Section 4 of the specification, List behaviour. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { queryOf } from '../../../src/api/readList.ts'
// Follows the columns of other tabs.
import '../../../src/store/columns.ts'
import { afterFirstRows } from '../../../src/store/firstRows.ts'
import {
  lists,
  nextDirection,
  resetLists,
  setLimit,
  setPage,
  setSearch,
  setSearchBy,
  sortBy,
  type ListState,
} from '../../../src/store/lists.ts'

const list = lists.devices
const query = () => queryOf(list)
beforeEach(resetLists)

test('a list starts unsorted at page 1 with 20 rows and the operator ‘contains’', () => {
  expect(query()).toEqual({ offset: 0, limit: 20 })
  expect(list.operator).toBe('co')
  expect(list.column).toBeUndefined()
})

test('the page is sent as an offset', () => {
  setPage(list, 3)
  expect(query()).toEqual({ offset: 40, limit: 20 })
  setPage(list, 0)
  expect(list.page).toBe(1)
})

test('a new limit or search resets to page 1', () => {
  setPage(list, 3)
  setLimit(list, 100)
  expect(query()).toEqual({ offset: 0, limit: 100 })
  setPage(list, 3)
  setSearch(list, 'A4')
  expect(query()).toMatchObject({ offset: 0, search: 'A4', operator: 'co' })
  // The same text is no change.
  setPage(list, 2)
  setSearch(list, 'A4')
  expect(list.page).toBe(2)
})

describe('column and operator', () => {
  test('do not change the request without a search text', () => {
    setPage(list, 3)
    const before = query()
    setSearchBy(list, { column: 'model' })
    setSearchBy(list, { operator: 'sw' })
    expect(query()).toEqual(before)
    expect(list.page).toBe(3)
  })

  test('reset to page 1 with a search text', () => {
    setSearch(list, 'RO')
    setPage(list, 3)
    setSearchBy(list, { column: 'model' })
    expect(query()).toMatchObject({ offset: 0, search: 'RO', column: 'model', operator: 'co' })
    setPage(list, 3)
    setSearchBy(list, { operator: 'sw' })
    expect(query()).toMatchObject({ offset: 0, column: 'model', operator: 'sw' })
  })
})

/** Sorts as a click on the column's header would. */
const clickHeader = (column: string) => {
  const direction = nextDirection(list, column)
  if (direction === 'none') sortBy(list, undefined, 'asc')
  else sortBy(list, column, direction)
}

test('a column sorts ascending, descending, then not at all; another one starts ascending', () => {
  clickHeader('model')
  expect(query()).toMatchObject({ sort: 'model', direction: 'asc' })
  clickHeader('model')
  expect(query()).toMatchObject({ sort: 'model', direction: 'desc' })
  clickHeader('model')
  expect(query()).toEqual({ offset: 0, limit: 20 })
  clickHeader('model')
  clickHeader('model')
  clickHeader('status')
  expect(query()).toMatchObject({ sort: 'status', direction: 'asc' })
})

test('resetLists, which signing out calls, restores the initial state', () => {
  const initial = { ...list, shown: { ...list.shown } }
  setLimit(list, 50)
  setSearch(list, 'x')
  setSearchBy(list, { column: 'model', operator: 'eq' })
  clickHeader('model')
  list.shown.firmware = true
  setPage(list, 4)
  resetLists()
  expect({ ...list }).toEqual(initial)
})

describe('the columns', () => {
  const stored = (name: string) => JSON.parse(localStorage.getItem(`permeate:${name}`) ?? '{}') as Partial<ListState>

  test('of another tab are applied, and the search of each tab stays', async () => {
    await afterFirstRows()
    setSearch(list, 'A4')
    // What another tab stores after its person has pinned a column.
    localStorage.setItem(
      'permeate:columns:devices',
      '{"shown":{},"order":[],"widths":{"status":90},"pinned":["status"]}',
    )
    localStorage.setItem('permeate:list:devices', '{"search":"FE"}')
    window.dispatchEvent(new StorageEvent('storage', { key: 'permeate:columns:devices' }))
    expect(list).toMatchObject({ search: 'A4', pinned: ['status'], widths: { status: 90 } })
    setPage(list, 2)
    expect(stored('columns:devices').pinned).toEqual(['status'])
    expect(stored('list:devices')).toMatchObject({ search: 'A4', page: 2 })
    expect(stored('list:devices').pinned).toBeUndefined()
  })

  test('that an earlier version stored with the search are read', async () => {
    localStorage.clear()
    localStorage.setItem('permeate:list:groups', '{"search":"north","pinned":["updated_at"]}')
    vi.resetModules()
    const { lists: restored } = await import('../../../src/store/lists.ts')
    expect(restored.groups).toMatchObject({ search: 'north', pinned: ['updated_at'] })
  })
})
