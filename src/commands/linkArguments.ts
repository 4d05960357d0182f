/** The arguments of a link, as its command takes them. */
import * as z from 'zod/mini'
import type { Command, Field, Option } from './command.ts'
import type { Context } from './context.ts'
import type { Start } from './execute.ts'
import { controlOf, isPrivate } from './fields.ts'
import { linkValue, partsOf, type Link } from './links.ts'

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
  for (const [name, text] of args) {
    const field = command.fields.find(one => one.name === name)
    if (!field) {
      problems.push(`“${command.title}” takes no “${name}”`)
      continue
    }
    const read = linkValue(field, text, await optionsOf(field, text, context, signal))
    if (read && z.safeParse(field.schema, read.value).success) {
      input[name] = read.value
      names[name] = read.name
    } else {
      problems.push(`“${shortened(text)}” is not possible for ${field.label}`)
      typed ??= { field: field.name, text: isPrivate(controlOf(field)) ? '' : shortened(text) }
    }
  }
  return { input, names, problems, ...(typed && { typed }) }
}

/** What an address holds may be of any length. */
const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

async function optionsOf(
  field: Field,
  text: string,
  context: Context,
  signal: AbortSignal,
): Promise<readonly Option[]> {
  const control = controlOf(field)
  if (control.kind !== 'search' || !field.choices) return []
  const parts = control.many ? partsOf(text) : [text]
  const found = await Promise.all(parts.map(async part => (await field.choices?.(context, part, signal)) ?? []))
  return found.flat()
}
