/** Cartridge types, filtration systems and their groups. */
import * as z from 'zod/mini'
import { cartridgeTypeColumns, filtrationSystemColumns, groupColumns } from '../../domain/columns/filtration.ts'
import { listDefinitions } from '../../domain/lists/lists.ts'
import { bulkEndpoint, Done, endpoint, listEndpoint, Uploaded } from './endpoint.ts'
import { ByIdPath, changesOf, Id, Ids, ManyIds, optionalText, text, Time, integer, VendorName } from './fields.ts'
import { FlushSettings } from './settingStates.ts'

const timestamps = { created_at: Time, updated_at: Time }

/** http and https only, because the console renders it as a link. */
const WebAddress = z.union([z.literal(''), z.url({ protocol: /^https?$/ }).check(z.maxLength(2000))])
export const cartridgeTypeFields = {
  /** Uploads list several models with semicolons between them. */
  model: text(100).check(z.refine(model => !model.includes(';'), 'must not contain a semicolon')),
  /** 0 pre-filter, 1 post-filter, 2 membrane. */
  type: integer(0, 2),
  /** Litres. */
  resource: integer(1, 1_000_000),
  /** Days. */
  ttl: integer(1, 3650),
  name: text(200),
  description: optionalText(2000),
  purchase_url: WebAddress,
  image_url: WebAddress,
}
export const CartridgeType = z.object({ _id: Id, ...cartridgeTypeFields, ...timestamps })

export const cartridgeTypes = {
  upload: endpoint({
    method: 'POST',
    path: '/api/v3/cartridge-types/file',
    roles: ['admin'],
    summary: 'Create cartridge types from a file.',
    upload: true,
    response: Uploaded,
  }),
  list: listEndpoint({
    ...listDefinitions.cartridgeTypes.endpoint,
    roles: ['admin'],
    summary: 'Cartridge types.',
    row: CartridgeType,
    columns: cartridgeTypeColumns,
  }),
  edit: endpoint({
    method: 'PUT',
    path: '/api/v3/cartridge-types/{id}',
    roles: ['admin'],
    summary: 'Change a cartridge type.',
    params: ByIdPath,
    body: changesOf(cartridgeTypeFields),
    response: CartridgeType,
  }),
}

export const GroupName = text(200)
export const FiltrationSystemGroup = z.object({ _id: Id, name: z.string(), ...timestamps })

export const filtrationSystemGroups = {
  upload: endpoint({
    method: 'POST',
    path: '/api/v4/filtration-system-groups/file',
    roles: ['admin'],
    summary: 'Create groups from a file.',
    upload: true,
    response: Uploaded,
  }),
  list: listEndpoint({
    ...listDefinitions.groups.endpoint,
    roles: ['admin'],
    summary: 'Filtration system groups.',
    row: FiltrationSystemGroup,
    columns: groupColumns,
  }),
  edit: endpoint({
    method: 'PUT',
    path: '/api/v3/filtration-system-groups/{id}',
    roles: ['admin'],
    summary: 'Rename a group.',
    params: ByIdPath,
    body: z.strictObject({ name: GroupName }),
    response: FiltrationSystemGroup,
  }),
}

export const SystemModel = text(100)
/** The maximum number of cartridges in a system. */
export const maxCartridges = 12
const NamedReference = z.object({ _id: Id, name: z.string() })
export const FiltrationSystem = z.object({
  _id: Id,
  model: z.string(),
  group: z.nullable(NamedReference),
  cartridges: z.array(z.object({ _id: Id, model: z.string(), type: z.number() })),
  vendor: z.nullable(VendorName),
  flushing: z.boolean(),
  flush: FlushSettings,
  ...timestamps,
})

/** The fields of a filtration system that can be changed. */
export const filtrationSystemFields = {
  model: SystemModel,
  group: z.nullable(Id),
  /** Types in the order of the water's flow; a type may occur more than once. */
  cartridges: z.array(Id).check(z.maxLength(maxCartridges)),
  flushing: z.boolean(),
  flush: FlushSettings,
}

export const filtrationSystems = {
  upload: endpoint({
    method: 'POST',
    path: '/api/v3/filtration-systems/file',
    roles: ['admin'],
    summary: 'Create filtration systems from a file.',
    upload: true,
    response: Uploaded,
  }),
  list: listEndpoint({
    ...listDefinitions.filtrationSystems.endpoint,
    roles: ['admin', 'vendor'],
    summary: 'Filtration systems. A vendor sees only those assigned to it.',
    row: FiltrationSystem,
    columns: filtrationSystemColumns,
  }),
  groups: listEndpoint({
    path: '/api/v3/filtration-systems/groups',
    roles: ['admin', 'vendor'],
    summary: 'The groups to choose from. A vendor sees only the groups of its systems.',
    row: FiltrationSystemGroup,
    columns: groupColumns,
    search: 'name',
  }),
  assignVendor: bulkEndpoint({
    method: 'PUT',
    path: '/api/v3/filtration-systems/vendor',
    roles: ['admin'],
    summary: 'Assign filtration systems to a vendor, or to none.',
    body: z.strictObject({ ids: Ids, vendor: z.nullable(Id) }),
  }),
  edit: endpoint({
    method: 'PUT',
    path: '/api/v3/filtration-systems/{id}',
    roles: ['admin'],
    summary: 'Change a filtration system.',
    params: ByIdPath,
    body: changesOf(filtrationSystemFields),
    response: Done,
  }),
  delete: bulkEndpoint({
    method: 'DELETE',
    path: '/api/v3/filtration-systems',
    roles: ['admin'],
    summary: 'Delete filtration systems.',
    body: ManyIds,
  }),
}
