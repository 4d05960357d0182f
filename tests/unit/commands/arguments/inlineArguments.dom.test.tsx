import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { CommandId } from '../../../../src/commands/core/commandId.ts'
import type { Option } from '../../../../src/commands/core/types.ts'
import { controlOf, isPrivate } from '../../../../src/commands/core/fields.ts'
import { commandOf, commands } from '../../../../src/commands/core/registry.ts'
import { messages } from '../../../../src/domain/messages.ts'
import { parseInlineArguments, type ParseOptions } from '../../../../src/commands/arguments/inlineArguments.ts'
import { policyStart } from '../../../../src/commands/arguments/policy.ts'
import { splitWords } from '../../../../src/commands/arguments/words.ts'
import { defaultUnits } from '../../../../src/domain/units.ts'

const models: readonly Option[] = [
  { value: 'm1', name: 'RO-400 Home' },
  { value: 'm2', name: 'RO-400 Pro' },
  { value: 'm3', name: 'Marine 90' },
]
const parseOptions: ParseOptions = {
  units: defaultUnits,
  lookup: (_command, _field, text) => models.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase())),
}
const loadingOptions: ParseOptions = { ...parseOptions, lookup: () => undefined }
const parse = (id: CommandId, text: string, how = parseOptions) =>
  parseInlineArguments(splitWords(text), commandOf(id), how)
const values = (id: CommandId, text: string, how = parseOptions) =>
  Object.fromEntries(parse(id, text, how).parsed.map(({ field, value }) => [field.name, value]))

describe('inline arguments', () => {
  test('choose an option by its name, its beginning or its value', () => {
    expect(values('device.autoFlush', 'after 5th 18')).toEqual({ mode: 1, frequency: 5, duration: 18 })
    expect(values('device.autoFlush', 'save water be 10 36 s')).toEqual({
      smart: 'save_water',
      mode: 2,
      frequency: 10,
      duration: 36,
    })
    expect(values('device.autoFlush', 'mode=1 duration=18')).toEqual({ mode: 1, duration: 18 })
    expect(values('device.valve', 'closed')).toEqual({ valve_closed: true })
  })

  test('can be in any order, and ambiguous values go to the next argument first', () => {
    expect(values('device.autoFlush', '18 5th after')).toEqual({ mode: 1, frequency: 5, duration: 18 })
    // The duration follows the frequency, and the volume the duration.
    expect(values('device.autoFlush', '2nd 9 9')).toEqual({ frequency: 2, duration: 9, volume: 9 })
  })

  test('leave a beginning that two options share unparsed', () => {
    expect(parse('device.autoFlush', 'save')).toMatchObject({ parsed: [], unparsed: ['save'] })
  })

  test('read an amount in the chosen unit or in the one typed with it', () => {
    expect(values('device.autoFlush', 'volume=5')).toEqual({ volume: 5 })
    expect(values('device.autoFlush', '1 gal')['volume']).toBeCloseTo(3.785411784, 9)
    expect(values('device.autoFlush', '2,5l')).toEqual({ volume: 2.5 })
    const gallons: ParseOptions = { ...parseOptions, units: { ...defaultUnits, volume: 'gal' } }
    expect(values('device.autoFlush', 'vol=1', gallons)['volume']).toBeCloseTo(3.785411784, 9)
    expect(parse('device.autoFlush', 'volume=500').unparsed).toEqual(['volume=500'])
  })

  test('read a number with separators of thousands, as the console writes it, and a decimal comma', () => {
    const resource = (text: string) => values('cartridgeTypes.edit', `resource=${text}`)['resource']
    expect(resource('3,000')).toBe(3000)
    expect(resource('1,000l')).toBe(1000)
    expect(resource('1,000,000')).toBe(1_000_000)
    expect(resource('0,125')).toBeUndefined()
    expect(values('models.create', '0,125 0,2 1,5 2')['bypass_flow_rates']).toEqual([0.125, 0.2, 1.5, 2])
  })

  test('round an amount in another unit where the server takes whole numbers only', () => {
    const gallons: ParseOptions = { ...parseOptions, units: { ...defaultUnits, volume: 'gal' } }
    expect(values('cartridgeTypes.edit', 'resource=800', gallons)['resource']).toBe(3028)
    expect(values('cartridgeTypes.edit', '"800 gal"')['resource']).toBe(3028)
    expect(values('cartridgeTypes.edit', 'resource=3000.5')['resource']).toBeUndefined()
  })

  test('leave a name that several entities share open', () => {
    const vendors = [
      { value: 'v1', name: 'Aqua', detail: 'first' },
      { value: 'v2', name: 'aqua', detail: 'second' },
      { value: 'v3', name: 'AQUA', detail: 'third' },
      { value: 'v4', name: 'Aqua Nord', detail: 'fourth' },
    ]
    const how = { ...parseOptions, lookup: () => vendors }
    expect(parse('select.vendor', 'aqUA', how)).toMatchObject({ parsed: [], ambiguous: { text: 'aqUA', matches: 3 } })
    expect(values('select.vendor', 'Aqua', how)).toEqual({ vendor: 'v1' })
    expect(values('select.vendor', 'aqua nord', how)).toEqual({ vendor: 'v4' })
  })

  test('find entities by name or by a part that only one has', () => {
    expect(values('device.model', 'ro-400 home')).toEqual({ model: 'm1' })
    expect(values('device.model', 'marine')).toEqual({ model: 'm3' })
    expect(parse('device.model', 'ro-400')).toMatchObject({
      parsed: [],
      unparsed: [],
      ambiguous: { text: 'ro-400', matches: 2 },
    })
    expect(parse('device.model', 'ro-400 home', loadingOptions).ambiguous).toMatchObject({
      text: 'ro-400 home',
      matches: undefined,
    })
    expect(parse('device.model', 'none such')).toMatchObject({
      parsed: [],
      unparsed: ['none', 'such'],
      ambiguous: undefined,
    })
  })

  test('read lists of numbers, sets and texts', () => {
    expect(values('models.create', 'Marine flush bypass 0.1 0.2 0.3 0.4')).toMatchObject({
      capabilities: ['flush', 'bypass'],
      bypass_flow_rates: [0.1, 0.2, 0.3, 0.4],
    })
    expect(values('device.description', 'Kitchen, second floor')).toEqual({ description: 'Kitchen, second floor' })
    expect(values('vendors.create', 'acme Ann Smith "Acme Water"')).toEqual({
      login: 'acme',
      first_name: 'Ann',
      last_name: 'Smith',
      company_name: 'Acme Water',
    })
  })

  test('never read a secret from visible text', () => {
    expect(parse('admins.changePassword', 'correct-horse correct-horse')).toMatchObject({
      parsed: [],
      unparsed: ['correct-horse', 'correct-horse'],
    })
    expect(parse('admins.changePassword', 'password=correct-horse').parsed).toEqual([])
    expect(parse('secondFactor.disable', 'code=123456 654321').parsed).toEqual([])
  })

  const someCommand = fc.constantFrom(...commands.filter(({ fields }) => fields.length > 0))
  const someWord = fc.oneof(
    fc.constantFrom('after', 'off', '5th', '18', 'save', 'water', '0.5', '9:00', 'tomorrow', '"a b"', 'mode=1', '='),
    fc.string({ maxLength: 8 }),
  )
  const someText = fc.array(someWord, { maxLength: 8 }).map(all => all.join(' '))

  test('law: parsed values are valid, each argument is parsed once, and never a secret', () => {
    fc.assert(
      fc.property(someCommand, someText, (command, text) => {
        const { parsed } = parseInlineArguments(splitWords(text), command, parseOptions)
        expect(new Set(parsed.map(({ field }) => field)).size).toBe(parsed.length)
        for (const { field, value } of parsed) {
          expect(z.safeParse(field.schema, value).success).toBe(true)
          expect(isPrivate(controlOf(field))).toBe(false)
        }
      }),
    )
  })

  test('law: every word before a policy is either parsed or returned as unparsed', () => {
    fc.assert(
      fc.property(someText, text => {
        const typed = splitWords(text).filter(word => !word.quoted && word.field === undefined)
        const { parsed, unparsed, ambiguous } = parseInlineArguments(typed, commandOf('device.autoFlush'), parseOptions)
        const start = policyStart(
          typed.map(word => word.text),
          Date.now(),
          { needsTime: true },
        )
        const words = start < 0 ? typed : typed.slice(0, start)
        expect(ambiguous).toBeUndefined()
        if (parsed.length === 0) expect(unparsed).toEqual(words.map(word => word.text))
        expect(unparsed.length + parsed.length).toBeLessThanOrEqual(words.length)
        for (const one of unparsed) expect(words.map(word => word.text)).toContain(one)
      }),
    )
  })

  test('law: the names of options typed one after another choose those options', () => {
    const choiceFields = commandOf('device.autoFlush').fields.flatMap(field => {
      const control = controlOf(field)
      return control.kind === 'choice' ? [{ field, options: control.options }] : []
    })
    const picks = fc.tuple(
      ...choiceFields.map(({ options }) => fc.option(fc.constantFrom(...options), { nil: undefined })),
    )
    fc.assert(
      fc.property(picks, options => {
        const text = options.flatMap(option => option?.name ?? []).join(' ')
        const expected = choiceFields.flatMap(({ field }, index) => {
          const option = options[index]
          return option ? [[field.name, option.value]] : []
        })
        expect(values('device.autoFlush', text)).toEqual(Object.fromEntries(expected))
      }),
    )
  })
})

test('quotes join words, also without a closing quote', () => {
  const texts = (text: string) => splitWords(text).map(word => word.text)
  expect(texts('a "b c" d')).toEqual(['a', 'b c', 'd'])
  expect(texts('a "b c')).toEqual(['a', 'b c'])
  expect(splitWords('mode=before')).toMatchObject([{ field: 'mode', text: 'before', start: 0, end: 11 }])
  fc.assert(
    fc.property(fc.string(), text => {
      for (const word of splitWords(text)) expect(text.slice(word.start, word.end)).toContain(word.text)
    }),
  )
})

test('later matches can be included only if the devices are those that match a search', () => {
  const policyOf = (isSearch: boolean) =>
    parseInlineArguments(splitWords('until 30d'), commandOf('device.lock'), { ...parseOptions, isSearch }).policy
  expect(policyOf(false)).toEqual({ problem: messages.untilNeedsSearch })
  expect(policyOf(true)).toMatchObject({ policy: { until: expect.any(String) as string } })
})
