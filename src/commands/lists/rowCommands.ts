/** Commands that move the focus between rows, open the row menu, and clear the search. */
import { roles } from '../../domain/roles.ts'
import { closePanelDrawer } from '../../store/layout.ts'
import { setSearch } from '../../store/lists.ts'
import { selections } from '../../store/selection.ts'
import { definePlainCommand } from '../core/buildCommand.ts'
import { moveFocusBy, moveFocusTo } from '../core/listRows.ts'
import { moveCommands, rowMoves } from '../core/moveCommands.ts'
import { listedRows, rowInFocus, currentList } from '../core/needs.ts'

const rowCommand = { group: 'list', inList: true, roles } as const
const moves = rowMoves({
  down: 'Next row',
  up: 'Previous row',
  first: 'First row of the page',
  last: 'Last row of the page',
  pageDown: 'Ten rows down',
  pageUp: 'Ten rows up',
})

export const rowCommands = [
  ...moveCommands('list', { ...rowCommand, needs: listedRows }, moves, (list, by) =>
    Number.isFinite(by) ? moveFocusBy(list, by) : moveFocusTo(list, by < 0 ? 0 : list.rows.length - 1),
  ),
  definePlainCommand({
    ...rowCommand,
    id: 'list.rowMenu',
    title: 'Open row menu',
    keys: ['shift+F10', 'ContextMenu'],
    keysOnly: true,
    needs: rowInFocus,
    run: ({ row, list }, _, { openRowMenu }) => openRowMenu(list.entity, row),
  }),
  definePlainCommand({
    ...rowCommand,
    id: 'list.escape',
    title: 'Clear search, then selection',
    selection: 'changes',
    keys: 'Escape',
    keysOnly: true,
    needs: currentList,
    run(list) {
      // An open drawer covers the list and is closed first.
      if (closePanelDrawer()) return
      if (list.state.search !== '') setSearch(list.state, '')
      else selections[list.entity].clear()
    },
  }),
]
