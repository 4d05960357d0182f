/** The table of settings is complete and consistent. */
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { allSettings, settings, settingValues } from '../../../../src/api/contract/settings.ts'
import { settingStates } from '../../../../src/api/contract/settingStates.ts'
import { changedSetting, initialSettings, settingCommand } from '../../../../server/protocol/settings.ts'
import { DeviceCommand } from '../../../../server/protocol/commands.ts'

describe.each(allSettings)('%s', (name, setting) => {
  test('every field has a column, a text, and an initial value that the API accepts', () => {
    const fields = Object.keys(setting.change.shape).toSorted()
    expect(Object.keys(setting.columns).toSorted()).toEqual(fields)
    expect(Object.keys(setting.texts).toSorted()).toEqual(fields)
    expect(z.parse(setting.change, setting.initial)).toEqual(setting.initial)
  })

  test('the initial state is valid in the setting’s schema and in a device’s report', () => {
    const state = initialSettings[name]
    expect(z.parse(settingStates[name], state)).toEqual(state)
    expect(z.parse(setting.report, state)).toEqual(state)
    expect(settingValues(setting, state)).toEqual(setting.initial)
  })

  test('its command is valid in the protocol and sets the given values', () => {
    const command = settingCommand(name, setting.initial)
    expect(z.parse(DeviceCommand, command)).toEqual(command)
    expect(changedSetting(initialSettings, command)).toEqual({ [name]: initialSettings[name] })
  })
})

test('no two settings share a path, a command or a column', () => {
  for (const values of [
    allSettings.map(([, { path }]) => path),
    allSettings.map(([, { command }]) => command),
    allSettings.flatMap(([, { columns }]) => Object.values(columns)),
  ])
    expect(new Set(values).size).toBe(values.length)
})

test('commands match the documented protocol', () => {
  expect(settingCommand('flush', { volume: 2 })).toEqual({ type: 'set_flush', settings: { volume: 2 } })
  expect(settingCommand('bypass', { state: 2 })).toEqual({ type: 'set_bypass', state: 2 })
  expect(settingCommand('idle_protection', { duration: 30 })).toEqual({ type: 'set_idle_protection', duration: 30 })
  expect(settingCommand('uv', { mode: 1 })).toEqual({ type: 'set_uv', mode: 1 })
  expect(z.safeParse(DeviceCommand, { type: 'set_uv', mode: 2 }).success).toBe(false)
  expect(z.safeParse(DeviceCommand, { type: 'set_uv' }).success).toBe(false)
})

test('a command changes only the fields that it contains', () => {
  const before = { ...initialSettings, bypass: { smart: 1, state: 0 } as const }
  expect(changedSetting(before, settingCommand('bypass', { state: 3 }))).toEqual({ bypass: { smart: 1, state: 3 } })
  expect(changedSetting(before, settingCommand('uv', { mode: 1 }))).toEqual({ uv: 1 })
  expect(Object.keys(settings)).toEqual(Object.keys(settingStates))
})
