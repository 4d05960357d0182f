/** Publishes the changes that API calls have stored. */
import { audit } from '../../src/api/contract/audit.ts'
import { devices } from '../../src/api/contract/devices.ts'
import { BulkResponse, resourceOf, type Endpoint } from '../../src/api/contract/endpoint.ts'
import { events } from '../../src/api/contract/events.ts'
import { notifications } from '../../src/api/contract/notifications.ts'
import { isAudited, isDryRun } from './audited.ts'
import type { Bus } from './bus.ts'

/** Resources whose lists show values of another resource. */
const dependentLists: Readonly<Record<string, readonly string[]>> = {
  vendors: ['devices', 'filtration-systems'],
  'cartridge-types': ['devices', 'filtration-systems'],
  'filtration-system-groups': ['filtration-systems'],
  'filtration-systems': ['devices'],
}

/** Calls that change existing devices: consoles update these rows in place instead of reloading the list. */
const deviceCalls = new Set<Endpoint>(
  Object.values(devices).filter(endpoint => endpoint !== devices.upload && endpoint !== devices.delete),
)

/** Calls whose handlers publish the change themselves, because it affects only some vendors. */
const selfPublishingCalls = new Set<Endpoint>([events.create, events.delete])

/** Resources that lose rows when devices are deleted. */
const affectedByDeviceDelete = [devices.list, events.list, notifications.list].map(({ path }) => resourceOf(path))

function affectedLists(endpoint: Endpoint, resource: string): readonly string[] {
  if (endpoint === devices.delete) return affectedByDeviceDelete
  if (deviceCalls.has(endpoint) || selfPublishingCalls.has(endpoint)) return []
  return [resource, ...(dependentLists[resource] ?? [])]
}

interface Input {
  readonly query: unknown
  readonly params: unknown
  readonly body: unknown
}

/** Publishes which rows a successful call may have changed. Reads, dry runs and auth calls publish nothing. */
export function publishChange(bus: Bus, endpoint: Endpoint, { params, query, body }: Input, response: unknown): void {
  const resource = resourceOf(endpoint.path)
  if (!isAudited(endpoint) || isDryRun(endpoint, query) || resource === 'auth') return
  // Every such call adds a row to the audit log.
  bus.publish({ kind: 'resources', names: [...affectedLists(endpoint, resource), resourceOf(audit.list.path)] })
  if (!deviceCalls.has(endpoint)) return
  const bssids = [...Object.values(params ?? {}), ...idsIn(body)].map(String)
  const failed = new Set(
    endpoint.response === BulkResponse ? (response as BulkResponse).failed.map(({ id }) => id) : [],
  )
  const changed = bssids.filter(bssid => !failed.has(bssid))
  if (changed.length > 0) bus.publish({ kind: 'devices', bssids: changed })
}

const idsIn = (body: unknown): readonly unknown[] =>
  typeof body === 'object' && body !== null && 'ids' in body && Array.isArray(body.ids) ? body.ids : []
