/** Section 4, List behaviour. */
import { beforeEach, describe, expect, test } from 'vitest'
import { queryOf } from '../../../src/api/readList.ts'
import {
  lists,
  nextDirection,
  resetLists,
  setLimit,
  setPage,
  setSearch,
  setSearchBy,
  sortBy,
} from '../../../src/store/lists.ts'

const list = lists.devices
const sent = () => queryOf(list)
beforeEach(resetLists)

test('it starts at page 1 with 20 rows, contains, unsorted', () => {
  expect(sent()).toEqual({ offset: 0, limit: 20 })
  expect(list.operator).toBe('co')
  expect(list.column).toBeUndefined()
})

test('a page is an offset', () => {
  setPage(list, 3)
  expect(sent()).toEqual({ offset: 40, limit: 20 })
  setPage(list, 0)
  expect(list.page).toBe(1)
})

test('another limit or search starts on page 1', () => {
  setPage(list, 3)
  setLimit(list, 100)
  expect(sent()).toEqual({ offset: 0, limit: 100 })
  setPage(list, 3)
  setSearch(list, 'A4')
  expect(sent()).toMatchObject({ offset: 0, search: 'A4', operator: 'co' })
  // The same text again is no change.
  setPage(list, 2)
  setSearch(list, 'A4')
  expect(list.page).toBe(2)
})

describe('column and operator', () => {
  test('change nothing while there is no search text', () => {
    setPage(list, 3)
    const before = sent()
    setSearchBy(list, { column: 'model' })
    setSearchBy(list, { operator: 'sw' })
    expect(sent()).toEqual(before)
    expect(list.page).toBe(3)
  })

  test('start on page 1 where there is one', () => {
    setSearch(list, 'RO')
    setPage(list, 3)
    setSearchBy(list, { column: 'model' })
    expect(sent()).toMatchObject({ offset: 0, search: 'RO', column: 'model', operator: 'co' })
    setPage(list, 3)
    setSearchBy(list, { operator: 'sw' })
    expect(sent()).toMatchObject({ offset: 0, column: 'model', operator: 'sw' })
  })
})

/** Gives a column's head a press. */
const press = (column: string) => {
  const direction = nextDirection(list, column)
  if (direction === 'none') sortBy(list, undefined, 'asc')
  else sortBy(list, column, direction)
}

test('the same column goes up, down, none; another starts up', () => {
  press('model')
  expect(sent()).toMatchObject({ sort: 'model', direction: 'asc' })
  press('model')
  expect(sent()).toMatchObject({ sort: 'model', direction: 'desc' })
  press('model')
  expect(sent()).toEqual({ offset: 0, limit: 20 })
  press('model')
  press('model')
  press('status')
  expect(sent()).toMatchObject({ sort: 'status', direction: 'asc' })
})

test('logging out resets every list to its initial state', () => {
  const initial = { ...list, shown: { ...list.shown } }
  setLimit(list, 50)
  setSearch(list, 'x')
  setSearchBy(list, { column: 'model', operator: 'eq' })
  press('model')
  list.shown.firmware = true
  setPage(list, 4)
  resetLists()
  expect({ ...list }).toEqual(initial)
})
