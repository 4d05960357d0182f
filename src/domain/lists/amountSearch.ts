/** Searching a list by an amount: typed in the chosen unit, and told with it to others. */
import { listDefinitions, type ListDefinition } from './lists.ts'
import { unitOf, type Quantity, type UnitChoice } from '../units.ts'

/** What the amounts of the lists measure, by their columns; of one id all measure the same. */
export const quantities: Readonly<Record<string, Quantity>> = Object.fromEntries(
  Object.values(listDefinitions).flatMap(({ columns }: ListDefinition) =>
    Object.entries(columns).flatMap(([id, { quantity }]) => (quantity ? [[id, quantity]] : [])),
  ),
)

export interface Search {
  readonly search: string
  readonly column: string | undefined
}

/** A search in which an amount has its unit, the chosen one unless it names another: it means the same to everyone. */
export function withUnit<S extends Search>(query: S, choice: UnitChoice): S {
  const { search, column = '' } = query
  const quantity = quantities[column]
  if (!quantity || !/[\d.] *$/.test(search)) return query
  return { ...query, search: `${search} ${unitOf(quantity, choice).symbol}` }
}
