/** Applies the reports of a device to what is stored of it. */
import { omitUndefined } from '../../core/omitUndefined.ts'
import { offline, type StatusCode } from '../../../src/domain/device.ts'
import type { devices } from '../../db/schema/devices.ts'
import type { deviceTwins } from '../../db/schema/telemetry.ts'
import type { LastWill, State } from '../../protocol/messages.ts'
import { columnsOfReport, settingColumns } from '../settings.ts'

export interface Report {
  readonly bssid: string
  readonly state: State | LastWill
  /** When the server received it. */
  readonly heardAt: Date
}

/** The columns of a device's row that its own reports change. */
export const reportedColumns = [
  'status',
  'locked',
  'valve_closed',
  ...settingColumns,
  'firmware',
  'power_mode',
  'battery_level',
  'last_active',
] as const
export type Reported = Pick<typeof devices.$inferSelect, (typeof reportedColumns)[number]>
export type Twin = Pick<
  typeof deviceTwins.$inferSelect,
  'reported_status' | 'report_interval' | 'heard_at' | 'offline_at' | 'state_at'
>

export interface Known {
  readonly device: Reported
  readonly twin: Twin
}

export interface Replacement {
  readonly position: number
  readonly at: Date
}

export interface Outcome extends Known {
  /** The reports that count, in order. Of an outdated one only the cartridges that were replaced count. */
  readonly believed: readonly (State | LastWill)[]
  readonly replaced: readonly Replacement[]
}

/** Applies a device's reports in order. */
export const applied = (known: Known, reports: readonly Report[]): Outcome =>
  reports.reduce<Outcome>(apply, { ...known, believed: [], replaced: [] })

function apply(known: Outcome, { state, heardAt }: Report): Outcome {
  const { device, twin, believed } = known
  // The broker sends the last will of a device that is gone; a device reports status 3 when it is about to leave.
  if ('offline' in state || state.status === offline) {
    // A last will can arrive after newer messages of the device, because the broker sends it by itself.
    if (twin.heard_at !== null && twin.heard_at > heardAt) return known
    return {
      ...known,
      device: { ...device, status: offline },
      twin: { ...twin, offline_at: heardAt },
      believed: [...believed, state],
    }
  }
  const heard = isBack(known, heardAt)
  // Reports from a device whose clock was ahead must not make its later, correct ones look outdated.
  const at = new Date(Math.min(Date.parse(state.at), heardAt.getTime()))
  const replaced = (state.replaced_cartridges ?? []).map(position => ({ position, at }))
  const outdated = twin.state_at !== null && at < twin.state_at
  if (!outdated)
    return {
      device: { ...heard.device, ...columnsOfState(state) },
      twin: {
        ...heard.twin,
        state_at: at,
        reported_status: state.status ?? twin.reported_status,
        report_interval: state.report_interval ?? twin.report_interval,
      },
      believed: [...believed, state],
      replaced: [...known.replaced, ...replaced],
    }
  if (replaced.length === 0) return { ...known, ...heard }
  const { replaced_cartridges } = state
  return {
    ...heard,
    believed: [...believed, { at: state.at, replaced_cartridges }],
    replaced: [...known.replaced, ...replaced],
  }
}

/** Returns the device as it is once something is received from it: not offline any more. */
function isBack({ device, twin }: Known, heardAt: Date): Known {
  const status: StatusCode = device.status === offline ? (twin.reported_status ?? 0) : device.status
  const heard_at = twin.heard_at !== null && twin.heard_at > heardAt ? twin.heard_at : heardAt
  return { device: { ...device, status, last_active: heard_at }, twin: { ...twin, heard_at, offline_at: null } }
}

/** Returns the columns of a device's row that the report gives. */
function columnsOfState(state: State): Partial<Reported> {
  const { status, locked, valve_closed, firmware, power_mode, battery_level } = state
  return {
    ...omitUndefined({ status, locked, valve_closed, firmware, power_mode, battery_level }),
    ...columnsOfReport(state),
  } as Partial<Reported>
}
