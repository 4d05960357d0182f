/** Reading the targets of a link. */
import { nounsOf } from '../../domain/lists/lists.ts'
import { normaliseBssid } from '../../domain/bssid.ts'
import { operators } from '../../domain/lists/query.ts'
import { columnsOf } from '../../api/lists.ts'
import { readList, searchOf } from '../../api/readList.ts'
import type { Progress } from '../../api/readMatches.ts'
import type { Entity } from '../../store/lists.ts'
import type { AnyItem, ListSearch } from '../../store/selection.ts'
import type { Link } from './links.ts'
import type { Command } from '../core/types.ts'
import { countOf } from '../core/wording.ts'
import { matchingItems } from '../selection/materialize.ts'
import { readDevices } from '../selection/selectList.ts'
import { formatNumber } from '../../domain/format.ts'

export interface LinkTargets {
  /** Undefined if the link has no targets; the command then acts on the current selection. */
  readonly items: readonly AnyItem[] | undefined
  readonly problems: readonly string[]
}

/** Returns why the list cannot be searched by this query, or undefined if it can. */
function problemOf({ column, operator }: ListSearch, entity: Entity): string | undefined {
  if (column !== undefined && !Object.hasOwn(columnsOf(entity).kinds, column))
    return `The link searches by “${column}”, but ${nounsOf(entity)[1]} cannot be searched by it`
  if (!(operators as readonly string[]).includes(operator))
    return `The link compares by “${operator}”, which is not an operator`
  return undefined
}

/** Returns the matches of a search, which are only counted if a job finds them and one call would not return all. */
async function matchesOf(
  command: Command,
  entity: Entity,
  match: ListSearch,
  progress: Progress,
): Promise<readonly AnyItem[]> {
  const { canBeJob, countedMatches } = await import('../core/execution/serverJob.ts')
  if (!canBeJob(command)) return matchingItems(entity, match, progress)
  const { count } = await readList(entity, { offset: 0, limit: 1, ...searchOf(match) }, progress.signal)
  return countedMatches(command, count) ?? matchingItems(entity, match, progress)
}

/** Missing ids that a message lists. */
const maxListed = 5
const matchAll = { search: '', column: undefined, operator: 'co' }

/**
 * Returns the current rows of the link's targets, and a problem for targets that cannot be read. Rows that the account
 * may not see are treated as missing. Rejects with ApiError, or with AbortError when cancelled.
 */
export async function linkTargets(link: Link, command: Command, progress: Progress): Promise<LinkTargets> {
  const { entity } = command
  if (!link.ids && !link.match) return { items: undefined, problems: [] }
  if (!entity) return { items: undefined, problems: ['The command in the link takes no targets'] }
  if (link.ids?.length === 0) return { items: [], problems: [`The link contains no ${nounsOf(entity)[1]}`] }
  if (link.match && !link.ids) {
    const problem = problemOf(link.match, entity)
    if (problem) return { items: [], problems: [problem] }
    const items = await matchesOf(command, entity, link.match, progress)
    return { items, problems: items.length > 0 ? [] : [`No ${nounsOf(entity)[0]} matches the search in the link`] }
  }
  const ids = (link.ids ?? []).map(id => (entity === 'devices' ? normaliseBssid(id) : id))
  const rows = entity === 'devices' ? await readDevices(ids, progress) : await matchingItems(entity, matchAll, progress)
  const byId = new Map(rows.map(row => [row.id, row]))
  const items = ids.flatMap(id => byId.get(id) ?? [])
  const missing = ids.filter(id => !byId.has(id))
  const listed = missing.slice(0, maxListed).join(', ')
  const more = missing.length > maxListed ? ` and ${formatNumber(missing.length - maxListed)} more` : ''
  return {
    items,
    problems:
      missing.length > 0
        ? [`Of ${countOf(ids.length, entity)}, these do not exist or are not yours: ${listed}${more}`]
        : [],
  }
}
