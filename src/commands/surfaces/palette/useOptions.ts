import type { Field, Option } from '../../core/types.ts'
import type { Context } from '../../core/context.ts'
import { controlOf } from '../../core/fields.ts'
import { matches } from '../../arguments/rank.ts'
import { useChoices } from '../forms/useChoices.ts'

/** What may be chosen for a field, for what has been typed. */
export function useOptions(
  field: Field | undefined,
  query: string,
  context: Context,
): { readonly options: readonly Option[]; readonly asking: boolean } {
  // What is searched for elsewhere comes back matched already.
  const { options, asking } = useChoices(field?.choices, query, { context })
  const control = field && controlOf(field)
  if (control?.kind === 'search') return { options, asking }
  if (control?.kind !== 'choice' && control?.kind !== 'set') return { options: [], asking: false }
  return { options: matches(query, control.options, ({ name }) => name), asking: false }
}
