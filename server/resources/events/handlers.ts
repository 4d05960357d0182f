/** Endpoints of the calendar. A vendor only has access to events with its own devices. */
import { and, asc, eq } from 'drizzle-orm'
import { events as contract } from '../../../src/api/contract/events.ts'
import { anyOf } from '../../db/anyOf.ts'
import { insertMany } from '../../db/bulk.ts'
import type { Database } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { withRetry } from '../../db/retry.ts'
import { devices } from '../../db/schema/devices.ts'
import { eventDevices, events } from '../../db/schema/events.ts'
import { HttpError, notFound } from '../../core/errors.ts'
import { handler, type Caller, type Handler } from '../../endpoints/handler.ts'
import { ownDevices, ownEventDevices } from '../shared/scope.ts'
import { eventsBetween } from './list.ts'
import { eventKey, eventSpan, listSpan } from './spans.ts'

const create = handler(contract.create, async ({ body, caller, affectedVendors, services: { db, now } }) => {
  const { from, to } = eventSpan(body.start, body.end)
  const bssids = [...new Set(body.devices)]
  const id = newId()
  const vendors = await db.transaction(async tx => {
    const owners = await ownersOf(tx, caller, bssids)
    await tx.insert(events).values({
      id,
      title: body.title,
      description: body.description,
      starts_at: from,
      ends_at: to,
      created_by: caller.account,
      created_at: now(),
    })
    await insertMany(
      tx,
      eventDevices,
      bssids.map(bssid => ({ event_id: id, bssid })),
    )
    return owners
  })
  affectedVendors(vendors)
  return { _id: id }
})

/** Locks the devices and returns their vendors. Throws a 404 for devices that the caller may not see. */
async function ownersOf(tx: Database, caller: Caller, bssids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .select({ bssid: devices.bssid, vendor: devices.vendor_id })
    .from(devices)
    .where(and(ownDevices(caller), anyOf(devices.bssid, bssids)))
    .orderBy(asc(devices.bssid))
    .for('key share')
  const visible = new Set(rows.map(({ bssid }) => bssid))
  const [first, ...rest] = bssids.filter(bssid => !visible.has(bssid))
  if (first !== undefined)
    throw new HttpError(404, `Device ${first}${rest.length > 0 ? ` and ${rest.length} more` : ''} not found`)
  return [...new Set(rows.map(({ vendor }) => vendor))]
}

const list = handler(contract.list, ({ query, caller, services: { db } }) =>
  eventsBetween(db, caller, {
    span: listSpan(query.from, query.to),
    devices: query.devices,
    limit: query.limit,
    after: query.after === undefined ? undefined : eventKey(query.after),
  }),
)

/**
 * Removes the caller's devices from the event; a trigger deletes the event with its last device (migration 0005). So an
 * administrator deletes the whole event, and a vendor only its own part.
 */
const remove = handler(contract.delete, async ({ params: { id }, caller, affectedVendors, services: { db } }) => {
  const removed = await withRetry(() =>
    db
      .delete(eventDevices)
      .where(and(eq(eventDevices.event_id, id), ownEventDevices(caller)))
      .returning({ bssid: eventDevices.bssid }),
  )
  if (removed.length === 0) throw notFound('Event')
  const owners = await db
    .selectDistinct({ vendor: devices.vendor_id })
    .from(devices)
    .where(
      anyOf(
        devices.bssid,
        removed.map(({ bssid }) => bssid),
      ),
    )
  affectedVendors(owners.map(({ vendor }) => vendor))
  return {}
})

export const eventHandlers: readonly Handler[] = [create, list, remove]
