/** Rebinding keys: conflicts, reserved keys, import and export. */
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import type { CommandId } from '../../../../src/commands/core/commandId.ts'
import { commandOf, commands } from '../../../../src/commands/core/registry.ts'
import { conflictsOf, rebind, reservedKeysReason, reset } from '../../../../src/commands/keys/conflicts.ts'
import { keysOf, defaultKeysOf } from '../../../../src/commands/keys/bindings.ts'
import { keyFile, importKeys } from '../../../../src/commands/keys/keyFile.ts'
import { preferences } from '../../../../src/store/preferences.ts'

afterEach(() => {
  preferences.keys = {}
})
const conflictIds = (id: CommandId, keys: string) => conflictsOf(commandOf(id), keys).map(({ command }) => command.id)

test('equal keys conflict, and so do keys that begin another’s sequence', () => {
  expect(conflictIds('device.flush', 'x')).toEqual(['list.toggleRow'])
  expect(conflictIds('device.flush', 'g')).toContain('go.devices')
  expect(conflictIds('device.flush', 'f x')).toEqual([])
  expect(conflictIds('device.lock', 'f x')).toEqual(['device.flush'])
  expect(conflictIds('device.flush', 'q')).toEqual([])
})

test('keys of commands on different screens do not conflict', () => {
  expect(conflictIds('vendors.edit', 'f')).toEqual([])
  expect(keysOf(commandOf('models.edit'))).toEqual(keysOf(commandOf('vendors.edit')))
})

test('rebinding removes the keys from other commands, and resetting restores them', () => {
  expect(rebind('device.flush', ['x'])).toBe('“Flush” now uses x, removed from “Select or deselect row”')
  expect(keysOf(commandOf('device.flush'))).toEqual(['x'])
  expect(keysOf(commandOf('list.toggleRow'))).toEqual([])
  expect(rebind('device.lock', ['ArrowDown'])).toContain('removed from “Next row”')
  // Its other key stays.
  expect(keysOf(commandOf('list.down'))).toEqual(['j'])
  expect(rebind('list.down', ['j', 'q'])).toBe('“Next row” now uses j or q')
  reset('list.toggleRow')
  expect(keysOf(commandOf('list.toggleRow'))).toEqual(['x'])
  expect(keysOf(commandOf('device.flush'))).toEqual([])
  expect(rebind('device.flush', [])).toBe('“Flush” now has no keys')
  expect(reset('list.escape')).toContain('Esc')
})

test.each([
  ['mod+t', 'browser'],
  ['mod+w', 'browser'],
  ['g mod+c', 'browser'],
  ['F5', 'browser'],
  ['meta+k', 'system'],
  ['Escape', 'Esc'],
  ['shift+Tab', 'Tab'],
])('the reserved keys %s are refused', (keys, reason) => {
  expect(reservedKeysReason(keys)).toContain(reason)
  expect(() => rebind('device.flush', [keys])).toThrow(reason)
  expect(keysOf(commandOf('device.flush'))).toEqual(['f'])
})

/** Returns the text of the exported file. */
const exportKeys = (): Promise<string> => keyFile().text()

test('exported keys can be imported, and invalid ones are ignored', async () => {
  rebind('device.flush', ['q'])
  const file = await exportKeys()
  preferences.keys = {}
  expect(importKeys(file)).toBe('Imported the keys of 1 command')
  expect(keysOf(commandOf('device.flush'))).toEqual(['q'])
  const odd = { permeate: 'keys', keys: { 'no.such': ['q'], 'device.lock': ['mod+w'], 'device.unlock': ['q'] } }
  expect(importKeys(JSON.stringify(odd))).toBe(
    'Imported the keys of 1 command. Left out, as unknown or reserved by the browser: 2',
  )
  expect(preferences.keys).toEqual({ 'device.unlock': ['q'] })
  for (const wrong of ['', '{}', '{"permeate":"keys","keys":{"a":[""]}}'])
    expect(() => importKeys(wrong)).toThrow('This is not a file of exported keys')
  expect(preferences.keys).toEqual({ 'device.unlock': ['q'] })
})

test('an import keeps a command’s default keys, and the valid keys beside a reserved one', async () => {
  rebind('list.escape', ['Escape', 'q'])
  const file = await exportKeys()
  preferences.keys = {}
  importKeys(file)
  expect(preferences.keys).toEqual({ 'list.escape': ['Escape', 'q'] })
  importKeys(JSON.stringify({ permeate: 'keys', keys: { 'device.flush': ['Escape', 'q'] } }))
  expect(preferences.keys).toEqual({ 'device.flush': ['q'] })
})

test('keys of scripts are kept for when their scripts are imported, or for the person whose they are', async () => {
  preferences.keys = { 'script.a1': ['shift+j'], 'script.b2': ['shift+k'], 'device.flush': ['q'] }
  const file = await exportKeys()
  preferences.keys = { 'script.a1': ['shift+q'], 'script.c3': ['shift+n'] }
  expect(importKeys(file)).toBe('Imported the keys of 3 commands')
  expect(preferences.keys).toEqual({
    'script.a1': ['shift+j'],
    'script.b2': ['shift+k'],
    'script.c3': ['shift+n'],
    'device.flush': ['q'],
  })
  importKeys(JSON.stringify({ permeate: 'keys', keys: { 'script.a1': ['mod+w'] } }))
  expect(preferences.keys['script.a1']).toEqual(['shift+j'])
})

test('importing a file leaves no two commands with the same keys', () => {
  importKeys(JSON.stringify({ permeate: 'keys', keys: { 'device.flush': ['x', 'q'], 'device.lock': ['q'] } }))
  expect(preferences.keys).toEqual({ 'device.flush': ['x'], 'device.lock': ['q'], 'list.toggleRow': [] })
})

test('law: after any rebinds and resets no keys conflict, and an export can be imported again', async () => {
  const chord = fc.constantFrom('f', 'g', 'd', 'x', 'q', 'shift+f', 'mod+k', 'j', ']')
  const step = fc.record({
    command: fc.constantFrom(...commands.filter(command => defaultKeysOf(command).length > 0)),
    keys: fc.option(
      fc.array(chord, { minLength: 1, maxLength: 2 }).map(chords => [chords.join(' ')]),
      { nil: undefined },
    ),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), async steps => {
      preferences.keys = {}
      for (const { command, keys } of steps) {
        if (keys) rebind(command.id, keys)
        else reset(command.id)
      }
      for (const command of commands) for (const keys of keysOf(command)) expect(conflictsOf(command, keys)).toEqual([])
      const before = { ...preferences.keys }
      const file = await exportKeys()
      preferences.keys = {}
      importKeys(file)
      expect(preferences.keys).toEqual(before)
    }),
    { numRuns: 40 },
  )
})
