/** Searches and selections in words. */
import { operatorNames, type Operator } from '../../domain/lists/query.ts'
import { columnsOf } from '../../api/lists.ts'
import { columnLabel, nounsOf } from '../../domain/lists/lists.ts'
import type { Entity } from '../../store/lists.ts'
import { selections, type ListSearch } from '../../store/selection.ts'

/** Returns a search as text: `Status equals “Leak”`, or `all devices`. */
export function describeSearch(entity: Entity, { search, column, operator }: ListSearch): string {
  if (search === '') return `all ${nounsOf(entity)[1]}`
  const name = columnLabel(entity, column ?? columnsOf(entity).search)
  return `${name} ${operatorNames[operator as Operator]} “${search}”`
}

/** The most sources named; the others are shown as “more”. */
const maxSources = 3

/** Returns where the selected rows come from: `Page 2 · only Status equals “Leak”`; empty if nothing is selected. */
export function describeSelection(entity: Entity): string {
  const { query, sources } = selections[entity]
  const named = query ? [describeSearch(entity, query)] : sources.slice(0, maxSources)
  const text = [...named, ...(sources.length > maxSources ? ['more'] : [])].join(' · ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
