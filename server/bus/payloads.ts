/** What is told, as the texts that PostgreSQL carries: few, and each within its limit. */
import * as z from 'zod/mini'
import type { BusEvent } from './bus.ts'

/** Bytes that a NOTIFY may carry: fewer than 8,000. */
export const maxPayloadBytes = 7_999

const texts = z.array(z.string())
const Sent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('devices'), bssids: texts }),
  z.object({ kind: z.literal('deleted'), bssids: texts }),
  z.object({ kind: z.literal('notifications'), ids: texts }),
  z.object({ kind: z.literal('alarms'), bssids: texts }),
  z.object({ kind: z.literal('resources'), names: texts }),
  z.object({ kind: z.literal('events'), vendors: texts }),
  z.object({ kind: z.literal('seen'), accounts: texts }),
  z.object({
    kind: z.literal('commands'),
    ended: z.array(z.object({ id: z.string(), reason: z.nullable(z.string()) })),
  }),
  z.object({
    kind: z.literal('progress'),
    account: z.string(),
    id: z.string(),
    done: z.number(),
    failed: z.number(),
    total: z.number(),
  }),
  z.object({ kind: z.literal('missed') }),
])
type Sent = z.output<typeof Sent>

/** What a payload tells; undefined where it is none of ours. */
export function readPayload(payload: string): BusEvent | undefined {
  try {
    return z.safeParse(Sent, JSON.parse(payload)).data
  } catch {
    return undefined
  }
}

/**
 * The payloads that tell all of this: lists of a kind are joined and what is repeated is told once, then they are cut
 * to what fits. Of a call's progress only the last is told. What does not fit by itself comes back as `tooLong`.
 */
export function payloadsOf(told: readonly BusEvent[]): { payloads: string[]; tooLong: number } {
  const devices = new Set<string>()
  const deleted = new Set<string>()
  const notifications = new Set<string>()
  const alarms = new Set<string>()
  const resources = new Set<string>()
  const vendors = new Set<string>()
  const accounts = new Set<string>()
  const ended = new Map<string, { readonly id: string; readonly reason: string | null }>()
  const progress = new Map<string, Sent>()
  let missed = false
  for (const one of told)
    switch (one.kind) {
      case 'devices':
        for (const bssid of one.bssids) devices.add(bssid)
        break
      case 'deleted':
        for (const bssid of one.bssids) deleted.add(bssid)
        break
      case 'notifications':
        for (const id of one.ids) notifications.add(id)
        break
      case 'alarms':
        for (const bssid of one.bssids) alarms.add(bssid)
        break
      case 'resources':
        for (const name of one.names) resources.add(name)
        break
      case 'events':
        for (const vendor of one.vendors) vendors.add(vendor)
        break
      case 'seen':
        for (const account of one.accounts) accounts.add(account)
        break
      case 'commands':
        for (const command of one.ended) ended.set(command.id, command)
        break
      case 'progress':
        progress.set(`${one.account} ${one.id}`, one)
        break
      case 'missed':
        missed = true
    }
  const payloads = [
    ...cut([...devices], bssids => ({ kind: 'devices', bssids })),
    ...cut([...deleted], bssids => ({ kind: 'deleted', bssids })),
    ...cut([...notifications], ids => ({ kind: 'notifications', ids })),
    ...cut([...alarms], bssids => ({ kind: 'alarms', bssids })),
    ...cut([...resources], names => ({ kind: 'resources', names })),
    ...cut([...vendors], some => ({ kind: 'events', vendors: some })),
    ...cut([...accounts], some => ({ kind: 'seen', accounts: some })),
    ...cut([...ended.values()], some => ({ kind: 'commands', ended: some })),
    ...[...progress.values()].map(one => JSON.stringify(one)),
    ...(missed ? [JSON.stringify({ kind: 'missed' } satisfies Sent)] : []),
  ]
  const fitting = payloads.filter(payload => Buffer.byteLength(payload) <= maxPayloadBytes)
  return { payloads: fitting, tooLong: payloads.length - fitting.length }
}

/** A list in as few texts as hold it. */
function cut<Item>(items: readonly Item[], toSent: (some: Item[]) => Sent): string[] {
  const room = maxPayloadBytes - Buffer.byteLength(JSON.stringify(toSent([])))
  const parts: Item[][] = []
  let left = 0
  for (const item of items) {
    const bytes = Buffer.byteLength(JSON.stringify(item)) + 1
    if (parts.length === 0 || bytes > left) {
      parts.push([])
      left = room
    }
    parts.at(-1)!.push(item)
    left -= bytes
  }
  return parts.map(part => JSON.stringify(toSent(part)))
}
