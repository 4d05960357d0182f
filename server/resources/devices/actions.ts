/** What is done to devices: each handler is the command it sends and what is stored once that is acknowledged. */
import { and, asc, inArray, sql } from 'drizzle-orm'
import { devices as contract } from '../../../src/api/contract/devices.ts'
import { withRetry } from '../../db/retry.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceTwins } from '../../db/schema/telemetry.ts'
import type { Change } from '../../devices/changes.ts'
import type { DeviceCommand } from '../../protocol/commands.ts'
import { badRequest, conflict } from '../../core/errors.ts'
import { handler, isPreview, type Handler } from '../../endpoints/handler.ts'
import { bulkAnswer } from '../shared/bulkAnswer.ts'
import { omitUndefined } from '../shared/omitUndefined.ts'
import { ownDevices } from '../shared/scope.ts'
import { ask, runOnMany, replacing, targets, type DeviceOperation } from './bulk.ts'
import { ownDevice } from './detail.ts'

function someSetting<Values extends object>(values: Values): Values {
  if (Object.keys(values).length === 0) throw badRequest('At least one setting is required')
  return values
}

const defaultSettings: Change = {
  flush_smart: null,
  flush_mode: 0,
  flush_frequency: 5,
  flush_duration: 18,
  flush_volume: 0,
  idle_protection: 0,
  bypass_smart: 0,
  bypass_state: 0,
  uv: 0,
}
/** The vendor's lock and description are the vendor's, not the device's: a reset leaves them. */
const resets: Record<'settings' | 'factory', Change> = {
  settings: defaultSettings,
  factory: { ...defaultSettings, valve_closed: false },
}

const flushColumns = {
  smart: 'flush_smart',
  mode: 'flush_mode',
  frequency: 'flush_frequency',
  duration: 'flush_duration',
  volume: 'flush_volume',
} as const

const turning = (closed: boolean): DeviceOperation => ({ command: { type: 'valve', closed }, needs: 'valve' })

export const actions: readonly Handler[] = [
  handler(contract.edit, async call => {
    const { params, body, caller } = call
    const { db, link, now } = call.services
    const [target] = await targets(db, caller, [params.bssid])
    const valve = body.valve_closed
    if (target !== undefined && valve !== undefined) {
      const reason = await ask(link, target, turning(valve))
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
    return runOnMany(call, ids, { ...turning(valve_closed), ...changed })
  }),
  handler(contract.flush, call => runOnMany(call, call.body.ids, { command: { type: 'flush' }, needs: 'flush' })),
  handler(contract.reboot, call => runOnMany(call, call.body.ids, { command: { type: 'reboot' } })),
  handler(contract.reset, call => {
    const { ids, scope } = call.body
    return runOnMany(call, ids, { command: { type: 'reset', scope }, change: resets[scope] })
  }),
  handler(contract.setFlush, call => {
    const { ids, ...body } = call.body
    const settings = someSetting(omitUndefined(body))
    const command: DeviceCommand = { type: 'set_flush', settings }
    return runOnMany(call, ids, { command, needs: 'flush', ...replacing(settings, flushColumns) })
  }),
  handler(contract.setIdleProtection, call => {
    const { ids, duration } = call.body
    const changed = replacing({ duration }, { duration: 'idle_protection' })
    return runOnMany(call, ids, {
      command: { type: 'set_idle_protection', duration },
      needs: 'idle_protection',
      ...changed,
    })
  }),
  handler(contract.setBypass, call => {
    const { ids, ...body } = call.body
    const settings = someSetting(omitUndefined(body))
    const changed = replacing(settings, { smart: 'bypass_smart', state: 'bypass_state' })
    return runOnMany(call, ids, { command: { type: 'set_bypass', ...settings }, needs: 'bypass', ...changed })
  }),
  handler(contract.setUv, call => {
    const { ids, mode } = call.body
    return runOnMany(call, ids, {
      command: { type: 'set_uv', mode },
      needs: 'uv',
      ...replacing({ mode }, { mode: 'uv' }),
    })
  }),
  handler(contract.delete, async call => {
    const { ids } = call.body
    const { db, bus } = call.services
    const these = and(ownDevices(call.caller), sql`${devices.bssid} = any(${sql.param(ids)}::text[])`)
    const bssid = { bssid: devices.bssid }
    // What they are part of may be changing: their events, say.
    const gone = await withRetry(() =>
      db.transaction(async tx => {
        if (isPreview(call)) return tx.select(bssid).from(devices).where(these)
        // In the order in which readings are stored, so that the two wait for each other and never in a circle.
        await tx
          .select({ bssid: deviceTwins.bssid })
          .from(deviceTwins)
          .where(inArray(deviceTwins.bssid, tx.select(bssid).from(devices).where(these)))
          .orderBy(asc(deviceTwins.bssid))
          .for('update')
        // What belongs to a device goes with it by the tables' references, and its readings afterwards (retention.ts).
        return tx.delete(devices).where(these).returning(bssid)
      }),
    )
    const bssids = gone.map(one => one.bssid)
    // What they sign in with is gone too; those that are signed in are shown out.
    if (!isPreview(call)) bus.publish({ kind: 'deleted', bssids })
    return bulkAnswer('Device', ids, new Map(bssids.map(one => [one, undefined])))
  }),
]
