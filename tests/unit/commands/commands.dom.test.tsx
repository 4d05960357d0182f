import { describe, expect, test } from 'vitest'
import { conflictsOf } from '../../../src/commands/keys/conflicts.ts'
import { keysOf } from '../../../src/commands/keys/bindings.ts'
import { commands, commandsOn, findCommand } from '../../../src/commands/core/registry.ts'

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

  test.each(commands.map(command => [command.id, command] as const))('%s is placed on a surface', (_, command) => {
    // The palette shows all but those that only keys or their place make sense of; those need a place.
    if (command.keysOnly) expect(command.on.length).toBeGreaterThan(0)
    else expect(command.title).not.toBe('')
    for (const surface of command.on) expect(commandsOn(surface)).toContain(command)
    expect(new Set(command.on).size).toBe(command.on.length)
  })

  test.each(commands.filter(({ endpoint }) => endpoint).map(command => [command.id, command] as const))(
    '%s may be given by exactly the roles that its endpoint lets in',
    (_, { roles, endpoint }) => {
      expect(endpoint?.roles).not.toBe('public')
      expect(roles).toEqual(endpoint?.roles)
    },
  )

  test.each(commands.map(command => [command.id, command] as const))(
    '%s is hidden from everyone else',
    (_, command) => {
      const base = { path: '/elsewhere', list: undefined, targets: () => [], last: undefined }
      for (const role of ['superadmin', 'admin', 'vendor', undefined] as const) {
        const hidden = command.availability({ ...base, role }).is === 'hidden'
        expect(hidden, role).toBe(role === undefined || !command.roles.includes(role))
      }
      expect(command.roles.length).toBeGreaterThan(0)
    },
  )
})
