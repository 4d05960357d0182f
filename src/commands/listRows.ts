/** Moving from row to row, and selecting them. */
import { itemOf } from '../api/lists.ts'
import { matching } from '../api/matching.ts'
import { roles } from '../domain/roles.ts'
import { setSearch } from '../store/lists.ts'
import { selections } from '../store/selection.ts'
import { defineCommand } from './command.ts'
import type { ListContext } from './context.ts'
import { countOf } from './phrases.ts'
import { listedRows, rowInFocus, someSelected, theList } from './needs.ts'
import { moveFocus, moveFocusTo } from './rows.ts'

/** Selects from the row where the range began to the focused one. */
function selectRange(list: ListContext): void {
  const from = list.rows.findIndex(row => row.id === list.focus.anchor)
  const to = list.rows.findIndex(row => row.id === list.focus.id)
  if (to < 0) return
  const [start, end] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)]
  selections[list.entity].add(list.rows.slice(start, end + 1))
}

/** Selects the focused row and the one that it moves to. */
const extend = (by: 1 | -1) => (list: ListContext) => {
  const focused = () => list.rows.filter(row => row.id === list.focus.id)
  const selection = selections[list.entity]
  selection.add(focused())
  list.focus.anchor ??= list.focus.id
  moveFocus(list, by)
  selection.add(focused())
}

const move = { group: 'list', inList: true, roles, needs: listedRows, keysOnly: true, on: ['table'] } as const

export const rowCommands = [
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
      const selection = selections[list.entity]
      if (selection.has(row.id)) selection.remove([row.id])
      else selection.add([row])
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
    inList: true,
    icon: 'select',
    keys: 'mod+a',
    on: ['table'],
    roles,
    needs: listedRows,
    run(list) {
      const selection = selections[list.entity]
      const all = list.rows.every(row => selection.has(row.id))
      if (all) selection.remove(list.rows.map(row => row.id))
      else selection.add(list.rows)
    },
  }),
  defineCommand({
    id: 'list.selectAll',
    title: 'Select all that match',
    group: 'list',
    inList: true,
    icon: 'select',
    keys: 'mod+shift+a',
    keywords: ['everything', 'all pages'],
    on: ['pager'],
    roles,
    needs: listedRows,
    label: ({ list }) =>
      list?.count === undefined ? 'Select all that match' : `Select all ${list.count.toLocaleString('en')}`,
    async run(list, _, { progress }) {
      const found = await matching(list.entity, list.state, progress)
      selections[list.entity].add(found.map(row => itemOf(list.entity, row)))
      return `Selected ${countOf(found.length, list.entity)}`
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
    roles,
    needs: someSelected,
    run: selection => selection.clear(),
  }),
  defineCommand({
    id: 'list.escape',
    title: 'Undo the search, then the selection',
    group: 'list',
    inList: true,
    keys: 'Escape',
    keysOnly: true,
    on: ['table'],
    roles,
    needs: theList,
    run(list) {
      if (list.state.search !== '') setSearch(list.state, '')
      else selections[list.entity].clear()
    },
  }),
]
