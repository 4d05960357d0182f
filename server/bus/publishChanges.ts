/** The one place where calls that change something tell the others, once it is stored. */
import { audit } from '../../src/api/contract/audit.ts'
import { devices } from '../../src/api/contract/devices.ts'
import { BulkAnswer, resourceOf, type Endpoint } from '../../src/api/contract/endpoint.ts'
import { events } from '../../src/api/contract/events.ts'
import { notifications } from '../../src/api/contract/notifications.ts'
import { isAudited, isDryRun } from './audited.ts'
import type { Bus } from './bus.ts'

/** Lists that show names or values of another resource's rows. */
const dependentLists: Readonly<Record<string, readonly string[]>> = {
  vendors: ['devices', 'filtration-systems'],
  'cartridge-types': ['devices', 'filtration-systems'],
  'filtration-system-groups': ['filtration-systems'],
  'filtration-systems': ['devices'],
}

/** Calls on devices that stay what they are, so that a console can change their rows where they stand. */
const deviceCalls = new Set<Endpoint>(
  Object.values(devices).filter(endpoint => endpoint !== devices.upload && endpoint !== devices.delete),
)

/** Calls that tell by themselves whom they concern: not everyone who reads such things. */
const publishThemselves = new Set<Endpoint>([events.create, events.delete])

/** What is about devices goes with them. */
const affectedByDeviceDelete = [devices.list, events.list, notifications.list].map(({ path }) => resourceOf(path))

function affectedLists(endpoint: Endpoint, resource: string): readonly string[] {
  if (endpoint === devices.delete) return affectedByDeviceDelete
  if (deviceCalls.has(endpoint) || publishThemselves.has(endpoint)) return []
  return [resource, ...(dependentLists[resource] ?? [])]
}

interface Input {
  readonly query: unknown
  readonly params: unknown
  readonly body: unknown
}

/** Tells which rows a call that succeeded may have changed; of reads and of sessions there is nothing to tell. */
export function publishChange(bus: Bus, endpoint: Endpoint, { params, query, body }: Input, answer: unknown): void {
  const resource = resourceOf(endpoint.path)
  if (!isAudited(endpoint) || isDryRun(endpoint, query) || resource === 'auth') return
  // Every such call is in the history.
  bus.publish({ kind: 'resources', names: [...affectedLists(endpoint, resource), resourceOf(audit.list.path)] })
  if (!deviceCalls.has(endpoint)) return
  const bssids = [...Object.values(params ?? {}), ...idsIn(body)].map(String)
  const failed = new Set(endpoint.answer === BulkAnswer ? (answer as BulkAnswer).failed.map(({ id }) => id) : [])
  const changed = bssids.filter(bssid => !failed.has(bssid))
  if (changed.length > 0) bus.publish({ kind: 'devices', bssids: changed })
}

const idsIn = (body: unknown): readonly unknown[] =>
  typeof body === 'object' && body !== null && 'ids' in body && Array.isArray(body.ids) ? body.ids : []
