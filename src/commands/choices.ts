/** Things that are chosen by part of their name, found by the server. */
import { readList } from '../api/readList.ts'
import { columnsOf, itemOf, type Row } from '../api/lists.ts'
import type { Entity } from '../store/lists.ts'
import { session } from '../store/session.ts'
import type { Choices, Option } from './command.ts'

/** As many as a person scrolls through by mouse; who wants another types more. */
const most = 100

/** Options of an entity whose `column` contains the query. */
const found =
  <E extends Entity>(entity: E, column: string, detail: (row: Row<E>) => string): Choices =>
  async (_context, query, signal): Promise<readonly Option[]> => {
    const { data } = await readList(
      entity,
      { limit: most, search: query, column, sort: column, direction: 'asc', operator: 'co' },
      signal,
    )
    return data.map(row => ({ value: itemOf(entity, row).id, name: itemOf(entity, row).name, detail: detail(row) }))
  }

const everyVendor = found('vendors', 'login', row => row.company_name)
/** A vendor may name only itself. */
export const vendorChoices: Choices = (context, query, signal) =>
  context.role === 'vendor'
    ? session.userId
      ? [{ value: session.userId, name: session.login ?? session.userId }]
      : []
    : everyVendor(context, query, signal)

export const modelChoices = found('models', columnsOf('models').search, row => row.platform)
export const systemChoices = found(
  'filtrationSystems',
  columnsOf('filtrationSystems').search,
  row => row.group?.name ?? '',
)
export const cartridgeChoices = found('cartridgeTypes', columnsOf('cartridgeTypes').search, row => row.name)
export const groupChoices = found('groups', columnsOf('groups').search, () => '')
