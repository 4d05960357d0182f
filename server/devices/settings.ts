/** Converts settings of devices to and from the columns of their rows. */
import {
  allSettings,
  type settings,
  settingValues,
  type Setting,
  type SettingValues,
} from '../../src/api/contract/settings.ts'
import type { SettingName } from '../../src/api/contract/settingStates.ts'
import { stateOf, type SettingStates } from '../protocol/settings.ts'
import type { Change } from './changes.ts'

type Columns<Name extends SettingName> = (typeof settings)[Name]['columns']
/** The name of a column that stores a field of a setting. */
export type SettingColumn = { [Name in SettingName]: Columns<Name>[keyof Columns<Name>] }[SettingName]

export const settingColumns = allSettings.flatMap(([, { columns }]) => Object.values(columns)) as SettingColumn[]

/** The fields and columns of each setting; computed once, because lists of devices convert every row. */
const fields = allSettings.map(([name, setting]) => ({ name, setting, columns: Object.entries(setting.columns) }))

/** Returns the states of all settings from the columns of a device's row. */
export function settingsOfRow(row: Readonly<Record<SettingColumn, unknown>>): SettingStates {
  const states: Record<string, unknown> = {}
  for (const { name, setting, columns } of fields) {
    const values: Record<string, unknown> = {}
    for (const [field, column] of columns) values[field] = row[column as SettingColumn]
    states[name] = stateOf(setting, values as SettingValues)
  }
  return states as SettingStates
}

/** Returns the columns of a setting for these values; fields without a value are left out. */
export const columnsOf = ({ columns }: Setting, values: Readonly<Partial<SettingValues>>): Change =>
  Object.fromEntries(
    Object.entries(columns)
      .filter(([field]) => values[field] !== undefined)
      .map(([field, column]) => [column, values[field]]),
  )

/** Returns the columns of the settings that a report contains. */
export const columnsOfReport = (report: Readonly<Partial<Record<SettingName, unknown>>>): Change =>
  Object.assign(
    {},
    ...allSettings
      .filter(([name]) => report[name] !== undefined)
      .map(([name, setting]) => columnsOf(setting, settingValues(setting, report[name]))),
  ) as Change

/** The columns of a device with initial settings. */
export const initialColumns: Change = Object.assign(
  {},
  ...allSettings.map(([, setting]) => columnsOf(setting, setting.initial)),
) as Change
