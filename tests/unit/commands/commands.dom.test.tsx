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

  test('has no conflicting keys or key sequences on any screen', () => {
    const allKeys = commands.flatMap(command => keysOf(command).map(keys => ({ command, keys })))
    expect(allKeys.length).toBeGreaterThan(40)
    for (const { command, keys } of allKeys)
      expect(
        conflictsOf(command, keys).map(other => other.command.id),
        `${keys} of ${command.id}`,
      ).toEqual([])
  })

  test.each(commands.map(command => [command.id, command] as const))(
    '%s has a title, and a key and a short name if the status bar shows it',
    (_, command) => {
      expect(command.title).not.toBe('')
      expect(new Set(command.on).size).toBe(command.on.length)
      // The status bar shows a command with its key and its short name.
      if (command.on.includes('status'))
        expect([keysOf(command).length > 0, command.short]).toEqual([true, expect.any(String)])
    },
  )

  // access.test.ts compares the roles with the specification.
  test.each(commands.map(command => [command.id, command] as const))(
    '%s has at least one role, and is hidden when signed out',
    (_, command) => {
      expect(command.roles.length).toBeGreaterThan(0)
      const base = { path: '/elsewhere', list: undefined, targets: () => [], last: undefined }
      expect(command.availability({ ...base, role: undefined }).is).toBe('hidden')
    },
  )
})
