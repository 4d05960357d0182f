/** Converts changes to stream messages for each scope (all devices, or those of a vendor). */
import { and } from 'drizzle-orm'
import { maxPerCall } from '../../src/api/contract/endpoint.ts'
import { anyOf } from '../db/anyOf.ts'
import type { Database } from '../db/database.ts'
import { devices } from '../db/schema/devices.ts'
import { notifications } from '../db/schema/notifications.ts'
import type { Caller } from '../endpoints/handler.ts'
import { devicesByKeys } from '../resources/devices/rows.ts'
import { notificationsByIds } from '../resources/notifications/rows.ts'
import { isVisibleTo, ownDevices, ownNotifications } from '../resources/shared/scope.ts'
import { devicesEvent, encodeEvent } from './events.ts'

/** Maximum changed devices of an event; if more change, consoles reload their lists. */
const maxRows = maxPerCall
const maxNotifications = 200
/** Up to this many changed devices, a batch reads which of them are visible; above, consoles reload their lists. */
const maxDevices = 20_000

/** Changes since the last batch. */
export interface PendingChanges {
  readonly bssids: readonly string[]
  readonly notifications: readonly string[]
}

/** An event, and the resources to reload if a client misses it. */
export interface Message {
  readonly event: Buffer
  readonly resources: readonly string[]
}

/** Returns a message that makes consoles reload resources. */
const reloadMessage = (resources: string[]): Message => ({ event: encodeEvent('changed', { resources }), resources })

/**
 * Returns the messages for each of the callers, in their order. Every row is read and serialized only once.
 */
export async function messagesFor(
  db: Database,
  callers: readonly Caller[],
  { bssids, notifications: ids }: PendingChanges,
): Promise<Message[][]> {
  const vendors = bssids.length > maxDevices ? await vendorsOf(db, bssids) : undefined
  const visible: (readonly string[] | 'too many')[] = []
  for (const caller of callers)
    if (vendors) visible.push(isVisibleTo(caller, vendors) ? 'too many' : [])
    else visible.push(await visibleDevices(db, caller, bssids))
  const visibleKeys = new Set(visible.flatMap(keys => (keys === 'too many' ? [] : keys)))
  const rows = new Map(
    (await devicesByKeys(db, [...visibleKeys])).map(row => [row.bssid, JSON.stringify(row)] as const),
  )

  const messages: Message[][] = []
  for (const [index, caller] of callers.entries()) {
    const keys = visible[index]!
    const visibleRows = keys === 'too many' ? [] : keys.flatMap(key => rows.get(key) ?? [])
    messages.push([
      ...(keys === 'too many' ? [reloadMessage(['devices'])] : []),
      ...(visibleRows.length > 0 ? [{ event: devicesEvent(visibleRows), resources: ['devices'] }] : []),
      ...(await notificationsFor(db, caller, ids)),
    ])
  }
  return messages
}

/** Returns the vendors of these devices. */
async function vendorsOf(db: Database, bssids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.selectDistinct({ vendor: devices.vendor_id }).from(devices).where(anyOf(devices.bssid, bssids))
  return new Set(rows.map(({ vendor }) => vendor))
}

/** Returns the devices that the caller may see. */
async function visibleDevices(db: Database, caller: Caller, bssids: readonly string[]): Promise<string[] | 'too many'> {
  if (bssids.length === 0) return []
  const rows = await db
    .select({ bssid: devices.bssid })
    .from(devices)
    .where(and(ownDevices(caller), anyOf(devices.bssid, bssids)))
    .limit(maxRows + 1)
  return rows.length > maxRows ? 'too many' : rows.map(({ bssid }) => bssid)
}

/**
 * Returns the messages for the notifications that the caller may see. Those of incidents change rows that consoles already
 * have, so consoles reload them.
 */
async function notificationsFor(db: Database, caller: Caller, ids: readonly string[]): Promise<Message[]> {
  if (ids.length === 0) return []
  const rows = await db
    .select({ id: notifications.id, incident: notifications.incident_id })
    .from(notifications)
    .where(and(ownNotifications(caller), anyOf(notifications.id, ids)))
    .limit(maxNotifications + 1)
  if (rows.length === 0) return []
  if (rows.length > maxNotifications) return [reloadMessage(['notifications'])]
  const single = rows.filter(({ incident }) => incident === null).map(({ id }) => id)
  const visible = await notificationsByIds(db, single)
  return [
    ...(single.length > 0
      ? [{ event: encodeEvent('notifications', { notifications: visible }), resources: ['notifications'] }]
      : []),
    ...(single.length < rows.length ? [reloadMessage(['notifications'])] : []),
  ]
}
