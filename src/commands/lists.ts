/** Asking a list for something else: a search, an order, a page, other columns. */
import * as z from 'zod/mini'
import { operatorNames, operators } from '../api/contract/endpoint.ts'
import { labelled } from '../api/contract/fields.ts'
import { columnsOf } from '../api/lists.ts'
import { columnName } from '../domain/columnNames.ts'
import { roles } from '../domain/roles.ts'
import { columnVisible } from '../store/columns.ts'
import { cycleSort, limits, setLimit, setPage, setSearchBy, sortBy } from '../store/lists.ts'
import { defineCommand, type Choices } from './command.ts'
import { notOnFirstPage, notOnLastPage, theList } from './needs.ts'
import { matchScore } from './rank.ts'
import { lastPage, turnPage } from './rows.ts'

const Column = labelled(z.string(), { label: 'Column' })

/** The columns of the list on screen. */
const columnChoices: Choices = ({ list }, query) =>
  !list
    ? []
    : Object.keys(columnsOf(list.entity).by)
        .map(column => ({
          value: column,
          name: columnName(list.entity, column),
          detail: columnVisible(list.entity, list.state, column) ? 'shown' : 'hidden',
        }))
        .filter(({ name }) => matchScore(query, name) > 0)

export const listCommands = [
  defineCommand({
    id: 'list.focusSearch',
    title: 'Search in the list',
    group: 'list',
    icon: 'search',
    keys: '/',
    keywords: ['filter', 'find'],
    on: ['toolbar'],
    roles,
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
    roles,
    needs: theList,
    args: z.object({
      column: z.optional(Column),
      operator: z.optional(
        labelled(z.enum(operators), { label: 'Operator', names: operators.map(o => operatorNames[o]) }),
      ),
    }),
    choices: { column: columnChoices },
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
    roles,
    needs: theList,
    args: z.object({
      column: Column,
      direction: labelled(z.enum(['asc', 'desc', 'none']), {
        label: 'Direction',
        names: ['Ascending', 'Descending', 'None'],
      }),
    }),
    choices: { column: columnChoices },
    run: (list, { column, direction }) =>
      direction === 'none' ? sortBy(list.state, undefined, 'asc') : sortBy(list.state, column, direction),
  }),
  defineCommand({
    id: 'list.cycleSort',
    title: 'Sort by a column: ascending, descending, not',
    group: 'list',
    keysOnly: true,
    on: ['table'],
    roles,
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
    roles,
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
    roles,
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
    roles,
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
    roles,
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
    roles,
    needs: theList,
    args: z.object({ column: Column }),
    choices: { column: columnChoices },
    run(list, { column }) {
      list.state.shown[column] = !columnVisible(list.entity, list.state, column)
    },
  }),
]
