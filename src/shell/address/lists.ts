/** URL parameters of a list. A small module, so that the first page can be requested before the rest is loaded. */
import { operators } from '../../domain/lists/query.ts'
import { columnsOf } from '../../api/lists.ts'
import { withUnit } from '../../domain/lists/amountSearch.ts'
import { initialList, limits, lists, type Direction, type Entity, type ListState } from '../../store/lists.ts'
import { preferences } from '../../store/preferences.ts'
import { oneOf, queryCodec, textUpTo, wholeNumberUpTo, type QueryCodec } from './queryCodec.ts'

export interface ListParams {
  /** Amounts include their unit, so that a shared URL does not depend on unit settings. */
  readonly search: string
  readonly column: string | undefined
  readonly operator: string
  readonly sort: string | undefined
  readonly direction: Direction
  readonly page: number
  readonly limit: number
}

/** The server rejects longer searches. */
const maxSearchLength = 200
/** The number of pages that the server counts, with 1,000 rows each. */
const maxPage = 1_000_000

/** Returns the codec for a list's URL parameters. */
export function listCodec(entity: Entity): QueryCodec<ListParams> {
  const columns = Object.keys(columnsOf(entity).kinds)
  const { search, column, operator, sort, direction, page, limit } = initialList()
  return queryCodec<ListParams>(
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

/** Returns the parameters of a list's current state. */
export function listParams(entity: Entity): ListParams {
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

export const applyListParams = (entity: Entity, params: ListParams): void => void Object.assign(lists[entity], params)

/** Returns the list state that a URL query describes, without applying it. */
export function listFromQuery(entity: Entity, query: string): ListState {
  const { defaults, decode } = listCodec(entity)
  return { ...lists[entity], ...defaults, ...decode(query) }
}
