/** What a device's own report of itself changes, given what is known of it. */
import { offline, type StatusCode } from '../../../src/domain/device.ts'
import type { devices } from '../../db/schema/devices.ts'
import type { deviceTwins } from '../../db/schema/telemetry.ts'
import type { LastWill, State } from '../../protocol/messages.ts'

export interface Report {
  readonly bssid: string
  readonly state: State | LastWill
  /** When it came. */
  readonly heardAt: Date
}

/** What a device says of itself, of its row. */
export const reportedColumns = [
  'status',
  'locked',
  'valve_closed',
  'flush_smart',
  'flush_mode',
  'flush_frequency',
  'flush_duration',
  'flush_volume',
  'idle_protection',
  'bypass_smart',
  'bypass_state',
  'uv',
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
  /** The reports that are believed, in order; of outdated ones what has happened nevertheless. */
  readonly believed: readonly (State | LastWill)[]
  readonly replaced: readonly Replacement[]
}

/** Applies a device's reports in their order. */
export const applied = (known: Known, reports: readonly Report[]): Outcome =>
  reports.reduce<Outcome>(apply, { ...known, believed: [], replaced: [] })

function apply(known: Outcome, { state, heardAt }: Report): Outcome {
  const { device, twin, believed } = known
  // The broker says that a device is gone; one that says so itself is about to be.
  if ('offline' in state || state.status === offline) {
    // A last will may come by another way than what the device has said since.
    if (twin.heard_at !== null && twin.heard_at > heardAt) return known
    return {
      ...known,
      device: { ...device, status: offline },
      twin: { ...twin, offline_at: heardAt },
      believed: [...believed, state],
    }
  }
  const heard = isBack(known, heardAt)
  // A clock that is ahead must not outdate what the device says once it is right again.
  const at = new Date(Math.min(Date.parse(state.at), heardAt.getTime()))
  const replaced = (state.replaced_cartridges ?? []).map(position => ({ position, at }))
  const outdated = twin.state_at !== null && at < twin.state_at
  if (!outdated)
    return {
      device: { ...heard.device, ...settingsOf(state) },
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

/** The device as it is once it is heard: no more offline. */
function isBack({ device, twin }: Known, heardAt: Date): Known {
  const status: StatusCode = device.status === offline ? (twin.reported_status ?? 0) : device.status
  const heard_at = twin.heard_at !== null && twin.heard_at > heardAt ? twin.heard_at : heardAt
  return { device: { ...device, status, last_active: heard_at }, twin: { ...twin, heard_at, offline_at: null } }
}

/** What the state gives, by the columns of the device's row. */
function settingsOf(state: State): Partial<Reported> {
  const { flush, bypass } = state
  const given = {
    status: state.status,
    locked: state.locked,
    valve_closed: state.valve_closed,
    flush_smart: flush?.smart,
    flush_mode: flush?.mode,
    flush_frequency: flush?.frequency,
    flush_duration: flush?.duration,
    flush_volume: flush?.volume,
    idle_protection: state.idle_protection,
    bypass_smart: bypass?.smart,
    bypass_state: bypass?.state,
    uv: state.uv,
    firmware: state.firmware,
    power_mode: state.power_mode,
    battery_level: state.battery_level,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
