/** What a link is to act on, as it is now. */
import { nounsOf } from '../../domain/lists/lists.ts'
import { normaliseBssid } from '../../domain/bssid.ts'
import { operators } from '../../api/contract/endpoint.ts'
import { columnsOf } from '../../api/lists.ts'
import type { Progress } from '../../api/readMatches.ts'
import type { Entity } from '../../store/lists.ts'
import type { AnyItem, LiveQuery } from '../../store/selection.ts'
import type { Link } from './links.ts'
import { countOf } from '../core/wording.ts'
import { matchingItems } from '../selection/materialize.ts'
import { devicesWith } from '../selection/selectList.ts'

export interface LinkTargets {
  /** Undefined where the link says nothing of them: what is selected counts. */
  readonly items: readonly AnyItem[] | undefined
  readonly problems: readonly string[]
}

/** Why the list cannot be searched so. */
function problemOf({ column, operator }: LiveQuery, entity: Entity): string | undefined {
  if (column !== undefined && !Object.hasOwn(columnsOf(entity).by, column))
    return `The link searches “${column}”, and ${nounsOf(entity)[1]} cannot be searched by that`
  if (!(operators as readonly string[]).includes(operator))
    return `The link compares by “${operator}”, and there is no such operator`
  return undefined
}

const maxNamed = 5
const everything = { search: '', column: undefined, operator: 'co' }

/** Reads them. Those of others look like those that are not there. Rejects with ApiError. */
export async function linkTargets(link: Link, entity: Entity | undefined, progress: Progress): Promise<LinkTargets> {
  if (!link.ids && !link.match) return { items: undefined, problems: [] }
  if (!entity) return { items: undefined, problems: ['The command of the link acts on nothing in particular'] }
  if (link.ids?.length === 0) return { items: [], problems: [`The link names no ${nounsOf(entity)[1]}`] }
  if (link.match && !link.ids) {
    const problem = problemOf(link.match, entity)
    if (problem) return { items: [], problems: [problem] }
    const items = await matchingItems(entity, link.match, progress)
    return { items, problems: items.length > 0 ? [] : [`No ${nounsOf(entity)[0]} matches what the link searches for`] }
  }
  const ids = (link.ids ?? []).map(id => (entity === 'devices' ? normaliseBssid(id) : id))
  const found =
    entity === 'devices' ? await devicesWith(ids, progress) : await matchingItems(entity, everything, progress)
  const byId = new Map(found.map(item => [item.id, item]))
  const items = ids.flatMap(id => byId.get(id) ?? [])
  const missing = ids.filter(id => !byId.has(id))
  const named = missing.slice(0, maxNamed).join(', ')
  const more = missing.length > maxNamed ? ` and ${(missing.length - maxNamed).toLocaleString('en')} more` : ''
  return {
    items,
    problems:
      missing.length > 0
        ? [`Of ${countOf(ids.length, entity)} these are not there, or not yours: ${named}${more}`]
        : [],
  }
}
