/** Stores reported states. */
import { eq, getTableColumns, sql } from 'drizzle-orm'
import { anyOf } from '../../db/anyOf.ts'
import { recordset } from '../../db/bulk.ts'
import type { Database } from '../../db/database.ts'
import { deviceCartridges, devices } from '../../db/schema/devices.ts'
import { deviceValues } from '../../db/schema/deviceValues.ts'
import { cartridgeTypes } from '../../db/schema/filtration.ts'
import { deviceTwins } from '../../db/schema/telemetry.ts'
import { filteredVolume, refreshReplacement } from '../cartridges.ts'
import type { LastWill, State } from '../../protocol/messages.ts'
import { inputRows, type ColumnOf } from '../../db/columnArrays.ts'
import {
  applyReports,
  reportedColumns,
  type Outcome,
  type Report,
  type Reported,
  type StoredDevice,
} from './stateChange.ts'

export interface StoredStates {
  /** Devices whose rows changed. */
  readonly changed: readonly string[]
  /** Accepted states, in order. */
  readonly accepted: readonly { readonly bssid: string; readonly state: State | LastWill }[]
  /** Devices with new firmware, by version. */
  readonly firmwareUpdates: ReadonlyMap<string, readonly string[]>
  /** Devices whose rows are locked; none of their states is stored. */
  readonly busy: ReadonlySet<string>
  /** BSSIDs of devices that do not exist. */
  readonly unknown: readonly string[]
}

type LockedDevice = StoredDevice & { readonly bssid: string }
/** A device after its reports, and its values before them. */
type DeviceOutcome = Outcome & { readonly bssid: string; readonly before: StoredDevice }

/**
 * Stores reports in order. Skips locked rows, so that it never waits while holding locks and cannot deadlock with bulk
 * updates.
 */
export function storeStates(db: Database, reports: readonly Report[]): Promise<StoredStates> {
  const byDevice = Map.groupBy(reports, ({ bssid }) => bssid)
  const receivedAt = new Date(Math.max(...reports.map(report => report.receivedAt.getTime())))
  return db.transaction(async tx => {
    const locked = await lockDevices(tx, [...byDevice.keys()])
    const missing = [...byDevice.keys()].filter(bssid => !locked.has(bssid))
    const busy = missing.length === 0 ? new Set<string>() : await findExisting(tx, missing)
    const outcomes = [...locked.values()].map((before): DeviceOutcome => {
      const { bssid } = before
      return { bssid, before, ...applyReports(before, byDevice.get(bssid)!) }
    })
    const changedRows = outcomes.filter(({ device, before }) => !isSame(device, before.device))
    const changedStatuses = outcomes.filter(({ device, before }) => device.status !== before.device.status)
    await storeTwins(tx, outcomes)
    await storeDevices(tx, changedRows)
    await storeStatuses(tx, changedStatuses)
    const withReplacements = await replaceCartridges(tx, outcomes, receivedAt)
    const changed = [...changedRows, ...changedStatuses].map(({ bssid }) => bssid)
    return {
      changed: [...new Set([...changed, ...withReplacements])],
      accepted: outcomes.flatMap(({ bssid, accepted }) => accepted.map(state => ({ bssid, state }))),
      firmwareUpdates: firmwareUpdatesOf(outcomes),
      busy,
      unknown: missing.filter(bssid => !busy.has(bssid)),
    }
  })
}

/** Returns whether the columns of `devices` are the same. */
const isSame = (one: Reported, other: Reported): boolean => reportedColumns.every(name => one[name] === other[name])

/** Locks the rows of these devices and returns them, without rows that are locked already. */
async function lockDevices(tx: Database, bssids: readonly string[]): Promise<Map<string, LockedDevice>> {
  const { bssid, reported_status, report_interval, heard_at, offline_at, state_at } = deviceTwins
  const columns = getTableColumns(devices)
  const reported = Object.fromEntries(reportedColumns.map(name => [name, columns[name]])) as Pick<
    typeof columns,
    (typeof reportedColumns)[number]
  >
  const rows = await tx
    .select({
      bssid,
      twin: { reported_status, report_interval, heard_at, offline_at, state_at },
      device: { ...reported, status: deviceValues.status },
    })
    .from(deviceTwins)
    .innerJoin(devices, eq(devices.bssid, deviceTwins.bssid))
    .innerJoin(deviceValues, eq(deviceValues.bssid, deviceTwins.bssid))
    .where(anyOf(deviceTwins.bssid, bssids))
    .for('no key update', { skipLocked: true })
  return new Map(rows.map(row => [row.bssid, row]))
}

/** Returns the BSSIDs that exist. */
async function findExisting(tx: Database, bssids: readonly string[]): Promise<Set<string>> {
  const rows = await tx.select({ bssid: devices.bssid }).from(devices).where(anyOf(devices.bssid, bssids))
  return new Set(rows.map(({ bssid }) => bssid))
}

const time = (at: Date | null) => at?.getTime() ?? null
const twinColumns: readonly ColumnOf<DeviceOutcome>[] = [
  { name: 'bssid', type: 'key', value: row => row.bssid },
  { name: 'reported_status', type: 'whole', value: row => row.twin.reported_status },
  { name: 'report_interval', type: 'whole', value: row => row.twin.report_interval },
  { name: 'heard_at', type: 'time', value: row => time(row.twin.heard_at) },
  { name: 'offline_at', type: 'time', value: row => time(row.twin.offline_at) },
  { name: 'state_at', type: 'time', value: row => time(row.twin.state_at) },
]

async function storeTwins(tx: Database, outcomes: readonly DeviceOutcome[]): Promise<void> {
  if (outcomes.length === 0) return
  await tx.execute(sql`
    update device_twins as twin set reported_status = input.reported_status, report_interval = input.report_interval,
      heard_at = input.heard_at, offline_at = input.offline_at, state_at = input.state_at
    from ${inputRows(twinColumns, outcomes)} where twin.bssid = input.bssid`)
}

async function storeDevices(tx: Database, outcomes: readonly DeviceOutcome[]): Promise<void> {
  if (outcomes.length === 0) return
  const columns = reportedColumns.map(name => sql`${sql.identifier(name)} = input.${sql.identifier(name)}`)
  const rows = outcomes.map(({ bssid, device: { status: _, ...reported } }) => ({ bssid, ...reported }))
  await tx.execute(sql`
    update devices set ${sql.join(columns, sql`, `)}
    from ${recordset(devices, rows)} as input where devices.bssid = input.bssid`)
}

const statusColumns: readonly ColumnOf<DeviceOutcome>[] = [
  { name: 'bssid', type: 'key', value: row => row.bssid },
  { name: 'status', type: 'whole', value: row => row.device.status },
]

async function storeStatuses(tx: Database, outcomes: readonly DeviceOutcome[]): Promise<void> {
  if (outcomes.length === 0) return
  await tx.execute(sql`
    update device_values as shown set status = input.status
    from ${inputRows(statusColumns, outcomes)} where shown.bssid = input.bssid`)
}

const replacementColumns: readonly ColumnOf<{ bssid: string; position: number; at: Date }>[] = [
  { name: 'bssid', type: 'key', value: row => row.bssid },
  { name: 'position', type: 'whole', value: row => row.position },
  { name: 'at', type: 'time', value: row => row.at.getTime() },
]

/** Stores cartridge replacements; repeated ones have no effect. Returns the devices that changed. */
async function replaceCartridges(tx: Database, outcomes: readonly DeviceOutcome[], now: Date): Promise<string[]> {
  const rows = outcomes.flatMap(({ bssid, replacements }) =>
    replacements.map(replacement => ({ bssid, ...replacement })),
  )
  if (rows.length === 0) return []
  const { rows: changed } = await tx.execute<{ bssid: string }>(sql`
    update ${deviceCartridges} set installed_at = replaced.at, volume_before = ${filteredVolume}
    from (select bssid, position, max(at) as at from ${inputRows(replacementColumns, rows)} group by bssid, position)
        as replaced,
      ${deviceTwins}, ${cartridgeTypes}
    where ${deviceCartridges.bssid} = replaced.bssid and ${deviceCartridges.position} = replaced.position
      and ${deviceCartridges.installed_at} < replaced.at
      and ${eq(deviceTwins.bssid, deviceCartridges.bssid)}
      and ${eq(cartridgeTypes.id, deviceCartridges.cartridge_type_id)}
    returning ${deviceCartridges.bssid} as bssid`)
  const bssids = [...new Set(changed.map(({ bssid }) => bssid))]
  if (bssids.length > 0) await refreshReplacement(tx, anyOf(devices.bssid, bssids), now)
  return bssids
}

/** Returns devices by new firmware version. A first report of the firmware is not an update. */
function firmwareUpdatesOf(outcomes: readonly DeviceOutcome[]): Map<string, string[]> {
  const updated = outcomes.filter(
    ({ device, before }) => before.device.firmware !== '' && device.firmware !== before.device.firmware,
  )
  const byVersion = Map.groupBy(updated, ({ device }) => device.firmware)
  return new Map([...byVersion].map(([version, all]) => [version, all.map(({ bssid }) => bssid)]))
}
