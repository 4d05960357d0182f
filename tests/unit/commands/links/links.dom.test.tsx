import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod/mini'
import type { CommandId } from '../../../../src/commands/core/commandId.ts'
import type { Command, Field } from '../../../../src/commands/core/types.ts'
import { controlOf, isPrivate } from '../../../../src/commands/core/fields.ts'
import { linkArguments, linkPolicy } from '../../../../src/commands/links/arguments.ts'
import { messages } from '../../../../src/domain/messages.ts'
import { linkTargets } from '../../../../src/commands/links/targets.ts'
import {
  formatArgument,
  formatLink,
  isReservedParameter,
  linkWithoutPrefix,
  parseArgument,
  parseLink,
} from '../../../../src/commands/links/links.ts'
import { commandOf, commands } from '../../../../src/commands/core/registry.ts'
import { isPlaceholder } from '../../../../src/store/selection.ts'
import { fleetDevice, serveFleet } from '../../support/fleet.ts'

const fieldOf = (command: Command, name: string): Field => command.fields.find(field => field.name === name)!
const context = { role: 'admin', path: '/devices', list: undefined, targets: () => [], last: undefined } as const
const readArguments = (id: CommandId, args: readonly (readonly [string, string])[]) =>
  linkArguments(
    { command: id, ids: undefined, match: undefined, args },
    commandOf(id),
    context,
    new AbortController().signal,
  )

test('law: parseLink reverses formatLink', () => {
  const text = fc.string({ unit: 'grapheme' })
  const name = fc.stringMatching(/^[a-z_]{1,12}$/).filter(one => !isReservedParameter(one))
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
    policy: fc.option(text, { nil: undefined }),
  })
  fc.assert(
    fc.property(link, one => {
      expect(parseLink(`?${formatLink(one)}`)).toEqual(one)
    }),
  )
})

test('a query without a command is not a link; colons and commas are not escaped', () => {
  expect(parseLink('')).toBeUndefined()
  expect(parseLink('?token=x')).toBeUndefined()
  expect(formatLink({ command: 'device.flush', ids: ['A4:1C', 'B4:1C'], match: undefined, args: [] })).toBe(
    'cmd=device.flush&ids=A4:1C,B4:1C',
  )
})

const choiceArguments = commands.flatMap(command =>
  command.fields.flatMap(field => {
    const control = controlOf(field)
    return control.kind === 'choice' || control.kind === 'set' ? [{ id: command.id, field, control }] : []
  }),
)
test.each(choiceArguments.map(one => [`${one.id} ${one.field.name}`, one] as const))(
  'law: every choice of %s survives a link',
  (_, { field, control }) => {
    for (const { value, name } of control.options) {
      const given = control.kind === 'set' ? [value] : value
      const [pair] = formatArgument(field, given, name)
      expect(parseArgument(field, pair![1], [])).toMatchObject({ value: given })
    }
  },
)

test('amounts are in base units', () => {
  const volume = fieldOf(commandOf('device.autoFlush'), 'volume')
  fc.assert(
    fc.property(fc.double({ min: 0, max: 100, noNaN: true }), value => {
      const [pair] = formatArgument(volume, value, 'x')
      expect(parseArgument(volume, pair![1], [])).toMatchObject({ value: value === 0 ? 0 : value })
    }),
  )
})

/** The vendors that the mocked server searches by name. */
const vendors = [
  ['v1', 'Aqua, Inc.'],
  ['v2', 'Blue'],
  ['v3', 'Blue'],
  ['v4', 'blue'],
  ['v5', 'Inc.'],
  ['v6', 'Twin'],
  ['v7', 'twin'],
] as const
const vendorField = (many: boolean): Field => ({
  name: 'vendor',
  label: 'Vendor',
  schema: many ? z.array(z.string()) : z.string(),
  optional: false,
  choices: (_, query) =>
    vendors
      .filter(([, name]) => name.toLowerCase().includes(query.toLowerCase()))
      .map(([value, name]) => ({ value, name })),
})
const withVendors = (many: boolean) => ({ ...commandOf('device.flush'), fields: [vendorField(many)] })
const readVendors = (search: string, many = true) =>
  linkArguments(parseLink(`?cmd=x&${search}`)!, withVendors(many), context, new AbortController().signal)

test('law: a link to entities finds the same ones, whatever their names', async () => {
  const someVendors = fc.uniqueArray(fc.constantFrom(...vendors), { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(someVendors, async of => {
      const [value, name] = [of.map(([id]) => id), of.map(([, called]) => called).join(', ')]
      const copied = (many: boolean, one: unknown, called: string) =>
        linkWithoutPrefix('x', [{ field: vendorField(many), value: one, name: called }]).slice('x&'.length)
      expect(await readVendors(copied(true, value, name))).toEqual({
        input: { vendor: value },
        names: { vendor: name },
        problems: [],
      })
      const [id, called] = of[0]!
      expect(await readVendors(copied(false, id, called), false)).toMatchObject({ input: { vendor: id }, problems: [] })
    }),
  )
})

test('a typed name is resolved, and prompted for if it has several matches', async () => {
  expect(await readVendors('vendor=inc.', false)).toMatchObject({ input: { vendor: 'v5' }, problems: [] })
  // Names that differ only in case are distinct.
  expect(await readVendors('vendor=twin', false)).toMatchObject({ input: { vendor: 'v7' } })
  expect(await readVendors('vendor=TWIN', false)).toMatchObject({ input: {} })
  expect(await readVendors('vendor=Blue', false)).toEqual({
    input: {},
    names: {},
    problems: ['“Blue” has several matches: choose one for Vendor'],
    typed: { field: 'vendor', text: 'Blue' },
  })
  expect(await readVendors('vendor=Twin,Blue')).toMatchObject({
    input: {},
    problems: ['“Blue” has several matches: choose one for Vendor'],
  })
  expect(await readVendors('vendor=Twin,Inc.')).toMatchObject({ input: { vendor: ['v6', 'v5'] }, problems: [] })
})

test('a link with too many names makes no calls for them, in one argument or in many', async () => {
  const lookUp = vi.fn<NonNullable<Field['choices']>>(vendorField(true).choices!)
  const read = (search: string) => {
    const command = { ...commandOf('device.flush'), fields: [{ ...vendorField(true), choices: lookUp }] }
    return linkArguments(parseLink(`?cmd=x&${search}`)!, command, context, new AbortController().signal)
  }
  const names = Array.from({ length: 100 + 1 }, (_, at) => `Name ${at}`)
  expect(await read(`vendor=${names.join(',')}`)).toEqual({
    input: {},
    names: {},
    problems: ['A link can contain at most 100 names: choose Vendor here'],
    typed: { field: 'vendor', text: '' },
  })
  expect(lookUp).not.toHaveBeenCalled()
  const { problems } = await read([...names, 'Last'].map(name => `vendor=${name}`).join('&'))
  expect(problems.filter(problem => problem.includes('at most'))).toHaveLength(1)
  expect(lookUp).toHaveBeenCalledTimes(100)
  // As many as fit are resolved.
  expect(await read(`vendor=${Array<string>(200).fill('Inc.').join(',')},Twin`)).toMatchObject({
    input: { vendor: expect.any(Array) },
    problems: [],
  })
})

test('an id takes precedence over a name', async () =>
  expect(await readVendors('vendor=Inc.&vendor.id=v1', false)).toMatchObject({
    input: { vendor: 'v1' },
    names: { vendor: 'Aqua, Inc.' },
  }))

test('an id that no longer exists is reported, and not replaced by an equal name', async () =>
  expect(await readVendors('vendor=Inc.&vendor.id=v9')).toMatchObject({
    input: {},
    problems: ['“Inc.” is not valid for Vendor'],
  }))

test('a value whose name is its id is in the link once', () =>
  expect(formatArgument(fieldOf(commandOf('device.find'), 'device'), 'A4:1C', 'A4:1C')).toEqual([['device', 'A4:1C']]))

test('a secret is neither written to a link nor read from one', async () => {
  const command = commandOf('admins.changePassword')
  const [password] = command.fields
  expect(isPrivate(controlOf(password!))).toBe(true)
  expect(linkWithoutPrefix(command.id, [{ field: password!, value: 'correct-horse', name: 'x' }])).toBe(command.id)
  const { input, problems, typed } = await readArguments(command.id, [['password', 'correct-horse']])
  expect(input).toEqual({})
  expect(problems).toEqual([`A link cannot contain ${password!.label}`])
  expect(typed?.text).toBe('')
})

test('a long text that is not valid is shortened in the message and whole in the prompt', async () => {
  const text = 'x'.repeat(100)
  const { problems, typed } = await readArguments('device.autoFlush', [['volume', text]])
  expect(problems.join()).toContain(`${'x'.repeat(60)}…`)
  expect(typed).toEqual({ field: 'volume', text })
})

test('invalid and unknown arguments are reported, and the others used', async () => {
  const { input, names, problems, typed } = await readArguments('device.autoFlush', [
    ['mode', '7'],
    ['duration', '18'],
    ['colour', 'red'],
    ['volume', '500'],
  ])
  expect(input).toEqual({ duration: 18 })
  expect(names).toEqual({ duration: '18' })
  expect(problems).toEqual([
    '“7” is not valid for Mode',
    '“Auto-flush” has no argument “colour”',
    '“500” is not valid for Volume',
  ])
  expect(typed).toEqual({ field: 'mode', text: '' })
})

test('a link may have a policy, which a wrong one says', () => {
  const policyOf = (search: string, id: CommandId = 'device.lock') =>
    linkPolicy(parseLink(`?cmd=${id}&${search}`)!, commandOf(id))
  expect(policyOf('ids=A4:1C')).toBeUndefined()
  expect(policyOf('ids=A4:1C&policy=waves+1%25+10%25+wait+7d')).toEqual({
    policy: { waves: [{ size: '1%' }, { size: '10%' }], offline: 168 },
  })
  expect(policyOf('policy=waves+often')).toEqual({ problem: '“waves often” is not understood' })
  expect(policyOf('policy=rate+5', 'device.description')).toEqual({ problem: 'the command takes none' })
  expect(policyOf('policy=rate+5', 'device.delete')).toEqual({ policy: { rate: 5 } })
  expect(policyOf('policy=rate+5+wait+7d', 'device.delete')).toEqual({ problem: messages.nothingIsSent })
  expect(policyOf(`policy=${'wait+7d+'.repeat(100)}`)).toEqual({ problem: 'it has more than 500 characters' })
  // Later matches need a search.
  expect(policyOf('match=leak&in=status&policy=until+30d')).toHaveProperty('policy.until')
  expect(policyOf('ids=A4:1C&policy=until+30d')).toEqual({ problem: messages.untilNeedsSearch })
  expect(linkWithoutPrefix('device.lock', [], [{ id: 'A4:1C' }], 'rate 5')).toBe('device.lock&ids=A4:1C&policy=rate+5')
})

test('no argument has the name of a reserved parameter', () => {
  for (const { fields } of commands) for (const { name } of fields) expect(isReservedParameter(name), name).toBe(false)
})

const targetsOf = (search: string) => {
  const signal = new AbortController().signal
  const link = parseLink(search)!
  return linkTargets(link, commandOf(link.command as CommandId), { signal, report: () => undefined })
}

test('more matches than one call returns are counted for a job, and read for a command that is none', async () => {
  const fleet = Array.from({ length: 1203 }, (_, at) => fleetDevice(at))
  const requests = serveFleet(() => fleet)
  onTestFinished(() => void vi.restoreAllMocks())
  const { items } = await targetsOf('?cmd=device.lock&match=A4&in=bssid')
  expect(items).toHaveLength(fleet.length)
  expect(items!.every(isPlaceholder)).toBe(true)
  expect(requests).toMatchObject([{ query: { search: 'A4', column: 'bssid', limit: 1 } }])
  const { items: read } = await targetsOf('?cmd=device.resetBaseline&match=A4&in=bssid')
  expect(read!.map(({ id }) => id)).toEqual(fleet.map(({ bssid }) => bssid))
})

test('a link with empty ids is reported, and does not use the selection', async () => {
  expect(await targetsOf('?cmd=device.flush&ids=')).toEqual({ items: [], problems: ['The link contains no devices'] })
  expect(await targetsOf('?cmd=device.flush&ids=,%20,')).toMatchObject({ items: [] })
})

test('an unknown column or operator is reported', async () => {
  expect(await targetsOf('?cmd=device.flush&match=x&in=nocol')).toEqual({
    items: [],
    problems: ['The link searches by “nocol”, but devices cannot be searched by it'],
  })
  expect(await targetsOf('?cmd=device.flush&match=x&by=about')).toEqual({
    items: [],
    problems: ['The link compares by “about”, which is not an operator'],
  })
})

test('an invalid option is prompted for with the full list', async () => {
  const { problems, typed } = await readArguments('device.autoFlush', [['mode', '9']])
  expect(problems).toHaveLength(1)
  expect(typed).toEqual({ field: 'mode', text: '' })
})
