/** Applies the reports of a device to its stored values. */
import { omitUndefined } from '../../../src/domain/lib/omitUndefined.ts'
import { offlineStatus, type StatusCode } from '../../../src/domain/device.ts'
import type { devices } from '../../db/schema/devices.ts'
import type { deviceValues } from '../../db/schema/deviceValues.ts'
import type { deviceTwins } from '../../db/schema/telemetry.ts'
import type { LastWill, State } from '../../protocol/messages.ts'
import { columnsOfReport, settingColumns } from '../settings.ts'

export interface Report {
  readonly bssid: string
  readonly state: State | LastWill
  /** When the server received the report. */
  readonly receivedAt: Date
}

/** The columns of `devices` that a device's own reports change. */
export const reportedColumns = [
  'locked',
  'valve_closed',
  ...settingColumns,
  'firmware',
  'power_mode',
  'battery_level',
] as const
/** The reported columns, and the status, which is in `device_values`. */
export type Reported = Pick<typeof devices.$inferSelect, (typeof reportedColumns)[number]> &
  Pick<typeof deviceValues.$inferSelect, 'status'>
export type Twin = Pick<
  typeof deviceTwins.$inferSelect,
  'reported_status' | 'report_interval' | 'heard_at' | 'offline_at' | 'state_at'
>

/** The stored values of a device that reports can change. */
export interface StoredDevice {
  readonly device: Reported
  readonly twin: Twin
}

/** A cartridge that was replaced. */
export interface Replacement {
  readonly position: number
  readonly at: Date
}

/** A device after its reports. */
export interface Outcome extends StoredDevice {
  /** The accepted reports, in order. Of an outdated one only that the device is online, and its cartridge replacements. */
  readonly accepted: readonly (State | LastWill)[]
  readonly replacements: readonly Replacement[]
}

/** Returns a device after its reports, which are applied in order. */
export const applyReports = (stored: StoredDevice, reports: readonly Report[]): Outcome =>
  reports.reduce<Outcome>(applyReport, { ...stored, accepted: [], replacements: [] })

function applyReport(previous: Outcome, { state, receivedAt }: Report): Outcome {
  const { device, twin, accepted } = previous
  // The broker sends the last will after the connection broke; a device reports status 3 before it disconnects.
  if ('offline' in state || state.status === offlineStatus) {
    // A last will can arrive after newer messages of the device, because the broker sends it independently.
    if (twin.heard_at !== null && twin.heard_at > receivedAt) return previous
    return {
      ...previous,
      device: { ...device, status: offlineStatus },
      twin: { ...twin, offline_at: receivedAt },
      accepted: [...accepted, state],
    }
  }
  const online = markOnline(previous, receivedAt)
  // Reports from a device whose clock was ahead must not make its later, correct ones look outdated.
  const at = new Date(Math.min(Date.parse(state.at), receivedAt.getTime()))
  const replacements = (state.replaced_cartridges ?? []).map(position => ({ position, at }))
  const outdated = twin.state_at !== null && at < twin.state_at
  if (!outdated)
    return {
      device: { ...online.device, ...columnsOfState(state) },
      twin: {
        ...online.twin,
        state_at: at,
        reported_status: state.status ?? twin.reported_status,
        report_interval: state.report_interval ?? twin.report_interval,
      },
      accepted: [...accepted, state],
      replacements: [...previous.replacements, ...replacements],
    }
  const { replaced_cartridges } = state
  return {
    ...online,
    accepted: [...accepted, { at: state.at, replaced_cartridges }],
    replacements: [...previous.replacements, ...replacements],
  }
}

/** Returns the device after a message was received from it: no longer offline. */
function markOnline({ device, twin }: StoredDevice, receivedAt: Date): StoredDevice {
  const status: StatusCode = device.status === offlineStatus ? (twin.reported_status ?? 0) : device.status
  const heard_at = twin.heard_at !== null && twin.heard_at > receivedAt ? twin.heard_at : receivedAt
  return { device: { ...device, status }, twin: { ...twin, heard_at, offline_at: null } }
}

/** Returns the columns of a device's row that the report contains. */
function columnsOfState(state: State): Partial<Reported> {
  const { status, locked, valve_closed, firmware, power_mode, battery_level } = state
  return {
    ...omitUndefined({ status, locked, valve_closed, firmware, power_mode, battery_level }),
    ...columnsOfReport(state),
  } as Partial<Reported>
}
