/** The arguments of a link, as its command takes them. */
import * as z from 'zod/mini'
import type { Command, Field, Option } from '../core/types.ts'
import type { Context } from '../core/context.ts'
import type { Start } from '../core/execution/host.ts'
import { controlOf, isPrivate } from '../core/fields.ts'
import { idsOf, linkValue, partsOf, type Link } from './links.ts'

interface LinkArguments extends Pick<Start, 'input' | 'names' | 'typed'> {
  readonly problems: readonly string[]
}

/** What can be read is given; what cannot is said, and asked for anew. Rejects with ApiError where it cannot be looked up. */
export async function linkArguments(
  { args }: Link,
  command: Command,
  context: Context,
  signal: AbortSignal,
): Promise<LinkArguments> {
  const input: Record<string, unknown> = {}
  const names: Record<string, string> = {}
  const problems: string[] = []
  let typed: Start['typed']
  const given = new Map(args)
  for (const [name, text] of args) {
    const field = command.fields.find(one => one.name === name)
    if (!field) {
      const ofOther = command.fields.some(one => idsOf(one.name) === name && given.has(one.name))
      if (!ofOther) problems.push(`“${command.title}” takes no “${name}”`)
      continue
    }
    const options = await optionsOf(field, text, context, signal)
    const read = linkValue(field, text, options, given.get(idsOf(name)))
    if (read && 'value' in read && z.safeParse(field.schema, read.value).success) {
      input[name] = read.value
      names[name] = read.name
      continue
    }
    const several = read && 'several' in read ? read.several : undefined
    problems.push(
      several === undefined
        ? `“${shortened(text)}” is not possible for ${field.label}`
        : `Several are called “${shortened(several)}”: choose for ${field.label}`,
    )
    typed ??= { field: name, text: narrows(field) ? shortened(several ?? text) : '' }
  }
  return { input, names, problems, ...(typed && { typed }) }
}

/** Whether its page begins with what was given: never with a secret, nor where that would leave no choice to show. */
function narrows(field: Field): boolean {
  const control = controlOf(field)
  return !isPrivate(control) && control.kind !== 'choice' && control.kind !== 'set'
}

/** What an address holds may be of any length. */
const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

/** What is found by a text, or by any part of it that commas separate: a name may have commas itself. */
async function optionsOf(
  field: Field,
  text: string,
  context: Context,
  signal: AbortSignal,
): Promise<readonly Option[]> {
  const control = controlOf(field)
  const { choices } = field
  if (control.kind !== 'search' || !choices) return []
  const parts = control.many ? [...new Set(partsOf(text))] : [text]
  const found = await Promise.all(parts.map(async part => choices(context, part, signal)))
  return [...new Map(found.flat().map(option => [option.value, option])).values()]
}
