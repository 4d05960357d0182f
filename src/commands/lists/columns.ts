/** Commands that arrange the columns of a list, and the height of the rows of all lists. */
import * as z from 'zod/mini'
import { withMeta } from '../../api/contract/fields.ts'
import { columnLabel } from '../../domain/lists/lists.ts'
import { roles } from '../../domain/roles.ts'
import { isRearranged, moveColumn, resetColumns, setColumnWidth, setPinned } from './arrangeColumns.ts'
import { columnWidths, isColumnVisible, isPinned, keyColumn, orderedColumns } from '../../store/columns.ts'
import { preferences } from '../../store/preferences.ts'
import type { ListContext } from '../core/context.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { currentList, nothing } from '../core/needs.ts'
import type { Choices, Needs, Option } from '../core/types.ts'
import { Column } from './commands.ts'

/** The place after all columns, as a value of the argument that otherwise is the column to move before. */
const atEnd = 'end'

const Width = z.number().check(z.gte(columnWidths.min), z.lte(columnWidths.max))

/** Returns choices among the columns of the list on screen, in their order. The matching code is loaded on first use. */
const columnsAs =
  (optionsOf: (list: ListContext, columns: readonly string[]) => readonly Option[]): Choices =>
  async ({ list }, query) => {
    if (!list) return []
    const { filterByName } = await import('../arguments/rank.ts')
    return filterByName(query, optionsOf(list, orderedColumns(list.entity, list.state)), ({ name }) => name)
  }

const optionOf = ({ entity, state }: ListContext, column: string): Option => {
  const pinned = isPinned(entity, state, column) ? 'pinned' : 'shown'
  return {
    value: column,
    name: columnLabel(entity, column),
    detail: isColumnVisible(entity, state, column) ? pinned : 'hidden',
  }
}
const visible = ({ entity, state }: ListContext, columns: readonly string[]) =>
  columns.filter(column => isColumnVisible(entity, state, column))
/** The columns that can be moved: all but the first one. */
const movable = (list: ListContext, columns: readonly string[]) =>
  visible(list, columns).filter(column => column !== keyColumn(list.entity))

const anyColumn = columnsAs((list, columns) => columns.map(column => optionOf(list, column)))
const visibleColumn = columnsAs((list, columns) => visible(list, columns).map(column => optionOf(list, column)))
const movableColumn = columnsAs((list, columns) => movable(list, columns).map(column => optionOf(list, column)))
const place = columnsAs((list, columns) => [
  ...movable(list, columns).map(column => ({ value: column, name: `Before ${columnLabel(list.entity, column)}` })),
  { value: atEnd, name: 'At the end' },
])

const rearrangedList: Needs<ListContext> = ({ list }) => {
  if (!list) return { blocked: 'Open a list first' }
  return isRearranged(list.state) ? { target: list } : { blocked: 'The columns have not been changed' }
}

const columnCommand = {
  group: 'list',
  inList: true,
  roles,
  needs: currentList,
  icon: 'columns',
  on: ['columns'],
} as const

export const columnCommands = [
  defineCommand({
    ...columnCommand,
    id: 'list.columns',
    title: 'Show or hide column',
    keys: 'shift+c',
    keywords: ['toggle'],
    on: ['listMore'],
    args: z.object({ column: Column }),
    choices: { column: anyColumn },
    run(list, { column }) {
      list.state.shown[column] = !isColumnVisible(list.entity, list.state, column)
    },
  }),
  defineCommand({
    ...columnCommand,
    id: 'list.moveColumn',
    title: 'Move column',
    keys: 'shift+v',
    keywords: ['order', 'rearrange', 'left', 'right'],
    args: z.object({ column: Column, place: withMeta(z.string(), { label: 'Place' }) }),
    choices: { column: movableColumn, place },
    run: (list, { column, place }) => moveColumn(list.entity, list.state, column, place === atEnd ? undefined : place),
  }),
  defineCommand({
    ...columnCommand,
    id: 'list.pinColumn',
    title: 'Pin or unpin column',
    keys: 'shift+p',
    keywords: ['freeze', 'sticky'],
    args: z.object({ column: Column }),
    choices: { column: movableColumn },
    run: (list, { column }) => setPinned(list.state, column, !list.state.pinned.includes(column)),
  }),
  defineCommand({
    ...columnCommand,
    id: 'list.resizeColumn',
    title: 'Resize column with arrow keys',
    recordable: false,
    keys: 'shift+w',
    keywords: ['width', 'wider', 'narrower'],
    on: [],
    args: z.object({ column: Column }),
    choices: { column: visibleColumn },
    // The edge of the column takes the arrow keys.
    run: (_list, { column }, { focus }) => focus(`column-width-${column}`),
  }),
  defineCommand({
    ...columnCommand,
    id: 'list.columnWidth',
    title: 'Set column width',
    recordable: false,
    keywords: ['resize'],
    args: z.object({ column: Column, width: withMeta(Width, { label: 'Width' }) }),
    choices: { column: visibleColumn },
    run: (list, { column, width }) => setColumnWidth(list.state, column, width),
  }),
  defineCommand({
    ...columnCommand,
    id: 'list.fitColumn',
    title: 'Fit column to content',
    recordable: false,
    keywords: ['width', 'resize', 'auto'],
    args: z.object({ column: Column }),
    choices: { column: visibleColumn },
    async run(list, { column }, { contentWidth }) {
      const width = await contentWidth(column)
      if (width !== undefined) setColumnWidth(list.state, column, width)
    },
  }),
  defineCommand({
    ...columnCommand,
    id: 'list.resetColumns',
    title: 'Reset columns',
    icon: 'reset',
    keywords: ['default', 'order', 'width', 'pinned'],
    needs: rearrangedList,
    run: list => resetColumns(list.state),
  }),
  defineCommand({
    id: 'view.density',
    inList: true,
    title: 'Switch row density',
    group: 'view',
    icon: 'menu',
    keys: 'shift+d',
    keywords: ['compact rows', 'comfortable rows', 'row height', 'dense'],
    on: ['columns'],
    roles,
    needs: nothing,
    run() {
      preferences.density = preferences.density === 'comfortable' ? 'compact' : 'comfortable'
    },
  }),
]
