import type { Field, Option } from '../../core/types.ts'
import type { Context } from '../../core/context.ts'
import { controlOf } from '../../core/fields.ts'
import { filterByName } from '../../arguments/rank.ts'
import type { AsyncOptions } from '../forms/useAsyncOptions.ts'
import { useChoices } from '../forms/useChoices.ts'

/** Returns the options of a field that match the query; none for fields without options. */
export function useOptions(field: Field | undefined, query: string, context: Context): AsyncOptions<Option> {
  // Searched choices are already filtered by their search.
  const found = useChoices(field?.choices, query, { context })
  const control = field && controlOf(field)
  if (control?.kind === 'search') return found
  if (control?.kind !== 'choice' && control?.kind !== 'set') return { options: [], state: 'settled' }
  return { options: filterByName(query, control.options, ({ name }) => name), state: 'settled' }
}
