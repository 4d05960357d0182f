import * as z from 'zod/mini'
import { modelColumns } from '../../domain/columns/models.ts'
import { capabilities } from '../../domain/device.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { listDefinitions } from '../../domain/lists/lists.ts'
import { bulkEndpoint, Created, endpoint, listEndpoint } from './endpoint.ts'
import { Id, Ids, ManyIds, number, text, Time, VendorName } from './fields.ts'

/** l/min at each of the bypass valve's four positions. */
const BypassFlowRates = z.array(number(0, 100)).check(z.length(4))

export const DeviceModel = z.object({
  _id: Id,
  platform: z.string(),
  name: z.string(),
  /** The owning vendor's company; empty if administrators own it. */
  company_name: z.string(),
  capabilities: z.array(z.enum(capabilities)),
  bypass_flow_rates: BypassFlowRates,
  /** The vendors that may use it; a vendor sees only itself. */
  vendors: z.array(VendorName),
  created_at: Time,
  updated_at: Time,
})

export const models = {
  save: endpoint({
    method: 'POST',
    path: '/api/v3/devices/models',
    roles: deviceRoles,
    summary: 'Create a device model, or change one if _id is given.',
    body: z.strictObject({
      _id: z.optional(Id),
      platform: text(60),
      name: text(100),
      capabilities: z.array(z.enum(capabilities)).check(z.maxLength(capabilities.length)),
      bypass_flow_rates: BypassFlowRates,
      /** If a vendor calls, exactly its own id. */
      vendors: Ids,
    }),
    response: Created,
  }),
  list: listEndpoint({
    ...listDefinitions.models.endpoint,
    roles: deviceRoles,
    summary: 'Device models. A vendor sees its own and those offered to it.',
    row: DeviceModel,
    columns: modelColumns,
  }),
  delete: bulkEndpoint({
    method: 'DELETE',
    path: '/api/v3/devices/models',
    roles: deviceRoles,
    summary: 'Delete device models.',
    body: ManyIds,
  }),
}
