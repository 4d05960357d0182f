import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Command, Field } from '../../src/commands/command.ts'
import { controlOf, isPrivate } from '../../src/commands/fields.ts'
import { linkArguments } from '../../src/commands/linkArguments.ts'
import { argumentsOf, isParameter, linkText, linkValue, readLink, writeLink } from '../../src/commands/links.ts'
import { commandOf, commands } from '../../src/commands/registry.ts'

const fieldOf = (command: Command, name: string): Field => command.fields.find(field => field.name === name)!
const context = { role: 'admin', path: '/devices', list: undefined, targets: () => [], last: undefined } as const
const read = (id: string, args: readonly (readonly [string, string])[]) =>
  linkArguments(
    { command: id, ids: undefined, match: undefined, args },
    commandOf(id),
    context,
    new AbortController().signal,
  )

test('law: what is written is read again', () => {
  const text = fc.string({ unit: 'grapheme' })
  const name = fc.stringMatching(/^[a-z_]{1,12}$/).filter(one => !isParameter(one))
  const id = fc.stringMatching(/^[A-Za-z0-9:_-]{1,20}$/)
  const link = fc.record({
    command: fc.stringMatching(/^[a-z]{1,9}\.[a-zA-Z]{1,12}$/),
    ids: fc.option(fc.uniqueArray(id, { minLength: 1, maxLength: 20 }), { nil: undefined }),
    match: fc.option(
      fc.record({
        search: text,
        column: fc.option(fc.stringMatching(/^[a-z_]{1,9}$/), { nil: undefined }),
        operator: fc.constantFrom('co', 'eq', 'ge'),
      }),
      { nil: undefined },
    ),
    args: fc.array(fc.tuple(name, text), { maxLength: 5 }),
  })
  fc.assert(
    fc.property(link, one => {
      expect(readLink(`?${writeLink(one)}`)).toEqual(one)
    }),
  )
})

test('an address without a command is no link; colons and commas stand in it as they are', () => {
  expect(readLink('')).toBeUndefined()
  expect(readLink('?token=x')).toBeUndefined()
  expect(writeLink({ command: 'device.flush', ids: ['A4:1C', 'B4:1C'], match: undefined, args: [] })).toBe(
    'cmd=device.flush&ids=A4:1C,B4:1C',
  )
})

const chosen = commands.flatMap(command =>
  command.fields.flatMap(field => {
    const control = controlOf(field)
    return control.kind === 'choice' || control.kind === 'set' ? [{ id: command.id, field, control }] : []
  }),
)
test.each(chosen.map(one => [`${one.id} ${one.field.name}`, one] as const))(
  'law: every choice of %s survives a link',
  (_, { field, control }) => {
    for (const { value, name } of control.options) {
      const given = control.kind === 'set' ? [value] : value
      const text = linkText(field, given, name)
      expect(text).toBeDefined()
      expect(linkValue(field, text!, [])?.value).toEqual(given)
    }
  },
)

test('amounts are in base units, whatever the person has chosen', () => {
  const volume = fieldOf(commandOf('device.autoFlush'), 'volume')
  fc.assert(
    fc.property(fc.double({ min: 0, max: 100, noNaN: true }), value => {
      expect(linkValue(volume, linkText(volume, value, 'x')!, [])?.value).toBe(value === 0 ? 0 : value)
    }),
  )
})

test('what is looked for goes by its name', () => {
  const model = fieldOf(commandOf('device.model'), 'model')
  const options = [{ value: 'm1', name: 'RO-400 Home' }]
  expect(linkText(model, 'm1', 'RO-400 Home')).toBe('RO-400 Home')
  expect(linkValue(model, 'ro-400 home', options)).toEqual({ value: 'm1', name: 'RO-400 Home' })
  expect(linkValue(model, 'RO-400', options)).toBeUndefined()
})

test('a secret is in no link, and none is taken from one', async () => {
  const command = commandOf('admins.changePassword')
  const [password] = command.fields
  expect(isPrivate(controlOf(password!))).toBe(true)
  expect(argumentsOf(command.id, [{ field: password!, value: 'correct-horse', name: 'x' }])).toBe(command.id)
  const { input, problems, typed } = await read(command.id, [['password', 'correct-horse']])
  expect(input).toEqual({})
  expect(problems.join()).not.toBe('')
  expect(typed?.text).toBe('')
})

test('arguments that are wrong or unknown are said, and the others given', async () => {
  const { input, names, problems, typed } = await read('device.autoFlush', [
    ['mode', '7'],
    ['duration', '18'],
    ['colour', 'red'],
    ['volume', '500'],
  ])
  expect(input).toEqual({ duration: 18 })
  expect(names).toEqual({ duration: '18' })
  expect(problems).toEqual([
    '“7” is not possible for Mode',
    '“Auto-flush” takes no “colour”',
    '“500” is not possible for Volume',
  ])
  expect(typed).toEqual({ field: 'mode', text: '7' })
})

test('no argument is called like what a link says besides', () => {
  for (const { fields } of commands) for (const { name } of fields) expect(isParameter(name), name).toBe(false)
})
