/** Which call lists what, and what is kept of a row that is selected. */
import type * as z from 'zod/mini'
import type { Entity } from '../store/lists.ts'
import type { DeviceItem, RowItem } from '../store/selection.ts'
import { admins, users, vendors } from './contract/accounts.ts'
import { audit } from './contract/audit.ts'
import { devices } from './contract/devices.ts'
import type { Columns } from './contract/endpoint.ts'
import { cartridgeTypes, filtrationSystemGroups, filtrationSystems } from './contract/filtration.ts'
import { models } from './contract/models.ts'

export const listEndpoints = {
  devices: devices.list,
  models: models.list,
  filtrationSystems: filtrationSystems.list,
  groups: filtrationSystemGroups.list,
  cartridgeTypes: cartridgeTypes.list,
  admins: admins.list,
  vendors: vendors.list,
  users: users.list,
  audit: audit.list,
} as const

export type Row<E extends Entity> = z.output<(typeof listEndpoints)[E]['answer']>['data'][number]
export type ItemOf<E extends Entity> = E extends 'devices' ? DeviceItem : RowItem<Row<E>>

const itemMakers: { [E in Entity]: (row: Row<E>) => ItemOf<E> } = {
  devices: row => ({
    id: row.bssid,
    name: row.bssid,
    vendor: row.vendor._id,
    company: row.vendor.company_name,
    status: row.status,
    platform: row.platform,
  }),
  models: row => ({ id: row._id, name: row.name, row }),
  filtrationSystems: row => ({ id: row._id, name: row.model, row }),
  groups: row => ({ id: row._id, name: row.name, row }),
  cartridgeTypes: row => ({ id: row._id, name: row.model, row }),
  admins: row => ({ id: row._id, name: row.login, row }),
  vendors: row => ({ id: row._id, name: row.login, row }),
  users: row => ({ id: row._id, name: row.login, row }),
  audit: row => ({ id: row._id, name: row.action, row }),
}
export const itemOf = <E extends Entity>(entity: E, row: Row<E>): ItemOf<E> => itemMakers[entity](row)

/** What a list can be searched and sorted by. */
export const columnsOf = (entity: Entity): Columns => {
  const { columns } = listEndpoints[entity]
  if (!columns) throw new Error(`The list ${entity} has no columns`)
  return columns
}
