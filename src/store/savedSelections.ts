/** Selections saved under a name. */
import { subscribe } from 'valtio/vanilla'
import * as z from 'zod/mini'
import { entities, type Entity } from './lists.ts'
import { createUserList } from './userList.ts'
import { isStoredSearch, type ListSearch } from './selection.ts'
import { owner } from './session.ts'

export interface SavedSelection {
  readonly name: string
  readonly entity: Entity
  /** The followed search, if the selection has one. */
  readonly query?: ListSearch | undefined
  /** Ids of the rows selected individually. */
  readonly ids: readonly string[]
}

const Stored = z.object({
  name: z.string(),
  entity: z.enum(entities),
  query: z.optional(z.custom<ListSearch>(isStoredSearch)),
  ids: z.array(z.string()),
})

let savedSelections: readonly SavedSelection[] = []
const userList = createUserList('saved', Stored as z.ZodMiniType<SavedSelection>, list => (savedSelections = list))

/** Returns an entity's saved selections, sorted by name. */
export const savedSelectionsOf = (entity: Entity): readonly SavedSelection[] =>
  savedSelections.filter(one => one.entity === entity)

/** Returns a promise for the initial load, which also resolves on timeout; undefined once loaded. */
export const savedLoading = (): Promise<void> | undefined => userList.loading()

/**
 * Saves a selection. Resolves with whether it is stored. If the name is taken, for example by another tab, a number is
 * added to it.
 */
export function saveSelection(one: SavedSelection): Promise<boolean> {
  return userList.change(all => byName([...all, { ...one, name: freeName(one, all) }]))
}

/** Deletes a saved selection. Resolves with whether the change is stored. */
export function deleteSelection(selection: Named): Promise<boolean> {
  return userList.change(all => all.filter(one => !isSaved(selection, [one])))
}

type Named = Pick<SavedSelection, 'entity' | 'name'>
const isSaved = ({ entity, name }: Named, all: readonly SavedSelection[]): boolean =>
  all.some(one => one.entity === entity && one.name === name)
const byName = (all: readonly SavedSelection[]) => all.toSorted((a, b) => (a.name < b.name ? -1 : 1))

function freeName({ entity, name }: Named, all: readonly SavedSelection[]): string {
  let free = name
  for (let count = 2; isSaved({ entity, name: free }, all); count++) free = `${name} ${count}`
  return free
}

/** Loads the owner's saved selections. */
export const loadOwnSelections = (): Promise<void> => userList.load(owner.id ?? undefined)

void loadOwnSelections()
subscribe(owner, () => void loadOwnSelections())
