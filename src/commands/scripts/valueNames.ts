/** The displayed names of ids in the input of a command. Loaded when first needed. */
import type { Step } from '../../store/scripts/recording.ts'
import { currentContext } from '../core/context.ts'
import { controlOf } from '../core/fields.ts'
import { findCommand } from '../core/registry.ts'
import type { Field } from '../core/types.ts'

/**
 * Returns the names of the ids in an input by field, as the first options of each field have them. A field without any
 * known id has no name; among several values, an unknown id stays as it is. Rejects with ApiError.
 */
export async function namesOf(
  fields: readonly Field[],
  input: Step['input'],
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const searched = fields.filter(field => controlOf(field).kind === 'search' && input[field.name] !== undefined)
  const pairs = await Promise.all(
    searched.map(async ({ name: field, choices }) => {
      const values: readonly unknown[] = Array.isArray(input[field]) ? input[field] : [input[field]]
      const options = (await choices?.(currentContext(), '', signal)) ?? []
      const known = values.map(value => options.find(option => option.value === value)?.name)
      const name = known.map((one, index) => one ?? String(values[index])).join(', ')
      return known.some(one => one !== undefined) ? [[field, name] as const] : []
    }),
  )
  return Object.fromEntries(pairs.flat())
}

/** How long the names of a step may take, in milliseconds: it is complete without them. */
const timeout = 5000

/** Returns the step with the names of its ids as they are now, and without any other name. */
export async function withNames({ names: _, ...step }: Step): Promise<Step> {
  const fields = findCommand(step.command)?.fields ?? []
  const names = await namesOf(fields, step.input, AbortSignal.timeout(timeout)).catch(() => ({}))
  return Object.keys(names).length > 0 ? { ...step, names } : step
}
