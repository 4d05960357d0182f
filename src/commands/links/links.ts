/**
 * Links to commands: `?cmd=device.flush&ids=…&duration=18`. A link opens the palette at the command with its targets and
 * arguments; it never runs anything. This file parses and formats links and has no side effects.
 */
import type { ListSearch } from '../../store/selection.ts'
import type { Command, Field, Option } from '../core/types.ts'
import { controlOf, isPrivate } from '../core/fields.ts'
import { findOption, optionsNamed, plainText } from '../arguments/findOption.ts'

export interface Link {
  /** The command's id. */
  readonly command: string
  /** Ids of the targets; undefined if the link has none and the current selection is used. */
  readonly ids: readonly string[] | undefined
  /** Instead of ids, a search whose matches are the targets. */
  readonly match: ListSearch | undefined
  /** The policy of the command's job, in words; undefined if the link has none. */
  readonly policy?: string | undefined
  /** Arguments as texts, by name. */
  readonly args: readonly (readonly [name: string, text: string])[]
}

/** Query parameters that are not arguments of the command. */
const reservedParameters = ['cmd', 'ids', 'match', 'in', 'by', 'policy'] as const
export const isReservedParameter = (name: string): boolean => (reservedParameters as readonly string[]).includes(name)

/** Characters of a link that all common browsers, servers and mail programs accept. */
export const maxLinkLength = 6000

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/%(3A|2C|20)/g, (_, code: string) => ({ '3A': ':', '2C': ',' })[code] ?? '+')
const formatParameter = (name: string, text: string): string => `${name}=${encode(text)}`

/** Returns the link as a query string without the question mark, the inverse of `parseLink`. */
export function formatLink({ command, ids, match, policy, args }: Link): string {
  return [
    formatParameter('cmd', command),
    ...(ids ? [formatParameter('ids', ids.join(','))] : []),
    ...(match ? [formatParameter('match', match.search)] : []),
    ...(match?.column ? [formatParameter('in', match.column)] : []),
    ...(match && match.operator !== 'co' ? [formatParameter('by', match.operator)] : []),
    ...args.map(([name, text]) => formatParameter(name, text)),
    ...(policy === undefined ? [] : [formatParameter('policy', policy)]),
  ].join('&')
}

/** Parses a query string; returns undefined if it contains no command. */
export function parseLink(search: string): Link | undefined {
  const params = new URLSearchParams(search)
  const command = params.get('cmd')
  if (!command) return undefined
  const ids = params.get('ids')
  const match = params.get('match')
  return {
    command,
    ids: ids === null ? undefined : [...new Set(ids.split(',').map(id => id.trim()))].filter(Boolean),
    match:
      match === null
        ? undefined
        : { search: match, column: params.get('in') ?? undefined, operator: params.get('by') ?? 'co' },
    policy: params.get('policy') ?? undefined,
    args: [...params].filter(([name]) => !isReservedParameter(name)),
  }
}

interface EnteredArgument {
  readonly field: Field
  readonly value: unknown
  /** The displayed name of the value. */
  readonly name: string
}

/** Returns a command's id, arguments and policy as a link without its `cmd=`. Secrets and files are left out. */
export function linkWithoutPrefix(
  command: string,
  entered: readonly EnteredArgument[],
  targets: readonly { id: string }[] = [],
  policy?: string,
): string {
  const args = entered.flatMap(({ field, value, name }) => formatArgument(field, value, name))
  const ids = targets.length > 0 ? targets.map(({ id }) => id) : undefined
  return formatLink({ command, ids, match: undefined, policy, args }).slice('cmd='.length)
}

/** The parameter with the ids of an argument's values, because names may be ambiguous or contain commas. */
export const idParameter = (name: string): string => `${name}.id`

/**
 * Returns the link parameters of an argument. Amounts are in base units, so that a link means the same to every person.
 * Values from a search have their name, and their id if it differs from the name. Secrets and files have no parameter.
 */
export function formatArgument(field: Field, value: unknown, name: string): Link['args'] {
  const control = controlOf(field)
  if (isPrivate(control) || value === undefined) return []
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  const texts = values.map(plainText)
  if (control.kind === 'search')
    return value === null || texts.join(', ') === name
      ? [[field.name, name]]
      : [
          [field.name, name],
          [idParameter(field.name), texts.join(',')],
        ]
  return [[field.name, control.kind === 'choice' && value === null ? name : texts.join(',')]]
}

/** A parsed value, or `ambiguous`, a name that several options share; undefined if the text is not valid. */
export type ParsedArgument =
  | { readonly value: unknown; readonly name: string }
  | { readonly ambiguous: string }
  | undefined

/** The inverse of `formatArgument`. Looks up values of searched fields in `options`, by `ids` if given, else by name. */
export function parseArgument(field: Field, text: string, options: readonly Option[], ids?: string): ParsedArgument {
  const control = controlOf(field)
  const optionNamed = (among: readonly Option[], part: string) => findOption(among, part, { byValue: true })
  switch (control.kind) {
    case 'choice':
      return optionNamed(control.options, text)
    case 'set':
      return combine(splitList(text).map(part => optionNamed(control.options, part)))
    case 'search': {
      const withId = (id: string) => options.find(({ value }) => plainText(value) === id)
      const byNameOrId = (part: string) => byName(options, part) ?? withId(part)
      if (!control.many) return ids === undefined ? byNameOrId(text) : withId(ids)
      return combine(ids === undefined ? splitList(text).map(byNameOrId) : splitList(ids).map(withId))
    }
    case 'numbers':
      return { value: splitList(text).map(Number), name: splitList(text).join(', ') }
    case 'number':
      return text.trim() === '' ? undefined : { value: Number(text), name: text }
    default:
      // Secrets in a URL would stay in the browser history.
      return isPrivate(control) ? undefined : { value: text, name: text }
  }
}

/** Returns one value of all members, or undefined if one is invalid, or the first ambiguous member. */
function combine(members: readonly ParsedArgument[]): ParsedArgument {
  const valid = members.flatMap(member => (member && 'value' in member ? member : []))
  if (valid.length === members.length)
    return { value: valid.map(({ value }) => value), name: valid.map(({ name }) => name).join(', ') }
  return members.includes(undefined) ? undefined : members.find(member => member && 'ambiguous' in member)
}

/** Returns the only option with this name; ambiguous if there are several. */
function byName(options: readonly Option[], text: string): ParsedArgument {
  const [one, ...others] = optionsNamed(options, text)
  return others.length > 0 ? { ambiguous: text.trim() } : one
}

/** Returns the trimmed, non-empty parts between commas. */
export const splitList = (text: string): readonly string[] =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)

/** Whether a link can open the command: commands that only keys and buttons run have no palette page. */
export const isLinkable = (command: Command | undefined): command is Command =>
  command !== undefined && !command.keysOnly
