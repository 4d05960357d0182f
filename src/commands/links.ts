/**
 * Links to commands: `?cmd=device.flush&ids=…&duration=18`. A link opens the palette at the command with its targets and
 * arguments; it never runs anything. Pure: reading and writing what stands in an address.
 */
import type { LiveQuery } from '../store/selection.ts'
import type { Command, Field, Option } from './command.ts'
import { controlOf, isPrivate } from './fields.ts'
import { namedIn, plainText } from './named.ts'

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
export const longestLink = 6000

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
  const args = given.flatMap(({ field, value, name }) => {
    const text = linkText(field, value, name)
    return text === undefined ? [] : [[field.name, text] as const]
  })
  const ids = targets.length > 0 ? targets.map(({ id }) => id) : undefined
  return writeLink({ command, ids, match: undefined, args }).slice('cmd='.length)
}

/** Values as the command takes them, in base units, so that a link means the same to everyone; of what is looked for, its name. */
export function linkText(field: Field, value: unknown, name: string): string | undefined {
  const control = controlOf(field)
  if (isPrivate(control) || value === undefined) return undefined
  if (control.kind === 'search') return name
  if (control.kind === 'choice') return value === null ? name : plainText(value)
  return Array.isArray(value) ? value.map(plainText).join(',') : plainText(value)
}

/** The other way round; undefined where the text is no value of the field. What is looked for is looked up by `options`. */
export function linkValue(
  field: Field,
  text: string,
  options: readonly Option[],
): { readonly value: unknown; readonly name: string } | undefined {
  const control = controlOf(field)
  const ofOption = (option: Option | undefined) => option && { value: option.value, name: option.name }
  if (control.kind === 'choice') return ofOption(namedIn(control.options, text, { byValue: true }))
  if (control.kind === 'search' && !control.many) return ofOption(namedIn(options, text, { byValue: true }))
  if (control.kind === 'set' || control.kind === 'search') {
    const among = control.kind === 'set' ? control.options : options
    const members = partsOf(text).map(part => namedIn(among, part, { byValue: true }))
    const found = members.flatMap(member => member ?? [])
    return found.length === members.length
      ? { value: found.map(({ value }) => value), name: found.map(({ name }) => name).join(', ') }
      : undefined
  }
  if (control.kind === 'numbers') return { value: partsOf(text).map(Number), name: partsOf(text).join(', ') }
  if (control.kind === 'number') return text.trim() === '' ? undefined : { value: Number(text), name: text }
  // A secret in an address is in everyone's history.
  return isPrivate(control) ? undefined : { value: text, name: text }
}
export const partsOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)

/** Whether a link may lead to it: not to what only keys and places make sense of. */
export const linkable = (command: Command | undefined): command is Command => command !== undefined && !command.keysOnly
