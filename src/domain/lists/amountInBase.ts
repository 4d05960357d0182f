/** Converts searches by amount to base units, the only units that the API accepts. */
import { quantities } from './amountSearch.ts'
import { defaultUnits, roundConverted, unitOf, units, type Unit } from '../units.ts'

interface SearchQuery {
  search?: string | undefined
  column?: string | undefined
  operator?: string | undefined
}

/** Matches an amount, or the two of a range, and the unit. */
const amount = /^([+-]?(?:\d+\.?\d*|\.\d+))(?: *\.\. *([+-]?(?:\d+\.?\d*|\.\d+)))? *(\D+)$/
const comparesAmounts = ({ operator = 'co' }: SearchQuery) => !['co', 'sw', 'ew'].includes(operator)

/** Returns half of the last decimal place to which an amount is typed or displayed, whichever is finer. */
function halfPlace(number: string, { digits }: Unit): number {
  // Amounts from 1,000 are displayed without decimal places.
  const displayed = Math.abs(Number(number)) < 1000 ? digits : 0
  return 0.5 / 10 ** Math.max(displayed, number.split('.')[1]?.length ?? 0)
}

/**
 * Returns the query with its amount, or range of amounts, in the base unit. An amount without a unit is unchanged, as it is in the
 * base unit already. An amount in another unit becomes the range of values that are displayed as that number. The digits of a range
 * are not stored, so the text operators (contains, starts with, ends with) become `eq`.
 */
export function searchInBaseUnit<Q extends SearchQuery>(query: Q): Q {
  const quantity = quantities[query.column ?? '']
  const [, first = '', last, symbol] = amount.exec(query.search?.trim() ?? '') ?? []
  const unit = quantity && Object.values<Unit>(units[quantity]).find(one => one.symbol === symbol)
  if (!unit) return query
  const isBase = unit === unitOf(quantity, defaultUnits)
  if (isBase && last === undefined) return { ...query, search: first }
  const baseOf = (number: string, side: 1 | -1) =>
    isBase ? number : roundConverted(unit.toBase(Number(number) + side * halfPlace(number, unit)))
  const operator = comparesAmounts(query) ? query.operator : 'eq'
  return { ...query, search: `${baseOf(first, -1)}..${baseOf(last ?? first, 1)}`, operator }
}
