/** The commands of lists that show with the first rows: to search, and to turn pages. */
import { roles } from '../../domain/roles.ts'
import { definePlainCommand } from '../core/buildCommand.ts'
import { turnPage } from '../core/listRows.ts'
import { notOnFirstPage, notOnLastPage, currentList } from '../core/needs.ts'

export const onList = { group: 'list', inList: true, roles, needs: currentList } as const

export const focusSearch = definePlainCommand({
  ...onList,
  id: 'list.focusSearch',
  title: 'Search list',
  recordable: false,
  icon: 'search',
  keys: '/',
  keywords: ['filter', 'find'],
  on: ['status'],
  short: 'search',
  run: (_target, _args, { focus }) => focus('list-search'),
})
export const previousPage = definePlainCommand({
  ...onList,
  id: 'list.previousPage',
  title: 'Previous page',
  icon: 'left',
  keys: '[',
  on: ['pager', 'status'],
  short: 'page',
  needs: notOnFirstPage,
  run: list => turnPage(list, -1),
})
export const nextPage = definePlainCommand({
  ...onList,
  id: 'list.nextPage',
  title: 'Next page',
  icon: 'right',
  keys: ']',
  on: ['pager', 'status'],
  short: 'page',
  needs: notOnLastPage,
  run: list => turnPage(list, 1),
})
