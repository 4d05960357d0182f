/** Endpoints that change one device, and the deletion of devices. */
import { and, asc, inArray, sql } from 'drizzle-orm'
import { devices as contract } from '../../../src/api/contract/devices.ts'
import { withRetry } from '../../db/retry.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceTwins } from '../../db/schema/telemetry.ts'
import type { Change } from '../../devices/changes.ts'
import { conflict } from '../../core/errors.ts'
import { handler, isPreview, type Handler } from '../../endpoints/handler.ts'
import { bulkResponse } from '../shared/bulkResponse.ts'
import { omitUndefined } from '../../../src/domain/lib/omitUndefined.ts'
import { ownDevices } from '../shared/scope.ts'
import { findTargets, sendCommand } from './bulk.ts'
import { ownDevice } from './detail.ts'
import { valveOperation } from './operations.ts'

export const actionHandlers: readonly Handler[] = [
  handler(contract.edit, async call => {
    const { params, body, caller } = call
    const { db, link, now } = call.services
    const [target] = await findTargets(db, caller, [params.bssid])
    const valve = body.valve_closed
    if (target !== undefined && valve !== undefined) {
      const reason = await sendCommand(link, target, valveOperation(valve))
      if (reason !== undefined) throw conflict(reason)
    }
    const change = omitUndefined<Change>({ description: body.description, valve_closed: valve })
    if (target !== undefined)
      await db
        .update(devices)
        .set({ ...change, updated_at: now() })
        .where(and(ownDevices(caller), sql`${devices.bssid} = ${params.bssid}`))
    return ownDevice(db, caller, params.bssid)
  }),
  handler(contract.delete, async call => {
    const { ids } = call.body
    const { db, bus } = call.services
    const isTarget = and(ownDevices(call.caller), sql`${devices.bssid} = any(${sql.param(ids)}::text[])`)
    const row = { bssid: devices.bssid, vendor: devices.vendor_id }
    // Another call may be changing the devices or their events at the same time.
    const deleted = await withRetry(() =>
      db.transaction(async tx => {
        if (isPreview(call)) return tx.select(row).from(devices).where(isTarget)
        // Locks twins in the same order as storing readings does, to avoid deadlocks.
        await tx
          .select({ bssid: deviceTwins.bssid })
          .from(deviceTwins)
          .where(inArray(deviceTwins.bssid, tx.select({ bssid: devices.bssid }).from(devices).where(isTarget)))
          .orderBy(asc(deviceTwins.bssid))
          .for('update')
        // Foreign keys delete the dependent rows of a device; retention.ts deletes its readings later.
        return tx.delete(devices).where(isTarget).returning(row)
      }),
    )
    call.affectedVendors(deleted.map(({ vendor }) => vendor))
    const bssids = deleted.map(device => device.bssid)
    // Their credentials are deleted too, so the gateway disconnects them.
    if (!isPreview(call)) bus.publish({ kind: 'deleted', bssids })
    return bulkResponse('Device', ids, new Map(bssids.map(id => [id, undefined])))
  }),
]
