/**
 * Arguments typed behind a command's name: `flush settings after 5th 18`. Each word goes to the argument that it reads
 * as; what none reads is left over, never lost. Pure: what the server would have to be asked for is looked up elsewhere.
 */
import * as z from 'zod/mini'
import type { UnitChoice } from '../../domain/units.ts'
import type { Command, Field, Option } from '../core/types.ts'
import { controlOf, isPrivate, type Control } from '../core/fields.ts'
import { namedIn } from './namedOptions.ts'
import { amountRead } from './amounts.ts'
import { matchScore } from './rank.ts'
import { asTyped, spansOf, type Word } from './words.ts'

/** An argument as it was read. */
export interface ReadArgument {
  readonly field: Field
  readonly value: unknown
  /** What a person knows the value by. */
  readonly name: string
}

export interface InlineArguments {
  readonly given: readonly ReadArgument[]
  /** What no argument takes. */
  readonly left: readonly string[]
  /** An argument for which several things are called that, or for which the answer is still on its way. */
  readonly unsure: { readonly field: Field; readonly text: string; readonly count: number | undefined } | undefined
}

/** What there is to choose from for a text; undefined while that is not known yet. */
export type Lookup = (command: Command, field: Field, text: string) => readonly Option[] | undefined
export interface ParseOptions {
  readonly units: UnitChoice
  readonly lookup: Lookup
}

/** One way of reading words as a value of a field. */
interface Taken {
  readonly read?: ReadArgument
  readonly unsure?: InlineArguments['unsure']
  /** So many words. */
  readonly count: number
}
type Reader = (field: Field, words: readonly Word[]) => Taken | undefined

export function parseInlineArguments(words: readonly Word[], command: Command, reading: ParseOptions): InlineArguments {
  const given: ReadArgument[] = []
  const left: string[] = []
  let unsure: InlineArguments['unsure']
  const fields = command.fields.filter(readable)
  const free = () => fields.filter(field => !given.some(read => read.field === field))
  /** Those behind the one given last come first: people type them in the order in which they are asked for. */
  const inTurn = () => {
    const last = given.at(-1)
    const from = last ? fields.indexOf(last.field) + 1 : 0
    return [...fields.slice(from), ...fields.slice(0, from)].filter(field => free().includes(field))
  }
  const sure: Reader = (field, at) => readExactly(field, at, reading.units)
  const isRead = (at: readonly Word[]) => inTurn().some(field => sure(field, at))
  const readers: readonly Reader[] = [
    sure,
    readBeginning,
    (field, at) => (unsure ? undefined : lookedUp(command, field, at, reading.lookup)),
    (field, at) => readText(field, at, free().filter(isText), isRead),
  ]

  for (let index = 0; index < words.length;) {
    const [word, ...more] = words.slice(index)
    if (!word) break
    const named = word.field === undefined ? undefined : namedField(free(), word.field)
    // Named, it is meant for that argument alone, and written without the name.
    const at = named || word.field === undefined ? [word, ...more] : [asTyped(word), ...more]
    const taken = named ? first(readers, [named], [word]) : first(readers, inTurn(), at)
    if (taken?.read) given.push(taken.read)
    else if (taken?.unsure) unsure = taken.unsure
    else left.push(named ? asTyped(word).text : (at[0]?.text ?? ''))
    index += taken?.count ?? 1
  }
  return { given, left, unsure }
}

/** What is typed is seen by whoever looks on, so a secret is asked for on its own page. */
const readable = (field: Field): boolean => !isPrivate(controlOf(field))
const isText = (field: Field): boolean => controlOf(field).kind === 'text'

/** The one field whose name or label begins like that. */
function namedField(fields: readonly Field[], name: string): Field | undefined {
  const exact = fields.find(field => field.name === name)
  const fitting = fields.filter(field => Math.max(matchScore(name, field.label), matchScore(name, field.name)) >= 80)
  return exact ?? (fitting.length === 1 ? fitting[0] : undefined)
}

function first(readers: readonly Reader[], fields: readonly Field[], words: readonly Word[]): Taken | undefined {
  for (const reader of readers) {
    const taken = fields.flatMap(field => reader(field, words) ?? [])
    // `1 gal` is a volume before `1` is anything else.
    const most = Math.max(...taken.map(({ count }) => count))
    if (taken.length > 0) return taken.find(({ count }) => count === most)
  }
  return undefined
}

const accepts = (field: Field, value: unknown): boolean => z.safeParse(field.schema, value).success

/** Whole names and values of what there is to choose from, numbers, times. */
function readExactly(field: Field, words: readonly Word[], units: UnitChoice): Taken | undefined {
  const control = controlOf(field)
  if (control.kind === 'set') return readSet(field, control.options, words)
  for (const { text, count } of spansOf(words)) {
    const read = exactValue(control, text, words[0]?.field !== undefined, units)
    if (read && accepts(field, read.value)) return { read: { field, ...read }, count }
  }
  return undefined
}

function exactValue(
  control: Control,
  text: string,
  byValue: boolean,
  units: UnitChoice,
): Omit<ReadArgument, 'field'> | undefined {
  if (control.kind === 'choice') return namedIn(control.options, text, { unit: control.unit, byValue })
  if (control.kind === 'number' || control.kind === 'numbers' || control.kind === 'time')
    return amountRead(control, text, units)
  return undefined
}

/** The one choice that begins like that. */
function readBeginning(field: Field, words: readonly Word[]): Taken | undefined {
  const control = controlOf(field)
  if (control.kind !== 'choice') return undefined
  for (const { text, count } of spansOf(words)) {
    const fitting = text.length < 2 ? [] : control.options.filter(({ name }) => startsAWord(name, text))
    const [option] = fitting
    if (option && fitting.length === 1) return { read: { field, value: option.value, name: option.name }, count }
  }
  return undefined
}
const startsAWord = (name: string, text: string): boolean => matchScore(text, name) >= 80

/** As many of the set's members as follow one another. */
function readSet(field: Field, options: readonly Option[], words: readonly Word[]): Taken | undefined {
  const members: Option[] = []
  let count = 0
  while (count < words.length) {
    const next = memberAt(options, words.slice(count))
    if (!next) break
    if (!members.includes(next.option)) members.push(next.option)
    count += next.count
  }
  const value = members.map(option => option.value)
  if (count === 0 || !accepts(field, value)) return undefined
  return { read: { field, value, name: members.map(({ name }) => name).join(', ') }, count }
}

function memberAt(options: readonly Option[], words: readonly Word[]): { option: Option; count: number } | undefined {
  for (const { text, count } of spansOf(words)) {
    const option = namedIn(options, text.replace(/,$/, ''))
    if (option) return { option, count }
  }
  return undefined
}

/** What is called that among things that are looked for: one that has just that name, or the only one. */
function lookedUp(command: Command, field: Field, words: readonly Word[], lookup: Lookup): Taken | undefined {
  const control = controlOf(field)
  if (control.kind !== 'search') return undefined
  for (const { text, count } of spansOf(words)) {
    const options = lookup(command, field, text)
    // Fewer words are looked for once it is known that nothing is called by all of them.
    if (!options) return { unsure: { field, text, count: undefined }, count }
    const option = namedIn(options, text) ?? (options.length === 1 ? options[0] : undefined)
    if (option) {
      const value = control.many ? [option.value] : option.value
      if (accepts(field, value)) return { read: { field, value, name: option.name }, count }
    }
    if (options.length > 0) return { unsure: { field, text, count: options.length }, count }
  }
  return undefined
}

/** Free text: a word each where several texts are asked for, and for the last of them all that nothing else reads. */
function readText(
  field: Field,
  words: readonly Word[],
  texts: readonly Field[],
  isRead: (words: readonly Word[]) => boolean,
): Taken | undefined {
  const control = controlOf(field)
  const [word] = words
  if (control.kind !== 'text' || !word) return undefined
  // Of many lines none is typed in passing, unless it is named.
  if (control.many && !word.quoted && word.field === undefined && texts.length > 1) return undefined
  const oneWord = word.quoted || word.field !== undefined || texts.filter(isOneLine).length > 1
  const until = words.findIndex(
    (next, index) => index > 0 && (next.quoted || next.field !== undefined || isRead(words.slice(index))),
  )
  const count = oneWord ? 1 : until < 0 ? words.length : until
  const value = words
    .slice(0, count)
    .map(({ text }) => text)
    .join(' ')
  return accepts(field, value) ? { read: { field, value, name: value }, count } : undefined
}

function isOneLine(field: Field): boolean {
  const control = controlOf(field)
  return control.kind === 'text' && !control.many
}
