/** What is done to devices: each handler is the command it sends and what is stored once that is acknowledged. */
import { and, asc, inArray, sql } from 'drizzle-orm'
import { devices as contract } from '../../../src/api/contract/devices.ts'
import { retried } from '../../db/retry.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceTwins } from '../../db/schema/telemetry.ts'
import { badRequest, conflict } from '../../errors.ts'
import { handler, type Handler } from '../../handler.ts'
import { bulkAnswer } from '../bulkAnswer.ts'
import { given } from '../given.ts'
import { ownDevices } from '../scope.ts'
import { ask, orderMany, targets, type Change } from './bulk.ts'
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

export const actions: readonly Handler[] = [
  handler(contract.edit, async call => {
    const { params, body, caller } = call
    const { db, link, now } = call.services
    const [target] = await targets(db, caller, [params.bssid])
    const valve = body.valve_closed
    if (target !== undefined && valve !== undefined) {
      const reason = await ask(link, target, { command: { type: 'valve', closed: valve }, needs: 'valve' })
      if (reason !== undefined) throw conflict(reason)
    }
    const change = given<Change>({ description: body.description, valve_closed: valve })
    if (target !== undefined && Object.keys(change).length > 0)
      await db
        .update(devices)
        .set({ ...change, updated_at: now() })
        .where(and(ownDevices(caller), sql`${devices.bssid} = ${params.bssid}`))
    return ownDevice(db, caller, params.bssid)
  }),
  handler(contract.lock, call =>
    orderMany(
      call,
      call.body.ids,
      { command: { type: 'lock', locked: call.body.locked }, needs: 'lock' },
      { locked: call.body.locked },
    ),
  ),
  handler(contract.flush, call => orderMany(call, call.body.ids, { command: { type: 'flush' }, needs: 'flush' })),
  handler(contract.reboot, call => orderMany(call, call.body.ids, { command: { type: 'reboot' } })),
  handler(contract.reset, call =>
    orderMany(call, call.body.ids, { command: { type: 'reset', scope: call.body.scope } }, resets[call.body.scope]),
  ),
  handler(contract.setFlush, call => {
    const { ids, ...body } = call.body
    const settings = someSetting(given(body))
    return orderMany(
      call,
      ids,
      { command: { type: 'set_flush', settings }, needs: 'flush' },
      given<Change>({
        flush_smart: settings.smart,
        flush_mode: settings.mode,
        flush_frequency: settings.frequency,
        flush_duration: settings.duration,
        flush_volume: settings.volume,
      }),
    )
  }),
  handler(contract.setIdleProtection, call =>
    orderMany(
      call,
      call.body.ids,
      { command: { type: 'set_idle_protection', duration: call.body.duration }, needs: 'idle_protection' },
      { idle_protection: call.body.duration },
    ),
  ),
  handler(contract.setBypass, call => {
    const { ids, ...body } = call.body
    const settings = someSetting(given(body))
    return orderMany(
      call,
      ids,
      { command: { type: 'set_bypass', ...settings }, needs: 'bypass' },
      given<Change>({ bypass_smart: settings.smart, bypass_state: settings.state }),
    )
  }),
  handler(contract.setUv, call =>
    orderMany(
      call,
      call.body.ids,
      { command: { type: 'set_uv', mode: call.body.mode }, needs: 'uv' },
      { uv: call.body.mode },
    ),
  ),
  handler(contract.delete, async ({ body: { ids }, caller, services: { db, bus } }) => {
    const these = and(ownDevices(caller), sql`${devices.bssid} = any(${sql.param(ids)}::text[])`)
    // What they are part of may be changing: their events, say.
    const gone = await retried(() =>
      db.transaction(async tx => {
        // In the order in which readings are stored, so that the two wait for each other and never in a circle.
        await tx
          .select({ bssid: deviceTwins.bssid })
          .from(deviceTwins)
          .where(inArray(deviceTwins.bssid, tx.select({ bssid: devices.bssid }).from(devices).where(these)))
          .orderBy(asc(deviceTwins.bssid))
          .for('update')
        // What belongs to a device goes with it by the tables' references, and its readings afterwards (retention.ts).
        return tx.delete(devices).where(these).returning({ bssid: devices.bssid })
      }),
    )
    // What they sign in with is gone too; those that are signed in are shown out.
    bus.tell({ kind: 'deleted', bssids: gone.map(({ bssid }) => bssid) })
    return bulkAnswer('Device', ids, new Map(gone.map(({ bssid }) => [bssid, undefined])))
  }),
]
