/** What commands that select have in common: how what they find is taken, and how they say where it comes from. */
import * as z from 'zod/mini'
import { labelled } from '../../api/contract/fields.ts'
import { operatorNames, type Operator } from '../../api/contract/endpoint.ts'
import { columnsOf, itemOf } from '../../api/lists.ts'
import { readMatches, type Progress } from '../../api/readMatches.ts'
import { columnName, nounsOf } from '../../domain/lists/lists.ts'
import type { Entity } from '../../store/lists.ts'
import { selections, type AnyItem, type LiveQuery, type Selection } from '../../store/selection.ts'
import { countOf } from '../core/wording.ts'

const selectionModes = {
  add: (selection: Selection, found, source) => selection.add(found, source),
  keep(selection, found, source) {
    const ids = new Set(found.map(({ id }) => id))
    const kept = selection.items().filter(({ id }) => ids.has(id))
    selection.replace(kept, [...selection.from, `only ${source}`])
  },
  without(selection, found, source) {
    const ids = new Set(found.map(({ id }) => id))
    const left = selection.items().filter(({ id }) => !ids.has(id))
    selection.replace(left, [...selection.from, `without ${source}`])
  },
} satisfies Record<string, (selection: Selection, found: readonly AnyItem[], source: string) => void>
export type SelectionMode = keyof typeof selectionModes

/** What becomes of what is selected already; left out, it gives way. */
export const selectionMode = z.optional(
  labelled(z.enum(['add', 'keep', 'without']), {
    label: 'How',
    names: ['Add to the selection', 'Keep only these', 'Take these away'],
    leftOut: 'Instead of what is selected',
  }),
)

/** `Status equals “Leak”`, or `all devices`. */
export function sourceOf(entity: Entity, { search, column, operator }: LiveQuery): string {
  if (search === '') return `all ${nounsOf(entity)[1]}`
  const name = columnName(entity, column ?? columnsOf(entity).search)
  return `${name} ${operatorNames[operator as Operator]} “${search}”`
}

/**
 * Fixes a selection that follows a search: reads all that match now, and selects them by their ids. Returns what is
 * selected then. Rejects with ApiError, or AbortError when it is cancelled.
 */
export async function materializeSelection(entity: Entity, progress: Progress): Promise<readonly AnyItem[]> {
  const selection = selections[entity]
  const { query } = selection
  if (!query) return selection.items()
  const items = await matchingItems(entity, query, progress)
  // Meanwhile something else may have been selected; what was asked for is returned none the less.
  if (selection.query === query) selection.replace(items, [sourceOf(entity, query)])
  return items
}

export const matchingItems = async (
  entity: Entity,
  query: LiveQuery,
  progress: Progress,
): Promise<readonly AnyItem[]> => (await readMatches(entity, query, progress)).map(row => itemOf(entity, row))

/**
 * Selects what was found, and returns what is to be said. Where nothing was, it throws and the selection stays: what
 * follows, a script's next step say, must not act on something else than was meant.
 */
export async function applyMatches(
  entity: Entity,
  found: readonly AnyItem[],
  { way, source, progress }: { way: SelectionMode | undefined; source: string; progress: Progress },
): Promise<string> {
  if (found.length === 0) throw new Error(`No ${nounsOf(entity)[0]} is found by ${source}: the selection is as it was`)
  const selection = selections[entity]
  if (way === undefined) {
    selection.replace(found, [source])
    return `Selected ${countOf(found.length, entity)}`
  }
  await materializeSelection(entity, progress)
  selectionModes[way](selection, found, source)
  return `Found ${countOf(found.length, entity)}: ${selection.size.toLocaleString('en')} selected now`
}
