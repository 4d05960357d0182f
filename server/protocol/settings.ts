/** Settings of devices in messages, commands and the fleet file. */
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
import { omitUndefined } from '../../src/domain/lib/omitUndefined.ts'

/** The state of each setting, by its name. */
export type SettingStates = { -readonly [Name in SettingName]: z.output<(typeof settingStates)[Name]> }

/** Returns the state of a setting: its only field's value, or all values by field. */
export function stateOf(setting: Setting, values: SettingValues): unknown {
  const field = onlyField(setting)
  return field === undefined ? values : values[field]
}

type SettingCommandType = `set_${SettingName}`
/** A command that changes fields of one setting. */
export interface SettingCommand {
  readonly type: SettingCommandType
  readonly [property: string]: SettingValue | SettingValues | undefined
}

/** The schemas of these commands. */
export const settingCommands = allSettings.map(([name, { change, nestedIn }]) =>
  z.object({
    type: z.literal<SettingCommandType>(`set_${name}`),
    ...(nestedIn === undefined ? change.shape : { [nestedIn]: change }),
  }),
)

/** Returns the command that sets fields of a setting to these values. */
export function settingCommand(name: SettingName, values: SettingValues): SettingCommand {
  const { nestedIn }: Setting = settings[name]
  return { type: `set_${name}`, ...(nestedIn === undefined ? values : { [nestedIn]: values }) }
}

/** Returns a command's values by field. */
export function commandValues({ type, ...values }: SettingCommand): SettingValues {
  const { nestedIn }: Setting = settings[settingOf(type)]
  return (nestedIn === undefined ? values : values[nestedIn]) as SettingValues
}

const settingOf = (type: SettingCommandType) => type.slice('set_'.length) as SettingName

export const isSettingCommand = (command: { readonly type: string }): command is SettingCommand =>
  allSettings.some(([name]) => command.type === `set_${name}`)

/** Returns the new state of the setting that a command changes. */
export function changedSetting(before: SettingStates, command: SettingCommand): Partial<SettingStates> {
  const name = settingOf(command.type)
  const setting: Setting = settings[name]
  const values = { ...settingValues(setting, before[name]), ...omitUndefined(commandValues(command)) }
  return { [name]: stateOf(setting, values) }
}

/** Returns only the settings of an object that has other properties too. */
export const pickSettings = (all: SettingStates): SettingStates =>
  Object.fromEntries(allSettings.map(([name]) => [name, all[name]])) as SettingStates

/** The settings of a new device. */
export const initialSettings = Object.fromEntries(
  allSettings.map(([name, setting]) => [name, stateOf(setting, setting.initial)]),
) as SettingStates

/** The part of a state message's schema that contains settings. */
export const settingReports = Object.fromEntries(
  allSettings.map(([name, { report }]) => [name, z.optional(report)]),
) as { readonly [Name in SettingName]: z.ZodMiniOptional<(typeof settings)[Name]['report']> }

/** The part of the fleet file's schema that contains settings. One that an older file lacks has its initial state. */
export const settingsInFile = Object.fromEntries(
  allSettings.map(([name]) => [name, z._default(settingStates[name], initialSettings[name])]),
) as { readonly [Name in SettingName]: z.ZodMiniDefault<(typeof settingStates)[Name]> }
