/** Selections that a person saved under a name. */
import { subscribe } from 'valtio/vanilla'
import * as z from 'zod/mini'
import { entities, type Entity } from './lists.ts'
import { ownList } from './ownList.ts'
import { StoredQuery, type LiveQuery } from './selection.ts'
import { owner } from './session.ts'

export interface Saved {
  readonly name: string
  readonly entity: Entity
  /** What all that are selected match, where it follows a search. */
  readonly query?: LiveQuery | undefined
  /** Of those that were selected one by one. */
  readonly ids: readonly string[]
}

const Stored = z.object({
  name: z.string(),
  entity: z.enum(entities),
  query: z.optional(StoredQuery),
  ids: z.array(z.string()),
})

let saved: readonly Saved[] = []
const own = ownList('saved', Stored as z.ZodMiniType<Saved>, list => (saved = list))

/** Those of a list, by name. */
export const savedIn = (entity: Entity): readonly Saved[] => saved.filter(one => one.entity === entity)

/** While they have yet to be read, what resolves once they are, or nobody is to wait for that any longer. */
export const savedAwaited = (): Promise<void> | undefined => own.awaited()

/**
 * One of the same name, which another tab has saved or which has not been read yet, stays; this one is then numbered.
 * Resolves with whether it is stored.
 */
export function saveSelection(one: Saved): Promise<boolean> {
  return own.change(all => byName([...all, { ...one, name: freeName(one, all) }]))
}

/** Resolves with whether that is stored. */
export function forgetSaved(of: Named): Promise<boolean> {
  return own.change(all => all.filter(one => !isSaved(of, [one])))
}

type Named = Pick<Saved, 'entity' | 'name'>
const isSaved = ({ entity, name }: Named, all: readonly Saved[]): boolean =>
  all.some(one => one.entity === entity && one.name === name)
const byName = (all: readonly Saved[]) => all.toSorted((a, b) => (a.name < b.name ? -1 : 1))

function freeName({ entity, name }: Named, all: readonly Saved[]): string {
  let free = name
  for (let count = 2; isSaved({ entity, name: free }, all); count++) free = `${name} ${count}`
  return free
}

/** Shows what the account has saved; nothing where nobody is signed in. */
export const followOwner = (): Promise<void> => own.show(owner.id ?? undefined)

void followOwner()
subscribe(owner, () => void followOwner())
