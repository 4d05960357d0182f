/** What a search by an amount asks of the API, which knows base units only. */
import { quantities } from './amountSearch.ts'
import { defaultUnits, tidy, unitOf, units, type Unit } from './units.ts'

interface Asked {
  search?: string | undefined
  column?: string | undefined
  operator?: string | undefined
}

/** An amount, its decimal places and its unit. */
const amount = /^([+-]?(?:\d+\.?(\d*)|\.(\d+))) *(\D+)$/
const compares = ({ operator = 'co' }: Asked) => !['co', 'sw', 'ew'].includes(operator)

/**
 * The search in the base unit; one without a unit is in that already. In another unit an amount stands for all that is
 * shown as that number. Other digits are stored for it: what those contain, start or end with says nothing, so that the
 * amount is to be equal instead.
 */
export function inBase<Q extends Asked>(query: Q): Q {
  const quantity = quantities[query.column ?? '']
  const [, number = '', places = '', alone = places, symbol] = amount.exec(query.search?.trim() ?? '') ?? []
  const unit = quantity && Object.values<Unit>(units[quantity]).find(one => one.symbol === symbol)
  if (!unit) return query
  if (unit === unitOf(quantity, defaultUnits)) return { ...query, search: number }
  const typed = Number(number)
  // Thousands are shown without decimal places.
  const half = 0.5 / 10 ** Math.max(Math.abs(typed) < 1000 ? unit.digits : 0, alone.length)
  const ends = [typed - half, typed + half].map(end => tidy(unit.toBase(end)))
  const operator = compares(query) ? query.operator : 'eq'
  return { ...query, search: ends.join('..'), operator }
}
