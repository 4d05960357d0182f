/** Parsing the arguments and the policy of a link into the input of its command. */
import * as z from 'zod/mini'
import type { Command, Field, Option } from '../core/types.ts'
import type { Context } from '../core/context.ts'
import type { InitialArguments } from '../core/execution/host.ts'
import { controlOf, isPrivate } from '../core/fields.ts'
import { parsePolicy, type ParsedPolicy } from '../arguments/policy.ts'
import { canBeJob, typedPolicyProblem } from '../core/execution/serverJob.ts'
import { idParameter, parseArgument, splitList, type Link } from './links.ts'

/** Maximum length of a policy: a URL may contain any length. */
const maxPolicyLength = 500

/**
 * The names of a link that are looked up, each by a call: an argument has no more, but a URL may contain any number, and
 * the person who opens it would make the calls.
 */
const maxLookups = 100

/** How the palette starts: the parsed input, and in `typed` the first argument that could not be parsed. */
interface LinkArguments extends Pick<InitialArguments, 'input' | 'names' | 'typed'> {
  readonly problems: readonly string[]
}

/**
 * Returns the arguments that could be parsed, and a problem for each of the others. Rejects with ApiError if the options
 * of an argument cannot be fetched.
 */
export async function linkArguments(
  { args }: Link,
  command: Command,
  context: Context,
  signal: AbortSignal,
): Promise<LinkArguments> {
  const input: Record<string, unknown> = {}
  const names: Record<string, string> = {}
  const problems: string[] = []
  let typed: InitialArguments['typed']
  const texts = new Map(args)
  let lookups = 0
  for (const [name, text] of args) {
    const field = command.fields.find(one => one.name === name)
    if (!field) {
      const isIdOfOther = command.fields.some(one => idParameter(one.name) === name && texts.has(one.name))
      if (!isIdOfOther) problems.push(`“${command.title}” has no argument “${name}”`)
      continue
    }
    const searched = searchedNames(field, text)
    lookups += searched.length
    if (lookups > maxLookups) {
      const problem = `A link can contain at most ${maxLookups} names: choose ${field.label} here`
      if (!problems.includes(problem)) problems.push(problem)
      typed ??= { field: name, text: '' }
      continue
    }
    const options = await findOptions(field, searched, context, signal)
    const parsed = parseArgument(field, text, options, texts.get(idParameter(name)))
    if (parsed && 'value' in parsed && z.safeParse(field.schema, parsed.value).success) {
      input[name] = parsed.value
      names[name] = parsed.name
      continue
    }
    const ambiguous = parsed && 'ambiguous' in parsed ? parsed.ambiguous : undefined
    problems.push(problemOf(field, text, ambiguous))
    typed ??= { field: name, text: canPrefill(field) ? (ambiguous ?? text) : '' }
  }
  return { input, names, problems, ...(typed && { typed }) }
}

/** Returns why the text of an argument could not be parsed, without the text of a secret. */
function problemOf(field: Field, text: string, ambiguous: string | undefined): string {
  if (isPrivate(controlOf(field))) return `A link cannot contain ${field.label}`
  return ambiguous === undefined
    ? `“${truncate(text)}” is not valid for ${field.label}`
    : `“${truncate(ambiguous)}” has several matches: choose one for ${field.label}`
}

/** Returns the policy of a link, or what is wrong with it; undefined if the link has none. */
export function linkPolicy({ policy, ids }: Link, command: Command): ParsedPolicy | undefined {
  if (policy === undefined) return undefined
  if (!canBeJob(command)) return { problem: 'the command takes none' }
  if (policy.length > maxPolicyLength) return { problem: `it has more than ${maxPolicyLength} characters` }
  const parsed = parsePolicy(policy, Date.now())
  const problem =
    'policy' in parsed ? typedPolicyProblem(command, parsed.policy, { isSearch: ids === undefined }) : undefined
  return problem === undefined ? parsed : { problem }
}

/** Whether the prompt starts with the link's text: not for secrets, nor if the text would filter out all choices. */
function canPrefill(field: Field): boolean {
  const control = controlOf(field)
  return !isPrivate(control) && control.kind !== 'choice' && control.kind !== 'set'
}

/** Shortens a text for a message, because a URL may contain any length. */
const truncate = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

/** Returns the names by which a field's options are searched: its text, or each comma-separated part if it takes several. */
function searchedNames(field: Field, text: string): readonly string[] {
  const control = controlOf(field)
  if (control.kind !== 'search' || !field.choices) return []
  return control.many ? [...new Set(splitList(text))] : [text]
}

/** Returns the options of a field for each name. */
async function findOptions(
  { choices }: Field,
  searched: readonly string[],
  context: Context,
  signal: AbortSignal,
): Promise<readonly Option[]> {
  const options = await Promise.all(searched.map(async name => choices?.(context, name, signal) ?? []))
  return [...new Map(options.flat().map(option => [option.value, option])).values()]
}
