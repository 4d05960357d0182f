/** One command to many devices: who acknowledged it, and why the others did not. */
import { and, eq, sql } from 'drizzle-orm'
import type { BulkAnswer } from '../../../src/api/contract/endpoint.ts'
import { capabilityNames, type Capability, type StatusCode } from '../../../src/domain/device.ts'
import type { Database } from '../../db/database.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceModels } from '../../db/schema/models.ts'
import type { Link } from '../../devices/link.ts'
import type { DeviceCommand } from '../../devices/protocol/commands.ts'
import type { Caller, Services } from '../../handler.ts'
import { callProgress } from '../../live/progress.ts'
import { bulkAnswer } from '../bulkAnswer.ts'
import { ownDevices } from '../scope.ts'

/** States in which a device takes no command: it is not asked, so the answer does not wait for it. */
const unreachable: Readonly<Partial<Record<StatusCode, string>>> = {
  3: 'Device is offline',
  6: 'Device is updating its firmware',
}

/** Commands on their way at once in one call. */
const mostInFlight = 500

export interface Target {
  readonly bssid: string
  readonly status: StatusCode
  readonly capabilities: readonly Capability[]
  readonly platform: string
  readonly firmware: string
}
export interface Order {
  readonly command: DeviceCommand
  readonly needs?: Capability
  /** Why a device is not asked, besides what it lacks and how it is; `undefined` where it is. */
  readonly unfit?: (target: Target) => string | undefined
}
/** Values to store, or nothing where the command leaves none. */
export type Change = Partial<typeof devices.$inferInsert>

/** Those of the devices that the caller may see. */
export function targets(db: Database, caller: Caller, ids: readonly string[]): Promise<Target[]> {
  return db
    .select({
      bssid: devices.bssid,
      status: devices.status,
      capabilities: deviceModels.capabilities,
      platform: devices.platform,
      firmware: devices.firmware,
    })
    .from(devices)
    .innerJoin(deviceModels, eq(deviceModels.id, devices.model_id))
    .where(and(ownDevices(caller), sql`${devices.bssid} = any(${sql.param(ids)}::text[])`))
}

/** Asks one device; the reason why it did not do it, or `undefined` once it has acknowledged. */
export async function ask(link: Link, target: Target, order: Order): Promise<string | undefined> {
  const { command, needs, unfit } = order
  if (needs !== undefined && !target.capabilities.includes(needs))
    return `Device model has no ${capabilityNames[needs].toLowerCase().replace('uv', 'UV')}`
  const reason = unfit?.(target) ?? unreachable[target.status]
  if (reason !== undefined) return reason
  const answer = await link.send(target.bssid, command)
  return answer.ok ? undefined : answer.reason
}

/** Sends the order to each device once, and stores the change for those that acknowledged. */
export async function orderMany(
  call: { readonly caller: Caller; readonly progressId: string | undefined; readonly services: Services },
  ids: readonly string[],
  order: Order,
  change: Change = {},
): Promise<BulkAnswer> {
  const { caller } = call
  const { db, link, bus, now } = call.services
  const asked = await targets(db, caller, ids)
  const progress = callProgress(bus, call, asked.length)
  const outcomes = await onEach(asked, async target => {
    const reason = await ask(link, target, order)
    progress.ended(reason === undefined)
    return reason
  }).finally(progress.stop)
  const done = [...outcomes].filter(([, reason]) => reason === undefined).map(([bssid]) => bssid)
  if (done.length > 0 && Object.keys(change).length > 0)
    await db
      .update(devices)
      .set({ ...change, updated_at: now() })
      .where(and(ownDevices(caller), sql`${devices.bssid} = any(${sql.param(done)}::text[])`))
  return bulkAnswer('Device', ids, outcomes)
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
  await Promise.all(Array.from({ length: Math.min(mostInFlight, all.length) }, work))
  return outcomes
}
