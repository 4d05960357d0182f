/** Changes of what the server stores about devices. Nothing is sent to them, so they may be offline. */
import { and, asc, eq, type SQL } from 'drizzle-orm'
import type { PreviousValues } from '../../../src/api/contract/endpoint.ts'
import { anyOf } from '../../db/anyOf.ts'
import type { Database } from '../../db/database.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { devices } from '../../db/schema/devices.ts'
import type { Services } from '../../endpoints/handler.ts'
import { ownDevices, type Scope } from '../shared/scope.ts'

/** What decides whether a record may be changed: the owner of its device. */
export interface RecordOwner {
  readonly vendor: string
  readonly company: string
}

/** A locked device with its owner and current assignments. */
export interface LockedDevice extends RecordOwner {
  readonly bssid: string
  readonly model: string
  readonly filtration_system: string | null
  readonly time_zone: string | null
  readonly water_supply: string | null
}

/** What a change of records does: calls and jobs run the same operations. */
export interface RecordOperation {
  /** Returns why a device is skipped. */
  readonly blockedReason?: (device: RecordOwner) => string | undefined
  /** Throws a 400 if these devices must not be changed together. Jobs check it once, when they are created. */
  readonly rejectTogether?: (owners: readonly RecordOwner[]) => void
  /** Locks rows that others lock before the rows of devices. */
  readonly lockFirst?: (tx: Database, targets: SQL | undefined) => Promise<void>
  /** Changes these locked devices. The caller has left out the blocked ones. */
  readonly change: (tx: Database, changing: readonly LockedDevice[], now: Date) => Promise<void>
  /** Returns the values that are replaced, by the call's fields; undefined if the device has the new ones already. */
  readonly previousValues?: (device: LockedDevice) => PreviousValues['values'] | undefined
  /** Whether an undo can restore these values; absent if it can restore all. */
  readonly isRestorable?: (values: PreviousValues['values']) => boolean
  /** What follows once the change is committed. */
  readonly committed?: (services: Effects, changed: readonly LockedDevice[]) => void | Promise<void>
}

/** The services that notify others of changed records, and the database of who changes them. */
export type Effects = Pick<Services, 'alarms' | 'bus' | 'db'>

/** Locks the devices in a scope and returns them. */
export async function lockDevices(
  tx: Database,
  scope: Scope,
  ids: readonly string[],
  { lockFirst }: RecordOperation,
): Promise<LockedDevice[]> {
  const targets = and(ownDevices(scope), anyOf(devices.bssid, ids))
  await lockFirst?.(tx, targets)
  return tx
    .select({
      bssid: devices.bssid,
      vendor: devices.vendor_id,
      company: accounts.company_name,
      model: devices.model_id,
      filtration_system: devices.filtration_system_id,
      time_zone: devices.time_zone,
      water_supply: devices.water_supply,
    })
    .from(devices)
    .innerJoin(accounts, eq(accounts.id, devices.vendor_id))
    .where(targets)
    .orderBy(asc(devices.bssid))
    .for('update', { of: devices })
}

/** Returns the values that a job's undo can restore on a device; undefined if it cannot. */
export function restorableValues(
  { previousValues, isRestorable = () => true }: RecordOperation,
  device: LockedDevice,
): PreviousValues['values'] | undefined {
  const values = previousValues?.(device)
  return values && isRestorable(values) ? values : undefined
}
