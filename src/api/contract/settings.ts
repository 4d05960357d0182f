/**
 * The settings of devices, one entry each; settingStates.ts has their schemas. The endpoint, the console's command and
 * texts, the protocol's command and reports, the fleet file, the columns that the server writes, and the command that
 * the simulator executes are derived from an entry. Lock and valve are not included, because their commands have their
 * own names, confirmations and schemas.
 */
import * as z from 'zod/mini'
import {
  bypassStates,
  flushFrequencies,
  flushFrequencyNames,
  flushModes,
  smartBypassOptions,
  smartFlushNames,
  uvModes,
  type Capability,
  type SmartFlush,
} from '../../domain/device.ts'
import { formatAmount } from '../../domain/format.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { unitOf, type UnitChoice } from '../../domain/units.ts'
import { bulkEndpoint, type BulkEndpoint } from './endpoint.ts'
import { bulkDeviceBody } from './fields.ts'
import { Bypass, FlushSettings, idleMinutes, uvMode, type SettingName } from './settingStates.ts'

export type SettingValue = string | number | boolean | null
/** The values of a setting, by field. */
export type SettingValues = Readonly<Record<string, SettingValue>>

export interface Setting {
  readonly title: string
  /** The capability that the device's model must have. */
  readonly capability: Capability
  /** The endpoint is `PUT /api/v3/devices/settings/{path}`. */
  readonly path: string
  readonly summary: string
  /** The id of the console's command. */
  readonly command: `device.${string}`
  /** The schema of the changed fields, in the order of the form. */
  readonly change: z.ZodMiniObject
  /** The schema of the setting in a device's state message. */
  readonly report: z.core.$ZodType
  /** The database column of each field. */
  readonly columns: Readonly<Record<string, string>>
  /** The initial value of each field, also after a reset. */
  readonly initial: SettingValues
  /** The property of the protocol's command that contains the fields; without it they are properties beside `type`. */
  readonly nestedIn?: string
  /** Returns the text of each field in the log of sent commands. */
  readonly texts: Readonly<Record<string, (value: SettingValue, units: UnitChoice) => string | undefined>>
  /** Returns the value on the device screen; without it the screen has a section for the setting. */
  readonly displayText?: (values: SettingValues) => string | undefined
}

export const settings = {
  flush: {
    title: 'Auto-flush',
    capability: 'flush',
    path: 'flush',
    summary: 'Auto-flush: any subset of its settings.',
    command: 'device.autoFlush',
    change: z.exactPartial(FlushSettings),
    report: z.partial(FlushSettings),
    columns: {
      smart: 'flush_smart',
      mode: 'flush_mode',
      frequency: 'flush_frequency',
      duration: 'flush_duration',
      volume: 'flush_volume',
    },
    initial: { smart: null, mode: 0, frequency: 5, duration: 18, volume: 0 },
    nestedIn: 'settings',
    texts: {
      smart: value => (value === null ? 'smart flush off' : smartFlushNames[value as SmartFlush].toLowerCase()),
      mode: value => `mode ${flushModes[value as number]?.toLowerCase()}`,
      frequency: value => `every ${flushFrequencyNames[flushFrequencies.findIndex(each => each === value)]} draw`,
      duration: value => `${value} s`,
      volume: (value, units) => `${formatAmount(value as number, 'volume', units)} ${unitOf('volume', units).symbol}`,
    },
  },
  idle_protection: {
    title: 'Idle protection',
    capability: 'idle_protection',
    path: 'idle-protection',
    summary: 'Idle protection, minutes.',
    command: 'device.idleProtection',
    change: z.object({ duration: idleMinutes }),
    report: idleMinutes as z.ZodMiniType<number>,
    columns: { duration: 'idle_protection' },
    initial: { duration: 0 },
    texts: { duration: value => (value === 0 ? 'off' : `${value} min`) },
    displayText: ({ duration }) => (duration === 0 ? 'Off' : `after ${duration} min`),
  },
  bypass: {
    title: 'Bypass',
    capability: 'bypass',
    path: 'bypass',
    summary: 'Bypass: smart option and valve state.',
    command: 'device.bypass',
    change: z.exactPartial(Bypass),
    report: z.partial(Bypass),
    columns: { smart: 'bypass_smart', state: 'bypass_state' },
    initial: { smart: 0, state: 0 },
    texts: {
      smart: value => `smart ${smartBypassOptions[value as number]?.toLowerCase()}`,
      state: value => `valve ${bypassStates[value as number]?.toLowerCase()}`,
    },
    displayText: ({ smart, state }) =>
      `${bypassStates[state as number]}, smart ${smartBypassOptions[smart as number]?.toLowerCase()}`,
  },
  uv: {
    title: 'UV module',
    capability: 'uv',
    path: 'uv',
    summary: 'UV module on or off.',
    command: 'device.uv',
    change: z.object({ mode: uvMode }),
    report: uvMode,
    columns: { mode: 'uv' },
    initial: { mode: 0 },
    texts: { mode: value => uvModes[value as number]?.toLowerCase() },
    displayText: ({ mode }) => uvModes[mode as number],
  },
} as const satisfies Readonly<Record<SettingName, Setting>>

export const allSettings = Object.entries(settings) as unknown as readonly (readonly [SettingName, Setting])[]

/** Returns the field of a setting with a single one; undefined for settings with several. */
export function onlyField({ columns }: Setting): string | undefined {
  const [first, ...others] = Object.keys(columns)
  return others.length === 0 ? first : undefined
}

/** Returns the values by field of a setting's state, which is a plain value if the setting has only one field. */
export function settingValues(setting: Setting, state: unknown): SettingValues {
  const field = onlyField(setting)
  return (field === undefined ? state : { [field]: state }) as SettingValues
}

interface SettingCall {
  ids: string[]
  [field: string]: SettingValue | string[] | undefined
}
/** The endpoints of the settings, by the name of the protocol's command. */
export const settingEndpoints = Object.fromEntries(
  allSettings.map(([name, { path, summary, change }]) => [
    `set_${name}`,
    bulkEndpoint({
      method: 'PUT',
      path: `/api/v3/devices/settings/${path}`,
      roles: deviceRoles,
      summary,
      body: bulkDeviceBody(change.shape),
    }),
  ]),
) as unknown as Readonly<Record<`set_${SettingName}`, BulkEndpoint<z.ZodMiniType<SettingCall, SettingCall>>>>
