/** Commands that select single rows, ranges and pages. */
import { roles } from '../../domain/roles.ts'
import { selections, type Selection } from '../../store/selection.ts'
import { definePlainCommand } from '../core/buildCommand.ts'
import type { Services } from '../core/types.ts'
import type { ListContext } from '../core/context.ts'
import { moveFocusBy } from '../core/listRows.ts'
import { listedRows, rowInFocus, someSelected } from '../core/needs.ts'
import { formatNumber } from '../../domain/format.ts'

/** Returns the list's selection, which is materialized first so that single rows can be removed from it. */
async function materialize({ entity }: ListContext, { progress }: Services): Promise<Selection> {
  const selection = selections[entity]
  if (selection.query) await (await import('./materialize.ts')).materializeSelection(entity, progress)
  return selection
}

/** Selects the rows from the anchor of the range to the focused row. */
async function selectRange(list: ListContext, _: unknown, services: Services): Promise<void> {
  const from = list.rows.findIndex(row => row.id === list.focus.anchor)
  const to = list.rows.findIndex(row => row.id === list.focus.id)
  if (to < 0) return
  const [start, end] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)]
  const range = list.rows.slice(start, end + 1)
  const selection = await materialize(list, services)
  selection.add(range, 'a range')
}

/**
 * Returns a function that selects the focused row, moves the focus, and selects the newly focused row, which is known only
 * later if the page was turned.
 */
const extend = (by: 1 | -1) => async (list: ListContext, _: unknown, services: Services) => {
  const focused = () => list.rows.filter(row => row.id === list.focus.id)
  const selection = await materialize(list, services)
  selection.add(focused())
  list.focus.anchor ??= list.focus.id
  moveFocusBy(list, by)
  if (list.focus.id !== undefined) return selection.add(focused())
  const { page } = list.state
  const { rowOfTurnedPage } = await import('./turnedPage.ts')
  const row = await rowOfTurnedPage(list.entity, page, services.progress.signal)
  if (row) selection.add([row])
}

const move = { group: 'list', inList: true, selection: 'changes', roles, needs: listedRows, keysOnly: true } as const

export const rowSelectionCommands = [
  definePlainCommand({
    ...move,
    id: 'list.toggleRow',
    title: 'Select or deselect row',
    icon: 'check',
    keys: 'x',
    on: ['row', 'status'],
    short: 'select',
    needs: rowInFocus,
    async run({ row, list }, _, services) {
      list.focus.anchor = row.id
      const selection = await materialize(list, services)
      if (selection.has(row.id)) selection.remove([row.id])
      else selection.add([row])
    },
  }),
  definePlainCommand({
    ...move,
    id: 'list.selectRange',
    title: 'Select range from last row',
    keys: 'shift+x',
    on: ['status'],
    short: 'range',
    run: selectRange,
  }),
  definePlainCommand({
    ...move,
    id: 'list.extendDown',
    title: 'Extend selection down',
    keys: 'shift+ArrowDown',
    run: extend(1),
  }),
  definePlainCommand({
    ...move,
    id: 'list.extendUp',
    title: 'Extend selection up',
    keys: 'shift+ArrowUp',
    run: extend(-1),
  }),
  definePlainCommand({
    id: 'list.selectPage',
    title: 'Select page',
    group: 'list',
    inList: true,
    selection: 'changes',
    icon: 'select',
    keys: 'mod+a',
    on: ['select'],
    roles,
    needs: listedRows,
    async run(list, _, services) {
      const selection = await materialize(list, services)
      const all = list.rows.every(row => selection.has(row.id))
      if (all) selection.remove(list.rows.map(row => row.id))
      else selection.add(list.rows, `page ${formatNumber(list.state.page)}`)
    },
  }),
  definePlainCommand({
    id: 'list.clearSelection',
    title: 'Clear selection',
    group: 'list',
    selection: 'changes',
    icon: 'close',
    keywords: ['deselect', 'none'],
    on: ['selection', 'select'],
    roles,
    needs: someSelected,
    run: selection => selection.clear(),
  }),
]
