import { afterEach, expect, test } from 'vitest'
import { keysOf } from '../../../../src/commands/keys/bindings.ts'
import { commandsBoundTo } from '../../../../src/commands/keys/boundCommands.ts'
import { commandOf, commands, register, unregister } from '../../../../src/commands/core/registry.ts'
import { preferences } from '../../../../src/store/preferences.ts'

afterEach(() => {
  Object.assign(preferences, { bareKeys: true, keys: {} })
})

/** Expects all keys, and keys without a command, to lead to the commands that have them now. */
function expectCurrent() {
  for (const keys of new Set(['mod+alt+9', ...commands.flatMap(command => keysOf(command))]))
    expect(commandsBoundTo(keys)).toEqual(commands.filter(command => keysOf(command).includes(keys)))
}

test('commands are found by their keys after each change of keys and commands', () => {
  expectCurrent()
  expect(commandsBoundTo('mod+alt+9')).toEqual([])
  preferences.keys = { 'device.flush': ['mod+alt+9', 'x'] }
  expect(commandsBoundTo('mod+alt+9')).toEqual([commandOf('device.flush')])
  expectCurrent()
  preferences.bareKeys = false
  expect(commandsBoundTo('x')).toEqual([])
  expectCurrent()
  const added = { ...commandOf('device.flush'), id: 'script.one' as const, keys: 'mod+alt+8' }
  register([added])
  expect(commandsBoundTo('mod+alt+8')).toEqual([added])
  unregister(new Set([added.id]))
  expect(commandsBoundTo('mod+alt+8')).toEqual([])
  expectCurrent()
})
