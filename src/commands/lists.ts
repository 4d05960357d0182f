/** Moving in a list, selecting in it, and asking it for something else. */
import * as z from 'zod/mini'
import { devices, deviceColumns } from '../api/contract/devices.ts'
import { operatorNames, operators } from '../api/contract/endpoint.ts'
import { labelled } from '../api/contract/fields.ts'
import { matchingDevices } from '../api/matching.ts'
import { columnNames } from '../domain/columnNames.ts'
import { deviceRoles } from '../domain/roles.ts'
import { cycleSort, limits, setLimit, setPage, setSearch, setSearchBy, sortBy } from '../store/lists.ts'
import { selection } from '../store/selection.ts'
import { defineCommand } from './command.ts'
import { pickable, type ListContext } from './context.ts'
import { columnVisible } from '../store/columns.ts'
import { listedRows, notOnFirstPage, notOnLastPage, rowInFocus, someSelected, theList } from './needs.ts'
import { matchScore } from './rank.ts'
import { lastPage, moveFocus, moveFocusTo, turnPage } from './rows.ts'

const columns = Object.keys(deviceColumns.by) as (keyof typeof deviceColumns.by)[]
const names = columns.map(column => columnNames.devices[column])
const Column = z.enum(columns)

/** Selects from the row where the range began to the focused one. */
function selectRange(list: ListContext): void {
  const from = list.rows.findIndex(row => row.id === list.focus.anchor)
  const to = list.rows.findIndex(row => row.id === list.focus.id)
  if (to < 0) return
  const [start, end] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)]
  selection.add(list.rows.slice(start, end + 1))
}

const extend = (by: 1 | -1) => (list: ListContext) => {
  list.focus.anchor ??= list.focus.id
  moveFocus(list, by, { keepAnchor: true })
  selectRange(list)
}

const move = { group: 'list', roles: deviceRoles, needs: listedRows, keysOnly: true, on: ['table'] } as const

export const listCommands = [
  defineCommand({
    ...move,
    id: 'list.down',
    title: 'Next row',
    keys: ['j', 'ArrowDown'],
    on: ['table', 'status'],
    short: 'down',
    run: list => moveFocus(list, 1),
  }),
  defineCommand({
    ...move,
    id: 'list.up',
    title: 'Previous row',
    keys: ['k', 'ArrowUp'],
    on: ['table', 'status'],
    short: 'up',
    run: list => moveFocus(list, -1),
  }),
  defineCommand({
    ...move,
    id: 'list.first',
    title: 'First row of the page',
    keys: 'Home',
    run: list => moveFocusTo(list, 0),
  }),
  defineCommand({
    ...move,
    id: 'list.last',
    title: 'Last row of the page',
    keys: 'End',
    run: list => moveFocusTo(list, list.rows.length - 1),
  }),
  defineCommand({
    ...move,
    id: 'list.pageDown',
    title: 'Ten rows down',
    keys: 'PageDown',
    run: list => moveFocus(list, 10),
  }),
  defineCommand({
    ...move,
    id: 'list.pageUp',
    title: 'Ten rows up',
    keys: 'PageUp',
    run: list => moveFocus(list, -10),
  }),
  defineCommand({
    ...move,
    id: 'list.toggleRow',
    title: 'Select the row, or not',
    keys: 'x',
    on: ['table', 'status'],
    short: 'select',
    needs: rowInFocus,
    run({ row, list }) {
      selection.toggle(row)
      list.focus.anchor = row.id
    },
  }),
  defineCommand({
    ...move,
    id: 'list.selectRange',
    title: 'Select the range from the last row',
    keys: 'shift+x',
    on: ['table', 'status'],
    short: 'range',
    run: selectRange,
  }),
  defineCommand({
    ...move,
    id: 'list.extendDown',
    title: 'Extend the selection down',
    keys: 'shift+ArrowDown',
    run: extend(1),
  }),
  defineCommand({
    ...move,
    id: 'list.extendUp',
    title: 'Extend the selection up',
    keys: 'shift+ArrowUp',
    run: extend(-1),
  }),
  defineCommand({
    id: 'list.selectPage',
    title: 'Select the page',
    group: 'list',
    icon: 'select',
    keys: 'mod+a',
    on: ['table'],
    roles: deviceRoles,
    needs: listedRows,
    run(list) {
      const all = list.rows.every(row => selection.has(row.id))
      if (all) selection.remove(list.rows.map(row => row.id))
      else selection.add(list.rows)
    },
  }),
  defineCommand({
    id: 'list.selectAll',
    title: 'Select all that match',
    group: 'list',
    icon: 'select',
    keys: 'mod+shift+a',
    keywords: ['everything', 'all pages'],
    on: ['pager'],
    endpoint: devices.list,
    needs: listedRows,
    label: ({ list }) =>
      list?.count === undefined ? 'Select all that match' : `Select all ${list.count.toLocaleString('en')}`,
    async run(list, _, { progress }) {
      const found = await matchingDevices(list.state, progress)
      selection.add(found.map(pickable))
      return `Selected ${found.length.toLocaleString('en')} devices`
    },
    doing: 'Selecting',
  }),
  defineCommand({
    id: 'list.clearSelection',
    title: 'Clear the selection',
    group: 'list',
    icon: 'close',
    keywords: ['deselect', 'none'],
    on: ['pager', 'panel'],
    roles: deviceRoles,
    needs: someSelected,
    run: () => selection.clear(),
  }),
  defineCommand({
    id: 'list.escape',
    title: 'Undo the search, then the selection',
    group: 'list',
    keys: 'Escape',
    keysOnly: true,
    on: ['table'],
    roles: deviceRoles,
    needs: theList,
    run(list) {
      if (list.state.search !== '') setSearch(list.state, '')
      else if (selection.size > 0) selection.clear()
    },
  }),
  defineCommand({
    id: 'list.focusSearch',
    title: 'Search in the list',
    group: 'list',
    icon: 'search',
    keys: '/',
    keywords: ['filter', 'find'],
    on: ['toolbar'],
    roles: deviceRoles,
    needs: theList,
    run: () => document.querySelector<HTMLInputElement>('[data-list-search]')?.select(),
  }),
  defineCommand({
    id: 'list.searchBy',
    title: 'Search by column and operator',
    group: 'list',
    icon: 'search',
    keys: 'shift+o',
    on: ['toolbar'],
    roles: deviceRoles,
    needs: theList,
    args: z.object({
      column: z.optional(labelled(Column, { label: 'Column', names })),
      operator: z.optional(
        labelled(z.enum(operators), { label: 'Operator', names: operators.map(o => operatorNames[o]) }),
      ),
    }),
    run: (list, by) => setSearchBy(list.state, by),
  }),
  defineCommand({
    id: 'list.sort',
    title: 'Sort by',
    group: 'list',
    icon: 'columns',
    keys: 'shift+s',
    keywords: ['order'],
    on: ['toolbar'],
    roles: deviceRoles,
    needs: theList,
    args: z.object({
      column: labelled(Column, { label: 'Column', names }),
      direction: labelled(z.enum(['asc', 'desc', 'none']), {
        label: 'Direction',
        names: ['Ascending', 'Descending', 'None'],
      }),
    }),
    run: (list, { column, direction }) =>
      direction === 'none' ? sortBy(list.state, undefined, 'asc') : sortBy(list.state, column, direction),
  }),
  defineCommand({
    id: 'list.cycleSort',
    title: 'Sort by a column: ascending, descending, not',
    group: 'list',
    keysOnly: true,
    on: ['table'],
    roles: deviceRoles,
    needs: theList,
    args: z.object({ column: Column }),
    run: (list, { column }) => cycleSort(list.state, column),
  }),
  defineCommand({
    id: 'list.previousPage',
    title: 'Previous page',
    group: 'list',
    icon: 'left',
    keys: '[',
    on: ['pager', 'status'],
    short: 'page',
    roles: deviceRoles,
    needs: notOnFirstPage,
    run: list => turnPage(list, -1),
  }),
  defineCommand({
    id: 'list.nextPage',
    title: 'Next page',
    group: 'list',
    icon: 'right',
    keys: ']',
    on: ['pager', 'status'],
    short: 'page',
    roles: deviceRoles,
    needs: notOnLastPage,
    run: list => turnPage(list, 1),
  }),
  defineCommand({
    id: 'list.goToPage',
    title: 'Go to page',
    group: 'list',
    icon: 'right',
    keys: 'shift+g',
    on: ['pager'],
    roles: deviceRoles,
    needs: theList,
    args: z.object({ page: labelled(z.number().check(z.int(), z.gte(1)), { label: 'Page' }) }),
    run: (list, { page }) => setPage(list.state, Math.min(page, lastPage(list))),
  }),
  defineCommand({
    id: 'list.limit',
    title: 'Rows on a page',
    group: 'list',
    icon: 'menu',
    keys: 'shift+l',
    keywords: ['limit', 'page size'],
    on: ['pager'],
    roles: deviceRoles,
    needs: theList,
    args: z.object({ limit: labelled(z.literal(limits), { label: 'Rows' }) }),
    run: (list, { limit }) => setLimit(list.state, limit),
  }),
  defineCommand({
    id: 'list.columns',
    title: 'Show or hide a column',
    group: 'list',
    icon: 'columns',
    keys: 'shift+c',
    keywords: ['toggle'],
    on: ['toolbar'],
    roles: deviceRoles,
    needs: theList,
    args: z.object({ column: labelled(Column, { label: 'Column', names }) }),
    choices: {
      column: ({ list }, query) =>
        columns
          .filter(column => matchScore(query, columnNames.devices[column]) > 0)
          .map(column => ({
            value: column,
            name: columnNames.devices[column],
            detail: list && columnVisible(list.entity, list.state, column) ? 'shown' : 'hidden',
          })),
    },
    run(list, { column }) {
      list.state.shown[column] = !columnVisible(list.entity, list.state, column)
    },
  }),
]
