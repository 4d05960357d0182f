/** Encodes bus events as JSON texts for other processes, and decodes them. */
import * as z from 'zod/mini'
import type { BusEvent, EndedCommand, VendorResource } from './bus.ts'

const strings = z.array(z.string())
const Payload = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('devices'), bssids: strings }),
  z.object({ kind: z.literal('deleted'), bssids: strings }),
  z.object({ kind: z.literal('credentials'), bssids: strings }),
  z.object({ kind: z.literal('notifications'), ids: strings }),
  z.object({ kind: z.literal('alarms'), bssids: strings }),
  z.object({ kind: z.literal('resources'), names: strings }),
  z.object({
    kind: z.literal('vendorResources'),
    changes: z.array(z.object({ resource: z.string(), vendor: z.nullable(z.string()) })),
  }),
  z.object({ kind: z.literal('accessEnded'), accounts: strings }),
  z.object({ kind: z.literal('seen'), accounts: strings }),
  z.object({
    kind: z.literal('commands'),
    ended: z.array(z.object({ id: z.string(), reason: z.nullable(z.string()), isUnanswered: z.boolean() })),
  }),
  z.object({ kind: z.literal('sent'), commands: z.array(z.object({ id: z.string(), bssid: z.string() })) }),
  z.object({
    kind: z.literal('connected'),
    broker: z.string(),
    connections: z.array(z.object({ bssid: z.string(), at: z.number() })),
  }),
  z.object({ kind: z.literal('server'), id: z.string() }),
  z.object({
    kind: z.literal('progress'),
    account: z.string(),
    vendor: z.nullable(z.string()),
    id: z.string(),
    done: z.number(),
    failed: z.number(),
    total: z.number(),
  }),
  z.object({ kind: z.literal('missed') }),
])
type Payload = z.output<typeof Payload>

/** Returns the event of a payload, or `undefined` if it is invalid. */
export function readPayload(payload: string): BusEvent | undefined {
  try {
    return z.safeParse(Payload, JSON.parse(payload)).data
  } catch {
    return undefined
  }
}

/**
 * Returns the payloads of these events: those of a kind become one list without duplicates, split into payloads of at most
 * `maxBytes`. Of a call's progress only the last is sent. `tooLong`: how many payloads were left
 * out because a single item is longer.
 */
export function payloadsOf(events: readonly BusEvent[], maxBytes: number): { payloads: string[]; tooLong: number } {
  const devices = new Set<string>()
  const deleted = new Set<string>()
  const credentials = new Set<string>()
  const notifications = new Set<string>()
  const alarms = new Set<string>()
  const resources = new Set<string>()
  const vendorResources = new Map<string, VendorResource>()
  const accessEnded = new Set<string>()
  const seen = new Set<string>()
  const ended = new Map<string, EndedCommand>()
  const sent = new Map<string, { readonly id: string; readonly bssid: string }>()
  /** The newest connection of each device, by broker. */
  const connected = new Map<string, Map<string, { readonly bssid: string; readonly at: number }>>()
  const servers = new Set<string>()
  const progress = new Map<string, Payload>()
  let missed = false
  for (const event of events)
    switch (event.kind) {
      case 'devices':
        for (const bssid of event.bssids) devices.add(bssid)
        break
      case 'deleted':
        for (const bssid of event.bssids) deleted.add(bssid)
        break
      case 'credentials':
        for (const bssid of event.bssids) credentials.add(bssid)
        break
      case 'notifications':
        for (const id of event.ids) notifications.add(id)
        break
      case 'alarms':
        for (const bssid of event.bssids) alarms.add(bssid)
        break
      case 'resources':
        for (const name of event.names) resources.add(name)
        break
      case 'vendorResources':
        for (const change of event.changes) vendorResources.set(JSON.stringify(change), change)
        break
      case 'accessEnded':
        for (const account of event.accounts) accessEnded.add(account)
        break
      case 'seen':
        for (const account of event.accounts) seen.add(account)
        break
      case 'commands':
        for (const command of event.ended) ended.set(command.id, command)
        break
      case 'sent':
        for (const command of event.commands) sent.set(command.id, command)
        break
      case 'connected': {
        const connections = connected.get(event.broker) ?? new Map()
        for (const connection of event.connections) connections.set(connection.bssid, connection)
        connected.set(event.broker, connections)
        break
      }
      case 'server':
        servers.add(event.id)
        break
      case 'progress':
        progress.set(`${event.account} ${event.id}`, event)
        break
      case 'missed':
        missed = true
    }
  const split = <Item>(items: readonly Item[], toPayload: (chunk: Item[]) => Payload) =>
    splitToFit(items, toPayload, maxBytes)
  const payloads = [
    ...split([...devices], bssids => ({ kind: 'devices', bssids })),
    ...split([...deleted], bssids => ({ kind: 'deleted', bssids })),
    ...split([...credentials], bssids => ({ kind: 'credentials', bssids })),
    ...split([...notifications], ids => ({ kind: 'notifications', ids })),
    ...split([...alarms], bssids => ({ kind: 'alarms', bssids })),
    ...split([...resources], names => ({ kind: 'resources', names })),
    ...split([...vendorResources.values()], chunk => ({ kind: 'vendorResources', changes: chunk })),
    ...split([...accessEnded], chunk => ({ kind: 'accessEnded', accounts: chunk })),
    ...split([...seen], chunk => ({ kind: 'seen', accounts: chunk })),
    ...split([...ended.values()], chunk => ({ kind: 'commands', ended: chunk })),
    ...split([...sent.values()], commands => ({ kind: 'sent', commands })),
    ...[...connected].flatMap(([broker, connections]) =>
      split([...connections.values()], chunk => ({ kind: 'connected', broker, connections: chunk })),
    ),
    ...[...servers].map(id => JSON.stringify({ kind: 'server', id } satisfies Payload)),
    ...[...progress.values()].map(event => JSON.stringify(event)),
    ...(missed ? [JSON.stringify({ kind: 'missed' } satisfies Payload)] : []),
  ]
  const fitting = payloads.filter(payload => Buffer.byteLength(payload) <= maxBytes)
  return { payloads: fitting, tooLong: payloads.length - fitting.length }
}

/** Returns payloads for a list, each as full as possible. */
function splitToFit<Item>(items: readonly Item[], toPayload: (chunk: Item[]) => Payload, maxBytes: number): string[] {
  const freeBytes = maxBytes - Buffer.byteLength(JSON.stringify(toPayload([])))
  const parts: Item[][] = []
  let remainingBytes = 0
  for (const item of items) {
    // One more for the comma between items.
    const bytes = Buffer.byteLength(JSON.stringify(item)) + 1
    if (parts.length === 0 || bytes > remainingBytes) {
      parts.push([])
      remainingBytes = freeBytes
    }
    parts.at(-1)!.push(item)
    remainingBytes -= bytes
  }
  return parts.map(part => JSON.stringify(toPayload(part)))
}
