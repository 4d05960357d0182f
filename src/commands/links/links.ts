/**
 * Links to commands: `?cmd=device.flush&ids=…&duration=18`. A link opens the palette at the command with its targets and
 * arguments; it never runs anything. Pure: reading and writing what stands in an address.
 */
import type { LiveQuery } from '../../store/selection.ts'
import type { Command, Field, Option } from '../core/types.ts'
import { controlOf, isPrivate } from '../core/fields.ts'
import { namedIn, plainText } from '../arguments/namedOptions.ts'

export interface Link {
  /** The command's id. */
  readonly command: string
  /** What it is to act on; undefined where it says nothing of that. */
  readonly ids: readonly string[] | undefined
  /** Or all that match a search. */
  readonly match: LiveQuery | undefined
  /** Arguments by their names, as texts. */
  readonly args: readonly (readonly [name: string, text: string])[]
}

/** Parameters that are no arguments. */
const parameters = ['cmd', 'ids', 'match', 'in', 'by'] as const
export const isParameter = (name: string): boolean => (parameters as readonly string[]).includes(name)

/** The most characters of a link that every browser, server and mail program lets through. */
export const maxLinkLength = 6000

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/%(3A|2C|20)/g, (_, code: string) => ({ '3A': ':', '2C': ',' })[code] ?? '+')
const pair = (name: string, text: string): string => `${name}=${encoded(text)}`

/** What stands behind the question mark; `readLink` reads it. */
export function writeLink({ command, ids, match, args }: Link): string {
  return [
    pair('cmd', command),
    ...(ids ? [pair('ids', ids.join(','))] : []),
    ...(match ? [pair('match', match.search)] : []),
    ...(match?.column ? [pair('in', match.column)] : []),
    ...(match && match.operator !== 'co' ? [pair('by', match.operator)] : []),
    ...args.map(([name, text]) => pair(name, text)),
  ].join('&')
}

/** Undefined where the address names no command. */
export function readLink(search: string): Link | undefined {
  const given = new URLSearchParams(search)
  const command = given.get('cmd')
  if (!command) return undefined
  const ids = given.get('ids')
  const match = given.get('match')
  return {
    command,
    ids: ids === null ? undefined : [...new Set(ids.split(',').map(id => id.trim()))].filter(Boolean),
    match:
      match === null
        ? undefined
        : { search: match, column: given.get('in') ?? undefined, operator: given.get('by') ?? 'co' },
    args: [...given].filter(([name]) => !isParameter(name)),
  }
}

interface Given {
  readonly field: Field
  readonly value: unknown
  readonly name: string
}

/** A command's id and what it has been given, as a link without its `cmd=`. Secrets and files stay out. */
export function argumentsOf(command: string, given: readonly Given[], targets: readonly { id: string }[] = []): string {
  const args = given.flatMap(({ field, value, name }) => linkPairs(field, value, name))
  const ids = targets.length > 0 ? targets.map(({ id }) => id) : undefined
  return writeLink({ command, ids, match: undefined, args }).slice('cmd='.length)
}

/** Behind the name of an argument, the ids of what was looked for: names may be shared, and may have commas. */
export const idsOf = (name: string): string => `${name}.id`

/**
 * Values as the command takes them, in base units, so that a link means the same to everyone. Of what is looked for its
 * name, by which it is found, and its id, which tells it from others of that name.
 */
export function linkPairs(field: Field, value: unknown, name: string): Link['args'] {
  const control = controlOf(field)
  if (isPrivate(control) || value === undefined) return []
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  const texts = values.map(plainText)
  if (control.kind === 'search')
    return value === null || texts.join(', ') === name
      ? [[field.name, name]]
      : [
          [field.name, name],
          [idsOf(field.name), texts.join(',')],
        ]
  return [[field.name, control.kind === 'choice' && value === null ? name : texts.join(',')]]
}

/** What a text means: a value, or `several`, a name that more than one has. Undefined where it is no value of the field. */
export type Meant = { readonly value: unknown; readonly name: string } | { readonly several: string } | undefined

/** The other way round. What is looked for is among `options`; with `ids` it is those, whatever the text is. */
export function linkValue(field: Field, text: string, options: readonly Option[], ids?: string): Meant {
  const control = controlOf(field)
  const named = (among: readonly Option[], part: string) => namedIn(among, part, { byValue: true })
  switch (control.kind) {
    case 'choice':
      return named(control.options, text)
    case 'set':
      return all(partsOf(text).map(part => named(control.options, part)))
    case 'search': {
      const withId = (id: string) => options.find(({ value }) => plainText(value) === id)
      const lookedFor = (part: string) => calledSo(options, part) ?? withId(part)
      if (!control.many) return ids === undefined ? lookedFor(text) : withId(ids)
      return all(ids === undefined ? partsOf(text).map(lookedFor) : partsOf(ids).map(withId))
    }
    case 'numbers':
      return { value: partsOf(text).map(Number), name: partsOf(text).join(', ') }
    case 'number':
      return text.trim() === '' ? undefined : { value: Number(text), name: text }
    default:
      // A secret in an address is in everyone's history.
      return isPrivate(control) ? undefined : { value: text, name: text }
  }
}

/** All of them, or what is wrong with one. */
function all(members: readonly Meant[]): Meant {
  const found = members.flatMap(member => (member && 'value' in member ? member : []))
  if (found.length === members.length)
    return { value: found.map(({ value }) => value), name: found.map(({ name }) => name).join(', ') }
  return members.includes(undefined) ? undefined : members.find(member => member && 'several' in member)
}

/** What is called just so, or so but for capitals. */
function calledSo(options: readonly Option[], text: string): Meant {
  const wanted = text.trim()
  const called = options.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase())
  const same = called.filter(({ name }) => name === wanted)
  const [one, ...others] = same.length > 0 ? same : called
  return others.length > 0 ? { several: wanted } : one
}

export const partsOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)

/** Whether a link may lead to it: not to what only keys and places make sense of. */
export const linkable = (command: Command | undefined): command is Command => command !== undefined && !command.keysOnly
