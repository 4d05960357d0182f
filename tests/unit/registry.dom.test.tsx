import { describe, expect, test } from 'vitest'
import { commands, commandOf, commandsOn, keysOf } from '../../src/commands/registry.ts'

/** A panel button of a command that is not repeated in the palette needs no key; one without either is nowhere. */
const everyKey = commands.flatMap(command =>
  keysOf(command).map(keys => ({ keys, id: command.id, entity: command.entity })),
)

describe('the registry', () => {
  test('has unique ids', () => {
    const ids = commands.map(command => command.id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(commandOf(id).id).toBe(id)
    expect(() => commandOf('no.such')).toThrow('no.such')
  })

  test('gives no key to two commands, and none that begins another’s sequence', () => {
    expect(everyKey.length).toBeGreaterThan(40)
    for (const one of everyKey)
      for (const other of everyKey) {
        if (one === other) continue
        // Commands on different things are never given on the same screen, so their keys may be the same.
        if (one.entity && other.entity && one.entity !== other.entity) continue
        const shadows = other.keys === one.keys || other.keys.startsWith(`${one.keys} `)
        expect(shadows, `${one.keys} of ${one.id} and ${other.keys} of ${other.id}`).toBe(false)
      }
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
