/** Searches by amount: typed in the chosen unit, and stored with it. */
import { listDefinitions, type ListDefinition } from './lists.ts'
import { unitOf, type Quantity, type UnitChoice } from '../units.ts'

/** The quantities of all lists' columns by column id; columns with the same id have the same quantity. */
export const quantities: Readonly<Record<string, Quantity>> = Object.fromEntries(
  Object.values(listDefinitions).flatMap(({ columns }: ListDefinition) =>
    Object.entries(columns).flatMap(([id, { quantity }]) => (quantity ? [[id, quantity]] : [])),
  ),
)

export interface Search {
  readonly search: string
  readonly column: string | undefined
}

/** Returns the search with the chosen unit after an amount without a unit, so that it does not depend on the choice. */
export function withUnit<S extends Search>(query: S, choice: UnitChoice): S {
  const { search, column = '' } = query
  const quantity = quantities[column]
  if (!quantity || !/[\d.] *$/.test(search)) return query
  return { ...query, search: `${search} ${unitOf(quantity, choice).symbol}` }
}
