/** Sends a command to many devices and returns the outcome of each. */
import pLimit from 'p-limit'
import { and, eq, getTableColumns } from 'drizzle-orm'
import type { BulkResponse, PreviousValues } from '../../../src/api/contract/endpoint.ts'
import { capabilityNames, type Capability, type StatusCode } from '../../../src/domain/device.ts'
import { lowerFirst } from '../../../src/domain/lib/lowerFirst.ts'
import { anyOf } from '../../db/anyOf.ts'
import type { Database } from '../../db/database.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceValues } from '../../db/schema/deviceValues.ts'
import { deviceModels } from '../../db/schema/models.ts'
import type { Change } from '../../devices/changes.ts'
import type { Link } from '../../devices/link.ts'
import { settingColumns } from '../../devices/settings.ts'
import type { DeviceCommand } from '../../protocol/commands.ts'
import { isPreview, type Caller, type Services } from '../../endpoints/handler.ts'
import { publishProgress } from '../../bus/progress.ts'
import { bulkResponse, type Outcomes } from '../shared/bulkResponse.ts'
import { ownDevices, type Scope } from '../shared/scope.ts'

/** The statuses in which a device cannot execute commands. It is skipped, so that the call does not wait for it. */
const unreachableReasons: Readonly<Partial<Record<StatusCode, string>>> = {
  3: 'Device is offline',
  6: 'Device is updating its firmware',
}

export const unreachableStatuses: readonly number[] = Object.keys(unreachableReasons).map(Number)

/** Why a device that does not exist for the caller is skipped. */
export const notFoundReason = 'Device not found'

/** Maximum unacknowledged commands of a call. */
const maxInFlight = 500

const columns = getTableColumns(devices)
const reversible = ['locked', 'valve_closed', ...settingColumns] as const
type Reversible = (typeof reversible)[number]
/** The columns that a command changes and another call can restore. */
const reversibleColumns = Object.fromEntries(reversible.map(name => [name, columns[name]])) as Pick<
  typeof columns,
  Reversible
>

/** What decides whether a command is sent to a device. */
export interface DeviceKind {
  readonly status: StatusCode
  readonly capabilities: readonly Capability[]
  readonly platform: string
  readonly firmware: string
}
/** A device to which a command is sent. */
export interface Target extends DeviceKind {
  readonly bssid: string
  /** The zone of its location; null if it has not been set. */
  readonly zone: string | null
  /** Current values, which a command may replace. */
  readonly current: Readonly<Pick<typeof devices.$inferSelect, Reversible>>
}
/** A command and what follows from its acknowledgement. */
export interface DeviceOperation {
  readonly command: DeviceCommand
  /** The capability without which a device is skipped. */
  readonly needs?: Capability
  /** Returns why a device is skipped, besides a missing capability and its status. */
  readonly blockedReason?: (device: DeviceKind) => string | undefined
  /** The change to store once a device has acknowledged. */
  readonly change?: Change
  /** Returns the values that the command replaces, by the call's fields; absent if they cannot be restored. */
  readonly previousValues?: (target: Target) => PreviousValues['values'] | undefined
}

/** Returns the part of an operation that stores these values in their columns, and the values that they replace. */
export function reversibleChange(
  values: Readonly<Record<string, unknown>>,
  columnOf: Readonly<Record<string, string>>,
): Required<Pick<DeviceOperation, 'change' | 'previousValues'>> {
  const fields = Object.keys(columnOf).filter(field => values[field] !== undefined)
  return {
    // The contract's values have the types of these columns.
    change: Object.fromEntries(fields.map(field => [columnOf[field], values[field]])) as Change,
    previousValues: ({ current }) =>
      Object.fromEntries(fields.map(field => [field, current[columnOf[field] as Reversible]])),
  }
}

/** Returns the devices that the caller may see. */
export function findTargets(db: Database, scope: Scope, ids: readonly string[]): Promise<Target[]> {
  return db
    .select({
      bssid: devices.bssid,
      status: deviceValues.status,
      capabilities: deviceModels.capabilities,
      platform: devices.platform,
      firmware: devices.firmware,
      zone: devices.time_zone,
      current: reversibleColumns,
    })
    .from(devices)
    .innerJoin(deviceValues, eq(deviceValues.bssid, devices.bssid))
    .innerJoin(deviceModels, eq(deviceModels.id, devices.model_id))
    .where(and(ownDevices(scope), anyOf(devices.bssid, ids)))
}

/** Returns why an operation makes no sense on a device, whatever its status. */
export function unfitReason(target: DeviceKind, { needs, blockedReason }: DeviceOperation): string | undefined {
  if (needs !== undefined && !target.capabilities.includes(needs))
    return `Device model has no ${lowerFirst(capabilityNames[needs])}`
  return blockedReason?.(target)
}

/** Returns why a device cannot execute commands at the moment. */
export const unreachableReason = ({ status }: DeviceKind): string | undefined => unreachableReasons[status]

/** Returns why a device is skipped; `undefined` if the command is sent. */
const skipReason = (target: Target, operation: DeviceOperation): string | undefined =>
  unfitReason(target, operation) ?? unreachableReason(target)

/** Sends a command to a device. Resolves with `undefined` once it is acknowledged, otherwise with why it failed. */
export async function sendCommand(link: Link, target: Target, operation: DeviceOperation): Promise<string | undefined> {
  const reason = skipReason(target, operation)
  if (reason !== undefined) return reason
  const acknowledgement = await link.send(target.bssid, operation.command)
  return acknowledgement.ok ? undefined : acknowledgement.reason
}

/** What a call is about to do on a device: send its command, or skip it for a reason. */
export interface PlannedTask {
  readonly bssid: string
  readonly skipped: string | undefined
  /** The values that the command replaces. */
  readonly before: PreviousValues['values'] | undefined
}

/** What came of a command that was sent. */
export interface TaskResult {
  readonly bssid: string
  readonly state: 'done' | 'refused' | 'unanswered'
  readonly reason: string | null
}

/** Writes down what a call is about to do, and returns the function that writes down what came of it. */
export type RecordCall = (plan: readonly PlannedTask[]) => Promise<(results: readonly TaskResult[]) => Promise<void>>

/**
 * Sends the command to each device once and returns the outcomes. The change of a device is stored as soon as it
 * acknowledges, because other calls may send it newer commands before the slowest device has answered. Previous values
 * are read first, because a device reports its new state before it acknowledges, and the report is stored at once.
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
  record: RecordCall,
): Promise<BulkResponse> {
  const { caller } = call
  const { db, link, changes, bus } = call.services
  const targets = await findTargets(db, caller, ids)
  const outcomes = new Map(targets.map(target => [target.bssid, skipReason(target, operation)]))
  if (isPreview(call)) return bulkResponse('Device', ids, outcomes)
  const previous = new Map(targets.map(target => [target.bssid, operation.previousValues?.(target)]))
  const end = await record(planOf(ids, outcomes, previous))
  const progress = publishProgress(bus, caller, call.progressId, targets.length)
  const runOn = async (bssid: string): Promise<TaskResult> => {
    const acknowledgement = await link.send(bssid, operation.command)
    if (!acknowledgement.ok) {
      const { reason, isUnanswered = false } = acknowledgement
      return { bssid, state: isUnanswered ? 'unanswered' : 'refused', reason }
    }
    if (operation.change) await changes.store(bssid, operation.change)
    return { bssid, state: 'done', reason: null }
  }
  // A few hundred at a time, so that slow devices do not delay the others.
  const limited = pLimit(maxInFlight)
  const toSend = targets.filter(({ bssid }) => {
    const isSkipped = outcomes.get(bssid) !== undefined
    if (isSkipped) progress.countOutcome(false)
    return !isSkipped
  })
  const run = async ({ bssid }: Target) => {
    const result = await limited(() => runOn(bssid))
    progress.countOutcome(result.state === 'done')
    return result
  }
  const results = await Promise.all(toSend.map(run)).finally(progress.stop)
  for (const { bssid, reason } of results) outcomes.set(bssid, reason ?? undefined)
  await end(results)
  return bulkResponse('Device', ids, outcomes, operation.previousValues && previous)
}

/** Returns what a call is about to do on each of its ids; those without an outcome were not found. */
export const planOf = (
  ids: readonly string[],
  outcomes: Outcomes,
  previous: ReadonlyMap<string, PlannedTask['before']>,
): PlannedTask[] =>
  [...new Set(ids)].map(bssid => ({
    bssid,
    skipped: outcomes.has(bssid) ? outcomes.get(bssid) : notFoundReason,
    before: previous.get(bssid),
  }))
