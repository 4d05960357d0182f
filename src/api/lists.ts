/** The columns and rows of each entity's list, and the items that the selection stores of their rows. */
import type * as z from 'zod/mini'
import { searchableColumns } from '../domain/columns/column.ts'
import { valueReader } from '../domain/columns/values.ts'
import { causeLabels } from '../domain/health/texts/causeNames.ts'
import { formatDateTime } from '../domain/format.ts'
import { columnOf, listColumns, listDefinitions } from '../domain/lists/lists.ts'
import { perEntity, type Entity } from '../store/lists.ts'
import type { DeviceItem, RowItem } from '../store/selection.ts'
import type { listEndpoints } from './contract/all/lists.ts'
import type { SearchColumns } from './contract/endpoint.ts'

export type Row<E extends Entity> = z.output<(typeof listEndpoints)[E]['response']>['data'][number]
export type ItemOf<E extends Entity> = E extends 'devices' ? DeviceItem : RowItem<Row<E>>

/** Returns the columns by which a list can be searched and sorted. */
export const columnsOf = (entity: Entity): SearchColumns => searchColumns[entity]
const searchColumns = perEntity((entity): SearchColumns => ({
  search: listDefinitions[entity].endpoint.search,
  kinds: searchableColumns(listColumns(entity)),
}))

/** The functions that return a row's display name: the value of its list's default search column. */
const nameReaders = perEntity(entity => {
  const { search } = columnsOf(entity)
  return valueReader(search, columnOf(entity, search)!)
})

const deviceItem = (row: Row<'devices'>): DeviceItem => ({
  id: row.bssid,
  name: row.bssid,
  vendor: row.vendor._id,
  company: row.vendor.company_name,
  status: row.status,
  platform: row.platform,
})

/** Returns the item that the selection stores of a row. */
export const itemOf = <E extends Entity>(entity: E, row: Row<E>): ItemOf<E> =>
  // The entity determines which of the two shapes the row has.
  ('bssid' in row && !('cause' in row)
    ? deviceItem(row)
    : { id: row._id, name: String(nameReaders[entity](row)), row }) as ItemOf<E>

/**
 * Returns what a person calls a row, for the names of its controls: a vendor by its company, an entry of the audit log by
 * what was done and when, a finding by its cause and device, and all others by the name of their item.
 */
export function spokenName<E extends Entity>(entity: E, row: Row<E>): string {
  if ('company_address' in row && row.company_name !== '') return row.company_name
  if ('cause' in row) return `${causeLabels[row.cause]}, ${row.bssid}`
  const { name } = itemOf(entity, row)
  return 'at' in row ? `${name}, ${formatDateTime(row.at)}` : name
}
