/** Moving from row to row. */
import { roles } from '../../domain/roles.ts'
import { setSearch } from '../../store/lists.ts'
import { selections } from '../../store/selection.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { moveFocus, moveFocusTo } from '../core/listRows.ts'
import { listedRows, rowInFocus, theList } from '../core/needs.ts'

const move = { group: 'list', inList: true, roles, needs: listedRows, keysOnly: true } as const

export const rowCommands = [
  defineCommand({
    ...move,
    id: 'list.down',
    title: 'Next row',
    keys: ['j', 'ArrowDown'],
    on: ['status'],
    short: 'down',
    run: list => moveFocus(list, 1),
  }),
  defineCommand({
    ...move,
    id: 'list.up',
    title: 'Previous row',
    keys: ['k', 'ArrowUp'],
    on: ['status'],
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
    id: 'list.rowMenu',
    title: 'Open the menu of the row',
    keys: ['shift+F10', 'ContextMenu'],
    needs: rowInFocus,
    run: ({ row, list }, _, { openRowMenu }) => openRowMenu(list.entity, row),
  }),
  defineCommand({
    id: 'list.escape',
    title: 'Undo the search, then the selection',
    group: 'list',
    inList: true,
    keys: 'Escape',
    keysOnly: true,
    roles,
    needs: theList,
    run(list) {
      if (list.state.search !== '') setSearch(list.state, '')
      else selections[list.entity].clear()
    },
  }),
]
