/**
 * Parses inline arguments, which are typed after a command's name: `flush settings after 5th 18`. Each word becomes
 * the value of the first argument that accepts it; words that no argument accepts are returned as unparsed. Pure: the
 * caller passes the options that have to be searched on the server.
 */
import * as z from 'zod/mini'
import type { UnitChoice } from '../../domain/units.ts'
import type { Command, Field, Option } from '../core/types.ts'
import { canBeJob, typedPolicyProblem } from '../core/execution/serverJob.ts'
import { controlOf, isPrivate, type Control } from '../core/fields.ts'
import { findOption, optionsNamed } from './findOption.ts'
import { parseAmount } from './amounts.ts'
import { parsePolicy, partExamples, policyStart, type ParsedPolicy } from './policy.ts'
import { initialsScore, matchScore } from './rank.ts'
import { withoutField, spansOf, type Word } from './words.ts'

/** An argument with its parsed value. */
export interface ParsedArgument {
  readonly field: Field
  readonly value: unknown
  /** The value as people read it. */
  readonly text: string
}

export interface InlineArguments {
  readonly parsed: readonly ParsedArgument[]
  /** The words that no argument accepts. */
  readonly unparsed: readonly string[]
  /** An argument whose text does not name one option; `matches`: how many it matches, undefined while they are loading. */
  readonly ambiguous: { readonly field: Field; readonly text: string; readonly matches: number | undefined } | undefined
  /** The policy of the job, if one is typed. */
  readonly policy?: ParsedPolicy
}

/** Returns the options that match a text; undefined while they are loading. */
export type Lookup = (command: Command, field: Field, text: string) => readonly Option[] | undefined
export interface ParseOptions {
  readonly units: UnitChoice
  readonly lookup: Lookup
  /** Whether commands act on all devices that match a search, so that later ones can be included. */
  readonly isSearch?: boolean
}

/** The result of parsing words as a value of a field. */
interface ParseResult {
  readonly argument?: ParsedArgument
  readonly ambiguous?: InlineArguments['ambiguous']
  /** How many words the result covers. */
  readonly wordCount: number
}
/** Parses the first words as a value of a field. Returns undefined if they are none. */
type Parser = (field: Field, words: readonly Word[]) => ParseResult | undefined

/** Returns the inline arguments of a command that `words` contain, and after them the policy of its job. */
export function parseInlineArguments(words: readonly Word[], command: Command, options: ParseOptions): InlineArguments {
  if (!canBeJob(command)) return parseArguments(words, command, options)
  const texts = words.map(({ text }) => text)
  const now = Date.now()
  const needsTime = command.fields.length > 0
  const at = policyStart(texts, now, { needsTime })
  // Without arguments, a word that begins a part of a policy can be nothing else.
  if (at < 0 && command.fields.length > 0) return parseArguments(words, command, options)
  const from = Math.max(at, 0)
  const begun = partExamples(texts.slice(from), now)
  if (at < 0 && begun === undefined) return parseArguments(words, command, options)
  const policy =
    begun === undefined ? policyOf(texts.slice(from), now, command, options) : { problem: `For example ${begun}` }
  return { ...parseArguments(words.slice(0, from), command, options), policy }
}

function policyOf(
  texts: readonly string[],
  now: number,
  command: Command,
  { isSearch = false }: ParseOptions,
): ParsedPolicy {
  const parsed = parsePolicy(texts.join(' '), now)
  const problem = 'policy' in parsed ? typedPolicyProblem(command, parsed.policy, { isSearch }) : undefined
  return problem === undefined ? parsed : { problem }
}

function parseArguments(words: readonly Word[], command: Command, options: ParseOptions): InlineArguments {
  const parsed: ParsedArgument[] = []
  const unparsed: string[] = []
  let ambiguous: InlineArguments['ambiguous']
  const fields = command.fields.filter(isTypeable)
  const missing = () => fields.filter(field => !parsed.some(argument => argument.field === field))
  /** The missing fields, starting after the last parsed one: people usually type arguments in their order. */
  const inOrder = () => {
    const last = parsed.at(-1)
    const from = last ? fields.indexOf(last.field) + 1 : 0
    return [...fields.slice(from), ...fields.slice(0, from)].filter(field => missing().includes(field))
  }
  const exact: Parser = (field, words) => parseExact(field, words, options.units)
  const isExact = (at: readonly Word[]) => inOrder().some(field => exact(field, at))
  const parsers: readonly Parser[] = [
    exact,
    parsePrefix,
    (field, words) => (ambiguous ? undefined : parseReference(command, field, words, options.lookup)),
    (field, words) => parseText(field, words, missing().filter(isText), isExact),
  ]

  for (let index = 0; index < words.length;) {
    const [word, ...more] = words.slice(index)
    if (!word) break
    const named = word.field === undefined ? undefined : namedField(missing(), word.field)
    // A word with a field's name, `mode=before`, is only parsed for that field. With any other name it is plain text.
    const rest = named || word.field === undefined ? [word, ...more] : [withoutField(word), ...more]
    const result = named ? firstParsed(parsers, [named], [word]) : firstParsed(parsers, inOrder(), rest)
    if (result?.argument) parsed.push(result.argument)
    else if (result?.ambiguous) ambiguous = result.ambiguous
    else unparsed.push(named ? withoutField(word).text : (rest[0]?.text ?? ''))
    index += result?.wordCount ?? 1
  }
  return { parsed, unparsed, ambiguous }
}

/** Whether a field can be typed inline. Secrets are visible there, so they are typed on a page of their own. */
const isTypeable = (field: Field): boolean => !isPrivate(controlOf(field))
const isText = (field: Field): boolean => controlOf(field).kind === 'text'

/** Returns the field with this name, or the only field whose name or label starts with it. */
function namedField(fields: readonly Field[], name: string): Field | undefined {
  const exact = fields.find(field => field.name === name)
  const matching = fields.filter(field => beginsWith(field.label, name) || beginsWith(field.name, name))
  return exact ?? (matching.length === 1 ? matching[0] : undefined)
}

/** Returns the result of the first parser that accepts the words for any field; the most words win. */
function firstParsed(
  parsers: readonly Parser[],
  fields: readonly Field[],
  words: readonly Word[],
): ParseResult | undefined {
  for (const parser of parsers) {
    const results = fields.flatMap(field => parser(field, words) ?? [])
    // For `1 gal`, a volume of two words wins over a number of one.
    const most = Math.max(...results.map(({ wordCount }) => wordCount))
    if (results.length > 0) return results.find(({ wordCount }) => wordCount === most)
  }
  return undefined
}

const accepts = (field: Field, value: unknown): boolean => z.safeParse(field.schema, value).success

/** Parses whole names and values of choices, numbers and times. */
function parseExact(field: Field, words: readonly Word[], units: UnitChoice): ParseResult | undefined {
  const control = controlOf(field)
  if (control.kind === 'set') return parseSet(field, control.options, words)
  for (const { text, wordCount } of spansOf(words)) {
    const result = exactValue(control, text, words[0]?.field !== undefined, units)
    if (result && accepts(field, result.value)) return { argument: { field, ...result }, wordCount }
  }
  return undefined
}

function exactValue(
  control: Control,
  text: string,
  byValue: boolean,
  units: UnitChoice,
): Omit<ParsedArgument, 'field'> | undefined {
  if (control.kind === 'choice') {
    const option = findOption(control.options, text, { unit: control.unit, byValue })
    return option && { value: option.value, text: option.name }
  }
  if (control.kind === 'number' || control.kind === 'numbers' || control.kind === 'time')
    return parseAmount(control, text, units)
  return undefined
}

/** Parses the start of a choice's name, if only one choice has it. */
function parsePrefix(field: Field, words: readonly Word[]): ParseResult | undefined {
  const control = controlOf(field)
  if (control.kind !== 'choice') return undefined
  for (const { text, wordCount } of spansOf(words)) {
    const matching = text.length < 2 ? [] : control.options.filter(({ name }) => beginsWith(name, text))
    const [option] = matching
    if (option && matching.length === 1)
      return { argument: { field, value: option.value, text: option.name }, wordCount }
  }
  return undefined
}

/** Whether a text is the start of a name, of a word in it, or of its initials. */
const beginsWith = (name: string, text: string): boolean => matchScore(text, name) >= initialsScore

/** Parses as many successive members of a set as possible. */
function parseSet(field: Field, options: readonly Option[], words: readonly Word[]): ParseResult | undefined {
  const members: Option[] = []
  let wordCount = 0
  while (wordCount < words.length) {
    const next = memberAt(options, words.slice(wordCount))
    if (!next) break
    if (!members.includes(next.option)) members.push(next.option)
    wordCount += next.wordCount
  }
  const value = members.map(option => option.value)
  if (wordCount === 0 || !accepts(field, value)) return undefined
  return { argument: { field, value, text: members.map(({ name }) => name).join(', ') }, wordCount }
}

function memberAt(
  options: readonly Option[],
  words: readonly Word[],
): { option: Option; wordCount: number } | undefined {
  for (const { text, wordCount } of spansOf(words)) {
    const option = findOption(options, text.replace(/,$/, ''))
    if (option) return { option, wordCount }
  }
  return undefined
}

/** Parses a reference to a row: the only option with exactly this name, or the only one that matches. */
function parseReference(
  command: Command,
  field: Field,
  words: readonly Word[],
  lookup: Lookup,
): ParseResult | undefined {
  const control = controlOf(field)
  if (control.kind !== 'search') return undefined
  for (const { text, wordCount } of spansOf(words)) {
    const options = lookup(command, field, text)
    // Fewer words are looked up only once it is known that no option matches all of them.
    if (!options) return { ambiguous: { field, text, matches: undefined }, wordCount }
    const named = optionsNamed(options, text)
    if (named.length > 1) return { ambiguous: { field, text, matches: named.length }, wordCount }
    const option = named[0] ?? findOption(options, text) ?? (options.length === 1 ? options[0] : undefined)
    if (option) {
      const value = control.many ? [option.value] : option.value
      if (accepts(field, value)) return { argument: { field, value, text: option.name }, wordCount }
    }
    if (options.length > 0) return { ambiguous: { field, text, matches: options.length }, wordCount }
  }
  return undefined
}

/**
 * Parses free text: one word each while several text fields are missing, and for the last text field all words up to
 * the next one that another field accepts.
 */
function parseText(
  field: Field,
  words: readonly Word[],
  texts: readonly Field[],
  isExact: (words: readonly Word[]) => boolean,
): ParseResult | undefined {
  const control = controlOf(field)
  const [word] = words
  if (control.kind !== 'text' || !word) return undefined
  // A multi-line text is only parsed if its field is named or the text is quoted.
  if (control.multiline && !word.quoted && word.field === undefined && texts.length > 1) return undefined
  const oneWord = word.quoted || word.field !== undefined || texts.filter(isOneLine).length > 1
  const until = words.findIndex(
    (next, index) => index > 0 && (next.quoted || next.field !== undefined || isExact(words.slice(index))),
  )
  const wordCount = oneWord ? 1 : until < 0 ? words.length : until
  const value = words
    .slice(0, wordCount)
    .map(({ text }) => text)
    .join(' ')
  return accepts(field, value) ? { argument: { field, value, text: value }, wordCount } : undefined
}

function isOneLine(field: Field): boolean {
  const control = controlOf(field)
  return control.kind === 'text' && !control.multiline
}
