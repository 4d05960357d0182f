/** Shared by commands that select: the selection modes, and reading the rows that match a search. */
import * as z from 'zod/mini'
import { withMeta } from '../../api/contract/fields.ts'
import { itemOf } from '../../api/lists.ts'
import { readMatches, type Progress } from '../../api/readMatches.ts'
import { nounsOf } from '../../domain/lists/lists.ts'
import type { Entity } from '../../store/lists.ts'
import { selections, type AnyItem, type ListSearch, type Selection } from '../../store/selection.ts'
import { countOf } from '../core/wording.ts'
import { describeSearch } from './describe.ts'
import { formatNumber } from '../../domain/format.ts'

const selectionModes = {
  add: (selection: Selection, found, source) => selection.add(found, source),
  keep(selection, found, source) {
    const ids = new Set(found.map(({ id }) => id))
    narrow(
      selection,
      selection.items().filter(({ id }) => ids.has(id)),
      `only ${source}`,
    )
  },
  without(selection, found, source) {
    const ids = new Set(found.map(({ id }) => id))
    narrow(
      selection,
      selection.items().filter(({ id }) => !ids.has(id)),
      `without ${source}`,
    )
  },
} satisfies Record<string, (selection: Selection, found: readonly AnyItem[], source: string) => void>

/** Selects fewer rows. Throws if none would be left, because commands would then act on the row with the focus. */
function narrow(selection: Selection, left: readonly AnyItem[], source: string): void {
  if (left.length === 0) throw new Error(`With ${source}, nothing would be left: the selection is unchanged`)
  selection.replace(left, [...selection.sources, source])
}

/** How found rows change the selection: they are added, intersected or removed. */
export type SelectionMode = keyof typeof selectionModes

/** The argument for the mode; if it is omitted, the found rows replace the selection. */
export const selectionMode = z.optional(
  withMeta(z.enum(['add', 'keep', 'without']), {
    label: 'How',
    names: ['Add to the selection', 'Keep only these', 'Remove these'],
    omittedHint: 'Replace the selection',
  }),
)

/**
 * Replaces a followed search by the ids of its current matches, and returns the selected rows. Rejects with ApiError, or
 * with AbortError when cancelled.
 */
export async function materializeSelection(entity: Entity, progress: Progress): Promise<readonly AnyItem[]> {
  const selection = selections[entity]
  const { query } = selection
  if (!query) return selection.items()
  const items = await matchingItems(entity, query, progress)
  freezeSelection(entity, query, items)
  return items
}

/** Replaces a followed search by its matches; keeps a selection that was changed while they were read. */
export function freezeSelection(entity: Entity, query: ListSearch, items: readonly AnyItem[]): void {
  const selection = selections[entity]
  if (selection.query === query) selection.replace(items, [describeSearch(entity, query)])
}

/** Returns all rows that match the query. Rejects with ApiError, or with AbortError when cancelled. */
export const matchingItems = async (
  entity: Entity,
  query: ListSearch,
  progress: Progress,
): Promise<readonly AnyItem[]> => (await readMatches(entity, query, progress)).map(row => itemOf(entity, row))

/**
 * Selects the found rows and returns a message. Throws if there are none, or if none would be selected, and leaves the
 * selection unchanged, so that a script stops and its next step does not act on other rows.
 */
export async function applyMatches(
  entity: Entity,
  found: readonly AnyItem[],
  { mode, source, progress }: { mode: SelectionMode | undefined; source: string; progress: Progress },
): Promise<string> {
  if (found.length === 0) throw new Error(`No ${nounsOf(entity)[0]} found for ${source}: the selection is unchanged`)
  const selection = selections[entity]
  if (mode === undefined) {
    selection.replace(found, [source])
    return `Selected ${countOf(found.length, entity)}`
  }
  await materializeSelection(entity, progress)
  selectionModes[mode](selection, found, source)
  return `Found ${countOf(found.length, entity)}: ${formatNumber(selection.size)} selected now`
}
