/** The settings of a device as parts of what devices, server and fleet file exchange. */
import * as z from 'zod/mini'
import {
  allSettings,
  onlyField,
  settings,
  settingValues,
  type Setting,
  type SettingValue,
  type SettingValues,
} from '../../src/api/contract/settings.ts'
import { settingStates, type SettingName } from '../../src/api/contract/settingStates.ts'
import { omitUndefined } from '../core/omitUndefined.ts'

/** What a device has under each setting's name. */
export type SettingStates = { -readonly [Name in SettingName]: z.output<(typeof settingStates)[Name]> }

/** Returns what stands under a setting's name for these values of its fields. */
export function stateOf(setting: Setting, values: SettingValues): unknown {
  const field = onlyField(setting)
  return field === undefined ? values : values[field]
}

type SettingCommandType = `set_${SettingName}`
/** The command that changes fields of one setting. */
export interface SettingCommand {
  readonly type: SettingCommandType
  readonly [property: string]: SettingValue | SettingValues | undefined
}

export const settingCommands = allSettings.map(([name, { change, nestedIn }]) =>
  z.object({
    type: z.literal<SettingCommandType>(`set_${name}`),
    ...(nestedIn === undefined ? change.shape : { [nestedIn]: change }),
  }),
)

/** Returns the command that gives fields of a setting these values. */
export function settingCommand(name: SettingName, values: SettingValues): SettingCommand {
  const { nestedIn }: Setting = settings[name]
  return { type: `set_${name}`, ...(nestedIn === undefined ? values : { [nestedIn]: values }) }
}

/** Returns the values that a command gives the fields of its setting. */
export function commandValues({ type, ...values }: SettingCommand): SettingValues {
  const { nestedIn }: Setting = settings[settingOf(type)]
  return (nestedIn === undefined ? values : values[nestedIn]) as SettingValues
}

const settingOf = (type: SettingCommandType) => type.slice('set_'.length) as SettingName

export const isSettingCommand = (command: { readonly type: string }): command is SettingCommand =>
  allSettings.some(([name]) => command.type === `set_${name}`)

/** Returns the setting that a command changes, as it is afterwards. */
export function changedSetting(before: SettingStates, command: SettingCommand): Partial<SettingStates> {
  const name = settingOf(command.type)
  const setting: Setting = settings[name]
  const values = { ...settingValues(setting, before[name]), ...omitUndefined(commandValues(command)) }
  return { [name]: stateOf(setting, values) }
}

/** Returns part of `all`: what it has under the settings' names. */
export const onlySettings = (all: SettingStates): SettingStates =>
  Object.fromEntries(allSettings.map(([name]) => [name, all[name]])) as SettingStates

/** The settings of a new device. */
export const initialSettings = Object.fromEntries(
  allSettings.map(([name, setting]) => [name, stateOf(setting, setting.initial)]),
) as SettingStates

/** What a device reports of each setting, as part of a message's shape. */
export const settingReports = Object.fromEntries(
  allSettings.map(([name, { report }]) => [name, z.optional(report)]),
) as { readonly [Name in SettingName]: z.ZodMiniOptional<(typeof settings)[Name]['report']> }

/** The settings in a line of the fleet file. A file that was written before a setting existed has its initial state. */
export const settingsInFile = Object.fromEntries(
  allSettings.map(([name]) => [name, z._default(settingStates[name], initialSettings[name])]),
) as { readonly [Name in SettingName]: z.ZodMiniDefault<(typeof settingStates)[Name]> }
