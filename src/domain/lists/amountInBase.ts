/** Converts searches by amount to base units, the only units that the API accepts. */
import { quantities } from './amountSearch.ts'
import { defaultUnits, roundConverted, unitOf, units, type Unit } from '../units.ts'

interface SearchQuery {
  search?: string | undefined
  column?: string | undefined
  operator?: string | undefined
}

/** Matches an amount, its decimal places and its unit. */
const amount = /^([+-]?(?:\d+\.?(\d*)|\.(\d+))) *(\D+)$/
const comparesAmounts = ({ operator = 'co' }: SearchQuery) => !['co', 'sw', 'ew'].includes(operator)

/**
 * Returns the query with its amount in the base unit. An amount without a unit is unchanged, as it is in the base unit
 * already. An amount in another unit becomes the range of values that are displayed as that number. Its stored digits
 * differ, so the text operators (contains, starts with, ends with) become `eq`.
 */
export function searchInBaseUnit<Q extends SearchQuery>(query: Q): Q {
  const quantity = quantities[query.column ?? '']
  const [, number = '', places = '', alone = places, symbol] = amount.exec(query.search?.trim() ?? '') ?? []
  const unit = quantity && Object.values<Unit>(units[quantity]).find(one => one.symbol === symbol)
  if (!unit) return query
  if (unit === unitOf(quantity, defaultUnits)) return { ...query, search: number }
  const value = Number(number)
  // Amounts from 1,000 are displayed without decimal places.
  const half = 0.5 / 10 ** Math.max(Math.abs(value) < 1000 ? unit.digits : 0, alone.length)
  const ends = [value - half, value + half].map(end => roundConverted(unit.toBase(end)))
  const operator = comparesAmounts(query) ? query.operator : 'eq'
  return { ...query, search: ends.join('..'), operator }
}
