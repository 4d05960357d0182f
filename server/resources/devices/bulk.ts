/** One command to many devices: who acknowledged it, and why the others did not. */
import { and, eq, sql } from 'drizzle-orm'
import type { BulkAnswer, PreviousValues } from '../../../src/api/contract/endpoint.ts'
import { capabilityNames, type Capability, type StatusCode } from '../../../src/domain/device.ts'
import type { Database } from '../../db/database.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceModels } from '../../db/schema/models.ts'
import type { Change } from '../../devices/changes.ts'
import type { Link } from '../../devices/link.ts'
import type { DeviceCommand } from '../../protocol/commands.ts'
import { isPreview, type Caller, type Services } from '../../endpoints/handler.ts'
import { callProgress } from '../../bus/progress.ts'
import { bulkAnswer } from '../shared/bulkAnswer.ts'
import { ownDevices } from '../shared/scope.ts'

/** States in which a device takes no command: it is not asked, so the answer does not wait for it. */
const unreachable: Readonly<Partial<Record<StatusCode, string>>> = {
  3: 'Device is offline',
  6: 'Device is updating its firmware',
}

/** Commands on their way at once in one call. */
const maxInFlight = 500

/** What can be set on a device and put back. */
const settings = {
  locked: devices.locked,
  valve_closed: devices.valve_closed,
  flush_smart: devices.flush_smart,
  flush_mode: devices.flush_mode,
  flush_frequency: devices.flush_frequency,
  flush_duration: devices.flush_duration,
  flush_volume: devices.flush_volume,
  idle_protection: devices.idle_protection,
  bypass_smart: devices.bypass_smart,
  bypass_state: devices.bypass_state,
  uv: devices.uv,
}
type Setting = keyof typeof settings

export interface Target {
  readonly bssid: string
  readonly status: StatusCode
  readonly capabilities: readonly Capability[]
  readonly platform: string
  readonly firmware: string
  readonly settings: Readonly<Pick<typeof devices.$inferSelect, Setting>>
}
export interface DeviceOperation {
  readonly command: DeviceCommand
  readonly needs?: Capability
  /** Why a device is not asked, besides what it lacks and how it is; `undefined` where it is. */
  readonly unfit?: (target: Target) => string | undefined
  /** What is stored of those that acknowledged; nothing where the command leaves nothing. */
  readonly change?: Change
  /** What it replaces, under the names that the call has; absent where that cannot be put back. */
  readonly earlier?: (target: Target) => PreviousValues['values']
}

/** An order that replaces these values of a call's, by the columns that hold them. */
export function replacing<Name extends string>(
  values: Readonly<Partial<Record<Name, unknown>>>,
  columns: Readonly<Record<Name, Setting>>,
): Pick<DeviceOperation, 'change' | 'earlier'> {
  const given = (Object.keys(columns) as Name[]).filter(name => values[name] !== undefined)
  return {
    // The contract's values are what the columns of those names hold.
    change: Object.fromEntries(given.map(name => [columns[name], values[name]])) as Change,
    earlier: target => Object.fromEntries(given.map(name => [name, target.settings[columns[name]]])),
  }
}

/** Those of the devices that the caller may see. */
export function targets(db: Database, caller: Caller, ids: readonly string[]): Promise<Target[]> {
  return db
    .select({
      bssid: devices.bssid,
      status: devices.status,
      capabilities: deviceModels.capabilities,
      platform: devices.platform,
      firmware: devices.firmware,
      settings,
    })
    .from(devices)
    .innerJoin(deviceModels, eq(deviceModels.id, devices.model_id))
    .where(and(ownDevices(caller), sql`${devices.bssid} = any(${sql.param(ids)}::text[])`))
}

/** Why a device is not asked; `undefined` where it is. */
function reasonNot(target: Target, { needs, unfit }: DeviceOperation): string | undefined {
  if (needs !== undefined && !target.capabilities.includes(needs))
    return `Device model has no ${capabilityNames[needs].toLowerCase().replace('uv', 'UV')}`
  return unfit?.(target) ?? unreachable[target.status]
}

/** Asks one device; the reason why it did not do it, or `undefined` once it has acknowledged. */
export async function ask(link: Link, target: Target, order: DeviceOperation): Promise<string | undefined> {
  const reason = reasonNot(target, order)
  if (reason !== undefined) return reason
  const answer = await link.send(target.bssid, order.command)
  return answer.ok ? undefined : answer.reason
}

/**
 * Sends the order to each device once, and stores the change for each that acknowledged, at once: by the time that the
 * slowest one has answered, others may have been told something else. What they had is read before anything is sent: a
 * device tells its new state as soon as it has it, and that is stored by whoever hears it.
 */
export async function runOnMany(
  call: {
    readonly caller: Caller
    readonly query: { readonly preview: 'true' | 'false' }
    readonly progressId: string | undefined
    readonly services: Services
  },
  ids: readonly string[],
  order: DeviceOperation,
): Promise<BulkAnswer> {
  const { caller } = call
  const { db, link, changes, bus } = call.services
  const asked = await targets(db, caller, ids)
  if (isPreview(call))
    return bulkAnswer('Device', ids, new Map(asked.map(target => [target.bssid, reasonNot(target, order)])))
  const progress = callProgress(bus, { account: caller.account, progressId: call.progressId }, asked.length)
  const outcomes = await onEach(asked, async target => {
    const reason = await ask(link, target, order)
    if (reason === undefined && order.change) await changes.store(target.bssid, order.change)
    progress.ended(reason === undefined)
    return reason
  }).finally(progress.stop)
  const { earlier } = order
  return bulkAnswer('Device', ids, outcomes, earlier && new Map(asked.map(one => [one.bssid, earlier(one)])))
}

/** A few hundred at a time: the slow ones do not hold up the others. */
async function onEach(
  all: readonly Target[],
  act: (target: Target) => Promise<string | undefined>,
): Promise<Map<string, string | undefined>> {
  const outcomes = new Map<string, string | undefined>()
  const left = all.values()
  const work = async () => {
    for (const target of left) outcomes.set(target.bssid, await act(target))
  }
  await Promise.all(Array.from({ length: Math.min(maxInFlight, all.length) }, work))
  return outcomes
}
