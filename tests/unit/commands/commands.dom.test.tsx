import { describe, expect, test } from 'vitest'
import { conflictsOf } from '../../../src/commands/keys/conflicts.ts'
import { keysOf } from '../../../src/commands/keys/bindings.ts'
import { commands, findCommand } from '../../../src/commands/core/registry.ts'

describe('the registry', () => {
  test('has unique ids', () => {
    const ids = commands.map(command => command.id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(findCommand(id)?.id).toBe(id)
    expect(findCommand('no.such')).toBeUndefined()
  })

  test('gives no key to two commands on one screen, and none that begins another’s sequence', () => {
    const every = commands.flatMap(command => keysOf(command).map(keys => ({ command, keys })))
    expect(every.length).toBeGreaterThan(40)
    for (const { command, keys } of every)
      expect(
        conflictsOf(command, keys).map(other => other.command.id),
        `${keys} of ${command.id}`,
      ).toEqual([])
  })

  test.each(commands.map(command => [command.id, command] as const))('%s can be found', (_, command) => {
    expect(command.title).not.toBe('')
    expect(new Set(command.on).size).toBe(command.on.length)
    // What the status bar shows, it shows with its key, in a word.
    if (command.on.includes('status'))
      expect([keysOf(command).length > 0, command.short]).toEqual([true, expect.any(String)])
  })

  // What each role may do is held against the specification in access.test.ts.
  test.each(commands.map(command => [command.id, command] as const))('%s is for some role', (_, command) => {
    expect(command.roles.length).toBeGreaterThan(0)
    const base = { path: '/elsewhere', list: undefined, targets: () => [], last: undefined }
    expect(command.availability({ ...base, role: undefined }).is).toBe('hidden')
  })
})
