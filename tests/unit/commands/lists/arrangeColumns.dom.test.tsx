/** The person's arrangement of a list's columns. */
import { beforeEach, expect, test } from 'vitest'
import {
  isRearranged,
  moveColumn,
  resetColumns,
  setColumnWidth,
  setPinned,
} from '../../../../src/commands/lists/arrangeColumns.ts'
import { isFlag, isListOf, isNumber, isRecordOf, isText } from '../../../../src/domain/lib/checks.ts'
import { columnWidth, orderedColumns } from '../../../../src/store/columns.ts'
import { lists, resetLists, type ListState } from '../../../../src/store/lists.ts'
import { readStored } from '../../../../src/store/persist.ts'

// Its columns: name, created_at, updated_at.
const list = lists.groups
const order = () => orderedColumns('groups', list)
beforeEach(resetLists)

test('columns keep their default order until one is moved; the first stays first', () => {
  expect(order()).toEqual(['name', 'created_at', 'updated_at'])
  moveColumn('groups', list, 'updated_at', 'created_at')
  expect(order()).toEqual(['name', 'updated_at', 'created_at'])
  moveColumn('groups', list, 'updated_at', undefined)
  expect(order()).toEqual(['name', 'created_at', 'updated_at'])
  moveColumn('groups', list, 'name', undefined)
  moveColumn('groups', list, 'updated_at', 'name')
  expect(order()).toEqual(['name', 'updated_at', 'created_at'])
})

test('a column that a stored order does not know follows its neighbour, and one that is gone is left out', () => {
  list.order = ['name', 'updated_at', 'gone']
  expect(order()).toEqual(['name', 'created_at', 'updated_at'])
  lists.vendors.order = ['login', 'description', 'company_name']
  expect(orderedColumns('vendors', lists.vendors)).toContain('company_address')
  expect(new Set(orderedColumns('vendors', lists.vendors)).size).toBe(orderedColumns('vendors', lists.vendors).length)
})

test('pinned columns come after the first one; a column moved among them is pinned, one moved away is not', () => {
  setPinned(list, 'updated_at', true)
  expect(order()).toEqual(['name', 'updated_at', 'created_at'])
  moveColumn('groups', list, 'created_at', 'updated_at')
  expect(list.pinned.toSorted()).toEqual(['created_at', 'updated_at'])
  expect(order()).toEqual(['name', 'created_at', 'updated_at'])
  moveColumn('groups', list, 'created_at', undefined)
  expect(list.pinned).toEqual(['updated_at'])
  expect(order()).toEqual(['name', 'updated_at', 'created_at'])
})

test('widths are whole pixels within the limits', () => {
  expect(columnWidth('groups', list, 'name')).toBe(320)
  setColumnWidth(list, 'name', 211.6)
  expect(columnWidth('groups', list, 'name')).toBe(212)
  setColumnWidth(list, 'name', 3)
  expect(columnWidth('groups', list, 'name')).toBe(48)
  setColumnWidth(list, 'name', 9000)
  expect(columnWidth('groups', list, 'name')).toBe(800)
})

test('the arrangement is stored, and a reset returns to the list’s own', async () => {
  expect(isRearranged(list)).toBe(false)
  setPinned(list, 'updated_at', true)
  setColumnWidth(list, 'name', 200)
  moveColumn('groups', list, 'created_at', undefined)
  list.shown['created_at'] = false
  expect(isRearranged(list)).toBe(true)
  await Promise.resolve()
  const stored = readStored<ListState>('columns:groups', {
    pinned: isListOf(isText),
    widths: isRecordOf(isNumber),
    order: isListOf(isText),
    shown: isRecordOf(isFlag),
  })
  expect(stored).toMatchObject({
    pinned: ['updated_at'],
    widths: { name: 200 },
    order: ['name', 'updated_at', 'created_at'],
    shown: { created_at: false },
  })
  resetColumns(list)
  expect(isRearranged(list)).toBe(false)
  expect(order()).toEqual(['name', 'created_at', 'updated_at'])
})
