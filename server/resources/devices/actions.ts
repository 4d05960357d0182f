/** The endpoints that send commands to devices, and the deletion of devices. */
import { and, asc, inArray, sql } from 'drizzle-orm'
import { devices as contract } from '../../../src/api/contract/devices.ts'
import { allSettings, settingEndpoints, type SettingValues } from '../../../src/api/contract/settings.ts'
import { withRetry } from '../../db/retry.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceTwins } from '../../db/schema/telemetry.ts'
import type { Change } from '../../devices/changes.ts'
import { initialColumns } from '../../devices/settings.ts'
import { settingCommand } from '../../protocol/settings.ts'
import { badRequest, conflict } from '../../core/errors.ts'
import { handler, isPreview, type Handler } from '../../endpoints/handler.ts'
import { bulkAnswer } from '../shared/bulkAnswer.ts'
import { omitUndefined } from '../../core/omitUndefined.ts'
import { ownDevices } from '../shared/scope.ts'
import { ask, runOnMany, replacing, targets, type DeviceOperation } from './bulk.ts'
import { ownDevice } from './detail.ts'

/** The vendor's lock and description are the vendor's, not the device's: a reset leaves them. */
const resets: Record<'settings' | 'factory', Change> = {
  settings: initialColumns,
  factory: { ...initialColumns, valve_closed: false },
}

const valveOperation = (closed: boolean): DeviceOperation => ({ command: { type: 'valve', closed }, needs: 'valve' })

const settingHandlers = allSettings.map(([name, setting]) =>
  handler(settingEndpoints[`set_${name}`], call => {
    const { ids, ...body } = call.body
    const values = omitUndefined(body) as SettingValues
    if (Object.keys(values).length === 0) throw badRequest('At least one setting is required')
    const command = settingCommand(name, values)
    return runOnMany(call, ids, { command, needs: setting.capability, ...replacing(values, setting.columns) })
  }),
)

export const actions: readonly Handler[] = [
  handler(contract.edit, async call => {
    const { params, body, caller } = call
    const { db, link, now } = call.services
    const [target] = await targets(db, caller, [params.bssid])
    const valve = body.valve_closed
    if (target !== undefined && valve !== undefined) {
      const reason = await ask(link, target, valveOperation(valve))
      if (reason !== undefined) throw conflict(reason)
    }
    const change = omitUndefined<Change>({ description: body.description, valve_closed: valve })
    if (target !== undefined && Object.keys(change).length > 0)
      await db
        .update(devices)
        .set({ ...change, updated_at: now() })
        .where(and(ownDevices(caller), sql`${devices.bssid} = ${params.bssid}`))
    return ownDevice(db, caller, params.bssid)
  }),
  handler(contract.lock, call => {
    const { ids, locked } = call.body
    const changed = replacing({ locked }, { locked: 'locked' })
    return runOnMany(call, ids, { command: { type: 'lock', locked }, needs: 'lock', ...changed })
  }),
  handler(contract.setValve, call => {
    const { ids, valve_closed } = call.body
    const changed = replacing({ valve_closed }, { valve_closed: 'valve_closed' })
    return runOnMany(call, ids, { ...valveOperation(valve_closed), ...changed })
  }),
  handler(contract.flush, call => runOnMany(call, call.body.ids, { command: { type: 'flush' }, needs: 'flush' })),
  handler(contract.reboot, call => runOnMany(call, call.body.ids, { command: { type: 'reboot' } })),
  handler(contract.reset, call => {
    const { ids, scope } = call.body
    return runOnMany(call, ids, { command: { type: 'reset', scope }, change: resets[scope] })
  }),
  ...settingHandlers,
  handler(contract.delete, async call => {
    const { ids } = call.body
    const { db, bus } = call.services
    const these = and(ownDevices(call.caller), sql`${devices.bssid} = any(${sql.param(ids)}::text[])`)
    const bssid = { bssid: devices.bssid }
    // Another call may be changing the devices or their events at the same time.
    const deleted = await withRetry(() =>
      db.transaction(async tx => {
        if (isPreview(call)) return tx.select(bssid).from(devices).where(these)
        // Locks in the order in which readings are stored: two transactions then never wait for each other in a circle.
        await tx
          .select({ bssid: deviceTwins.bssid })
          .from(deviceTwins)
          .where(inArray(deviceTwins.bssid, tx.select(bssid).from(devices).where(these)))
          .orderBy(asc(deviceTwins.bssid))
          .for('update')
        // The tables' references delete what belongs to a device; retention.ts deletes its readings later.
        return tx.delete(devices).where(these).returning(bssid)
      }),
    )
    const bssids = deleted.map(one => one.bssid)
    // Their credentials are gone too: the gateway disconnects those that are connected.
    if (!isPreview(call)) bus.publish({ kind: 'deleted', bssids })
    return bulkAnswer('Device', ids, new Map(bssids.map(one => [one, undefined])))
  }),
]
