/** Moving from row to row, and selecting them. */
import { roles } from '../../domain/roles.ts'
import { setSearch } from '../../store/lists.ts'
import { selections, type Selection } from '../../store/selection.ts'
import { defineCommand, type Services } from '../core/command.ts'
import type { ListContext } from '../core/context.ts'
import { listedRows, rowInFocus, someSelected, theList } from '../core/needs.ts'
import { moveFocus, moveFocusTo } from './rows.ts'
import { openRowMenu } from '../../store/rowMenu.ts'

/**
 * The selection of the list, whose items are known: one that follows a search is fixed first, so that a row can be
 * taken out of it.
 */
async function known({ entity }: ListContext, { progress }: Services): Promise<Selection> {
  const selection = selections[entity]
  if (selection.query) await (await import('../selection/materialize.ts')).fixed(entity, progress)
  return selection
}

/** Selects from the row where the range began to the focused one. */
async function selectRange(list: ListContext, _: unknown, services: Services): Promise<void> {
  const from = list.rows.findIndex(row => row.id === list.focus.anchor)
  const to = list.rows.findIndex(row => row.id === list.focus.id)
  if (to < 0) return
  const [start, end] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)]
  const range = list.rows.slice(start, end + 1)
  const selection = await known(list, services)
  selection.add(range, 'a range')
}

/** Selects the focused row and the one that it moves to. */
const extend = (by: 1 | -1) => async (list: ListContext, _: unknown, services: Services) => {
  const focused = () => list.rows.filter(row => row.id === list.focus.id)
  const selection = await known(list, services)
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
    icon: 'check',
    keys: 'x',
    on: ['table', 'row', 'status'],
    short: 'select',
    needs: rowInFocus,
    async run({ row, list }, _, services) {
      list.focus.anchor = row.id
      const selection = await known(list, services)
      if (selection.has(row.id)) selection.remove([row.id])
      else selection.add([row])
    },
  }),
  defineCommand({
    ...move,
    id: 'list.rowMenu',
    title: 'Open the menu of the row',
    keys: ['shift+F10', 'ContextMenu'],
    needs: rowInFocus,
    run({ row, list }) {
      const at = document.querySelector(`[role=row][data-id="${CSS.escape(row.id)}"]`)?.getBoundingClientRect()
      if (at) openRowMenu({ x: at.left + 48, y: at.bottom }, list.entity, row)
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
    on: ['table', 'select'],
    roles,
    needs: listedRows,
    async run(list, _, services) {
      const selection = await known(list, services)
      const all = list.rows.every(row => selection.has(row.id))
      if (all) selection.remove(list.rows.map(row => row.id))
      else selection.add(list.rows, `page ${list.state.page.toLocaleString('en')}`)
    },
  }),
  defineCommand({
    id: 'list.clearSelection',
    title: 'Clear the selection',
    group: 'list',
    icon: 'close',
    keywords: ['deselect', 'none'],
    on: ['selection', 'select', 'panel'],
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
