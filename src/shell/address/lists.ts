/** The address of a list. It needs little code, so that the first page can be requested before the rest is loaded. */
import { operators } from '../../api/contract/endpoint.ts'
import { columnsOf } from '../../api/lists.ts'
import { withUnit } from '../../domain/lists/amountSearch.ts'
import { initialList, limits, lists, type Direction, type Entity, type ListState } from '../../store/lists.ts'
import { preferences } from '../../store/preferences.ts'
import { oneOf, question, textUpTo, wholeNumberUpTo, type Question } from './question.ts'

export interface ListQuestion {
  /** An amount has its unit, so that it means the same to everyone. */
  readonly search: string
  readonly column: string | undefined
  readonly operator: string
  readonly sort: string | undefined
  readonly direction: Direction
  readonly page: number
  readonly limit: number
}

/** The server takes no longer search. */
const maxSearchLength = 200
/** Of 1,000 rows each, as many as the server counts. */
const maxPage = 1_000_000

export function listQuestion(entity: Entity): Question<ListQuestion> {
  const columns = Object.keys(columnsOf(entity).by)
  const { search, column, operator, sort, direction, page, limit } = initialList()
  return question<ListQuestion>(
    { search, column, operator, sort, direction, page, limit },
    {
      search: textUpTo(maxSearchLength),
      column: oneOf(columns),
      operator: oneOf<string>(operators),
      sort: oneOf(columns),
      direction: oneOf(['asc', 'desc']),
      page: wholeNumberUpTo(maxPage),
      limit: oneOf<number>(limits),
    },
  )
}

/** Returns what a list shows. */
export function shownOfList(entity: Entity): ListQuestion {
  const { search, column, operator, sort, direction, page, limit } = withUnit(lists[entity], preferences.units)
  return {
    search,
    column: column === columnsOf(entity).search ? undefined : column,
    operator,
    sort,
    direction: sort === undefined ? 'asc' : direction,
    page,
    limit,
  }
}

export const showInList = (entity: Entity, asked: ListQuestion): void => void Object.assign(lists[entity], asked)

/** Returns the list that the query of an address shows. */
export function listAt(entity: Entity, query: string): ListState {
  const { defaults, decode } = listQuestion(entity)
  return { ...lists[entity], ...defaults, ...decode(query) }
}
