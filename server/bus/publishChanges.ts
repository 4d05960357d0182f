/** Publishes the changes that API calls have stored. */
import { vendors } from '../../src/api/contract/accounts.ts'
import { audit } from '../../src/api/contract/audit.ts'
import { devices } from '../../src/api/contract/devices.ts'
import { BulkResponse, type Endpoint } from '../../src/api/contract/endpoint.ts'
import { resourceOf } from '../../src/api/contract/address.ts'
import { events } from '../../src/api/contract/events.ts'
import { cartridgeTypes, filtrationSystemGroups } from '../../src/api/contract/filtration.ts'
import { notifications } from '../../src/api/contract/notifications.ts'
import { secondFactor } from '../../src/api/contract/secondFactor.ts'
import { isAudited, isDryRun } from './audited.ts'
import type { Bus, BusEvent } from './bus.ts'

/** Resources whose lists show values of another resource. */
const dependentLists: Readonly<Record<string, readonly string[]>> = {
  vendors: ['devices', 'filtration-systems'],
  'cartridge-types': ['devices', 'filtration-systems'],
  'filtration-system-groups': ['filtration-systems'],
  'filtration-systems': ['devices'],
  // New devices, baselines and water analyses change what the overview counts and shows.
  devices: ['health'],
}

/** Calls that change existing devices: consoles update these rows in place instead of reloading the list. */
const deviceCalls = new Set<Endpoint>(
  Object.values(devices).filter(endpoint => endpoint !== devices.upload && endpoint !== devices.delete),
)

/** Calls that change no rows that a vendor sees: nothing uses what is new, and vendors do not read other accounts. */
const unseenByVendors = new Set<Endpoint>([
  filtrationSystemGroups.upload,
  cartridgeTypes.upload,
  vendors.create,
  vendors.delete,
  vendors.changeStatus,
  vendors.changeStatusOfMany,
  vendors.changePassword,
  vendors.changeOwnPassword,
  secondFactor.resetVendor,
])

/** Resources that lose rows when devices are deleted. */
const affectedByDeviceDelete = [devices.list, events.list, notifications.list].map(({ path }) => resourceOf(path))

function affectedLists(endpoint: Endpoint, resource: string): readonly string[] {
  if (endpoint === devices.delete) return affectedByDeviceDelete
  if (deviceCalls.has(endpoint)) return []
  return [resource, ...(dependentLists[resource] ?? [])]
}

interface Input {
  readonly query: unknown
  readonly params: unknown
  readonly body: unknown
}

/** What a successful call did. */
interface Outcome {
  readonly response: unknown
  /** The vendors that see the changed rows; null if the handler does not know. */
  readonly vendors: readonly (string | null)[] | null
}

/** The event that the audit log has an entry. */
export const entryAdded: BusEvent = { kind: 'resources', names: [resourceOf(audit.list.path)] }

/** Publishes that the audit log has an entry that no successful call has published. */
export const publishEntry = (bus: Bus): void => bus.publish(entryAdded)

/** Publishes which rows a successful call may have changed. Reads, dry runs and auth calls publish nothing. */
export function publishChange(
  bus: Bus,
  endpoint: Endpoint,
  { params, query, body }: Input,
  { response, vendors }: Outcome,
): void {
  const resource = resourceOf(endpoint.path)
  if (!isAudited(endpoint) || isDryRun(endpoint, query) || resource === 'auth') return
  // Every such call adds a row to the audit log.
  const names = [...affectedLists(endpoint, resource), resourceOf(audit.list.path)]
  const scope = unseenByVendors.has(endpoint) ? [] : vendors
  if (scope === null) bus.publish({ kind: 'resources', names })
  else publishLists(bus, names, scope)
  if (!deviceCalls.has(endpoint)) return
  const bssids = [...Object.values(params ?? {}), ...idsIn(body)].map(String)
  const failed = new Set(
    endpoint.response === BulkResponse ? (response as BulkResponse).failed.map(({ id }) => id) : [],
  )
  const changed = bssids.filter(bssid => !failed.has(bssid))
  if (changed.length > 0) bus.publish({ kind: 'devices', bssids: changed })
}

/** Publishes which devices a job has changed, like a call of the endpoint that does the same. */
export function publishDeviceChange(
  bus: Bus,
  endpoint: Endpoint,
  { bssids, vendors }: { readonly bssids: readonly string[]; readonly vendors: readonly (string | null)[] },
): void {
  const names = affectedLists(endpoint, resourceOf(endpoint.path))
  if (names.length > 0) publishLists(bus, names, vendors)
  if (deviceCalls.has(endpoint)) bus.publish({ kind: 'devices', bssids })
}

/** Publishes that lists have changed for these vendors and for administrators. */
function publishLists(bus: Bus, names: readonly string[], vendors: readonly (string | null)[]): void {
  bus.publish({
    kind: 'vendorResources',
    changes: names.flatMap(name => [...new Set([null, ...vendors])].map(vendor => ({ resource: name, vendor }))),
  })
}

const idsIn = (body: unknown): readonly unknown[] =>
  typeof body === 'object' && body !== null && 'ids' in body && Array.isArray(body.ids) ? body.ids : []
