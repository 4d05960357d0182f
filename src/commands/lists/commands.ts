/** Commands that change what a list shows: search, sort, page. */
import * as z from 'zod/mini'
import { operatorNames, operators } from '../../domain/lists/query.ts'
import { withMeta } from '../../api/contract/fields.ts'
import { columnsOf } from '../../api/lists.ts'
import { columnLabel } from '../../domain/lists/lists.ts'
import { isColumnVisible } from '../../store/columns.ts'
import { limits, setLimit, setPage, setSearchBy, sortBy } from '../../store/lists.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Choices } from '../core/types.ts'
import { lastPage } from '../core/listRows.ts'
import { focusSearch, nextPage, onList, previousPage } from './firstCommands.ts'

export const Column = withMeta(z.string(), { label: 'Column' })
export const Operator = withMeta(z.enum(operators), { label: 'Operator', names: operators.map(o => operatorNames[o]) })

/** Returns the columns of the list on screen. The matching code is loaded on first use, which keeps the start small. */
export const columnChoices: Choices = async ({ list }, query) => {
  if (!list) return []
  const { filterByName } = await import('../arguments/rank.ts')
  const columns = Object.keys(columnsOf(list.entity).kinds).map(column => ({
    value: column,
    name: columnLabel(list.entity, column),
    detail: isColumnVisible(list.entity, list.state, column) ? 'shown' : 'hidden',
  }))
  return filterByName(query, columns, ({ name }) => name)
}

export const listCommands = [
  focusSearch,
  defineCommand({
    ...onList,
    id: 'list.searchBy',
    title: 'Search by column and operator',
    icon: 'search',
    keys: 'shift+o',
    args: z.object({
      column: z.optional(Column),
      operator: z.optional(Operator),
    }),
    choices: { column: columnChoices },
    run: (list, by) => setSearchBy(list.state, by),
  }),
  defineCommand({
    ...onList,
    id: 'list.sort',
    title: 'Sort by',
    icon: 'columns',
    keys: 'shift+s',
    keywords: ['order'],
    args: z.object({
      column: Column,
      direction: withMeta(z.enum(['asc', 'desc', 'none']), {
        label: 'Direction',
        names: ['Ascending', 'Descending', 'None'],
      }),
    }),
    choices: { column: columnChoices },
    run: (list, { column, direction }) =>
      direction === 'none' ? sortBy(list.state, undefined, 'asc') : sortBy(list.state, column, direction),
  }),
  previousPage,
  nextPage,
  defineCommand({
    ...onList,
    id: 'list.goToPage',
    title: 'Go to page',
    icon: 'right',
    keys: 'shift+g',
    args: z.object({ page: withMeta(z.number().check(z.int(), z.gte(1)), { label: 'Page' }) }),
    run: (list, { page }) => setPage(list.state, Math.min(page, lastPage(list))),
  }),
  defineCommand({
    ...onList,
    id: 'list.limit',
    title: 'Set rows per page',
    icon: 'menu',
    keys: 'shift+l',
    keywords: ['rows on page', 'limit', 'page size'],
    args: z.object({ limit: withMeta(z.literal(limits), { label: 'Rows' }) }),
    run: (list, { limit }) => setLimit(list.state, limit),
  }),
]
