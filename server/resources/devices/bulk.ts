/** Sends one command to many devices, and answers which acknowledged it and why the others did not. */
import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import type { BulkAnswer, PreviousValues } from '../../../src/api/contract/endpoint.ts'
import { capabilityNames, type Capability, type StatusCode } from '../../../src/domain/device.ts'
import type { Database } from '../../db/database.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceModels } from '../../db/schema/models.ts'
import type { Change } from '../../devices/changes.ts'
import type { Link } from '../../devices/link.ts'
import { settingColumns } from '../../devices/settings.ts'
import type { DeviceCommand } from '../../protocol/commands.ts'
import { isPreview, type Caller, type Services } from '../../endpoints/handler.ts'
import { callProgress } from '../../bus/progress.ts'
import { bulkAnswer } from '../shared/bulkAnswer.ts'
import { ownDevices } from '../shared/scope.ts'

/** Why a device of a status takes no command. It is sent none, so that the answer does not wait for it. */
const unreachable: Readonly<Partial<Record<StatusCode, string>>> = {
  3: 'Device is offline',
  6: 'Device is updating its firmware',
}

/** Commands without an acknowledgement yet, in one call. */
const maxInFlight = 500

const columns = getTableColumns(devices)
const replaceable = ['locked', 'valve_closed', ...settingColumns] as const
type Replaceable = (typeof replaceable)[number]
/** The columns that a command can change and another call can put back. */
const replaceableColumns = Object.fromEntries(replaceable.map(name => [name, columns[name]])) as Pick<
  typeof columns,
  Replaceable
>

export interface Target {
  readonly bssid: string
  readonly status: StatusCode
  readonly capabilities: readonly Capability[]
  readonly platform: string
  readonly firmware: string
  readonly present: Readonly<Pick<typeof devices.$inferSelect, Replaceable>>
}
export interface DeviceOperation {
  readonly command: DeviceCommand
  readonly needs?: Capability
  /** Returns another reason to send a device nothing, besides a missing capability and its status. */
  readonly unfit?: (target: Target) => string | undefined
  /** What is stored for a device that acknowledged. */
  readonly change?: Change
  /** Returns the values that the command replaces, by the names of the call's fields; absent where they cannot be put back. */
  readonly earlier?: (target: Target) => PreviousValues['values']
}

/** Returns the part of an operation that stores these values, each in its column, and that can be put back. */
export function replacing(
  values: Readonly<Record<string, unknown>>,
  columnOf: Readonly<Record<string, string>>,
): Required<Pick<DeviceOperation, 'change' | 'earlier'>> {
  const fields = Object.keys(columnOf).filter(field => values[field] !== undefined)
  return {
    // The contract's values are what the columns of those names hold.
    change: Object.fromEntries(fields.map(field => [columnOf[field], values[field]])) as Change,
    earlier: ({ present }) => Object.fromEntries(fields.map(field => [field, present[columnOf[field] as Replaceable]])),
  }
}

/** Returns those of the devices that the caller may see. */
export function targets(db: Database, caller: Caller, ids: readonly string[]): Promise<Target[]> {
  return db
    .select({
      bssid: devices.bssid,
      status: devices.status,
      capabilities: deviceModels.capabilities,
      platform: devices.platform,
      firmware: devices.firmware,
      present: replaceableColumns,
    })
    .from(devices)
    .innerJoin(deviceModels, eq(deviceModels.id, devices.model_id))
    .where(and(ownDevices(caller), sql`${devices.bssid} = any(${sql.param(ids)}::text[])`))
}

/** Returns why a device is sent nothing; `undefined` where it is sent the command. */
function skipReason(target: Target, { needs, unfit }: DeviceOperation): string | undefined {
  if (needs !== undefined && !target.capabilities.includes(needs))
    return `Device model has no ${capabilityNames[needs].toLowerCase().replace('uv', 'UV')}`
  return unfit?.(target) ?? unreachable[target.status]
}

/** Sends a command to one device. Returns why it was not done, or `undefined` once the device has acknowledged. */
export async function ask(link: Link, target: Target, operation: DeviceOperation): Promise<string | undefined> {
  const reason = skipReason(target, operation)
  if (reason !== undefined) return reason
  const answer = await link.send(target.bssid, operation.command)
  return answer.ok ? undefined : answer.reason
}

/**
 * Sends the command to each device once. The change of a device is stored as soon as that device acknowledges: by the
 * time the slowest one answers, the others may have got a newer command. Earlier values are read before anything is
 * sent, because a device reports its new state before it acknowledges, and the report is stored at once.
 */
export async function runOnMany(
  call: {
    readonly caller: Caller
    readonly query: { readonly preview: 'true' | 'false' }
    readonly progressId: string | undefined
    readonly services: Services
  },
  ids: readonly string[],
  operation: DeviceOperation,
): Promise<BulkAnswer> {
  const { caller } = call
  const { db, link, changes, bus } = call.services
  const asked = await targets(db, caller, ids)
  if (isPreview(call))
    return bulkAnswer('Device', ids, new Map(asked.map(target => [target.bssid, skipReason(target, operation)])))
  const progress = callProgress(bus, { account: caller.account, progressId: call.progressId }, asked.length)
  const outcomes = await onEach(asked, async target => {
    const reason = await ask(link, target, operation)
    if (reason === undefined && operation.change) await changes.store(target.bssid, operation.change)
    progress.ended(reason === undefined)
    return reason
  }).finally(progress.stop)
  const { earlier } = operation
  return bulkAnswer('Device', ids, outcomes, earlier && new Map(asked.map(one => [one.bssid, earlier(one)])))
}

/** Runs `act` on a few hundred at a time, so that slow devices do not hold up the others. */
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
