/**
 * Selections that a person saved under a name. Like scripts they are work, so they outlive logging out, and are shown to
 * nobody but the account that saved them.
 */
import { subscribe } from 'valtio/vanilla'
import * as z from 'zod/mini'
import { entities, type Entity } from './lists.ts'
import { readLarge, writeLarge } from './persist.ts'
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

const Stored = z.array(
  z.object({
    name: z.string(),
    entity: z.enum(entities),
    query: z.optional(StoredQuery),
    ids: z.array(z.string()),
  }),
)

let saved: readonly Saved[] = []
let account: string | null = null
/** Resolves once what the account had saved before is there. */
let loaded: Promise<void> = Promise.resolve()

/** Those of a list, by name. */
export const savedIn = (entity: Entity): readonly Saved[] => saved.filter(one => one.entity === entity)

/** Keeps it in place of one of the same name. */
export function saveSelection(one: Saved): void {
  change(all => byName([...without(all, one), one]))
}

/** Whether there was one of that name. */
export function forgetSaved(of: Pick<Saved, 'entity' | 'name'>): boolean {
  const any = without(saved, of).length < saved.length
  if (any) change(all => without(all, of))
  return any
}

const without = (all: readonly Saved[], { entity, name }: Pick<Saved, 'entity' | 'name'>) =>
  all.filter(one => one.entity !== entity || one.name !== name)
const byName = (all: readonly Saved[]) => all.toSorted((a, b) => (a.name < b.name ? -1 : 1))
const storedAs = (whose: string) => `saved:${whose}`

/** What is stored; undefined where nothing ever was, or the storage does not say. */
async function read(whose: string): Promise<readonly Saved[] | undefined> {
  return z.safeParse(Stored, await readLarge(storedAs(whose))).data as readonly Saved[] | undefined
}

/** Changes what is shown at once, and then what is stored, which another tab may have changed since it was read. */
function change(by: (all: readonly Saved[]) => readonly Saved[]): void {
  saved = by(saved)
  const whose = account
  if (whose === null) return
  // One after another, so that none takes away what another has brought.
  loaded = loaded.then(async () => {
    const earlier = await read(whose)
    const next = earlier ? by(earlier) : account === whose ? saved : by([])
    await writeLarge(storedAs(whose), next)
  })
}

/** Shows what the account has saved; nothing where nobody is signed in. */
export function followOwner(): Promise<void> {
  if (owner.id === account) return loaded
  const whose = owner.id
  account = whose
  saved = []
  loaded = loaded.then(() => load(whose))
  return loaded
}

async function load(whose: string | null): Promise<void> {
  const stored = whose === null ? undefined : await read(whose)
  if (!stored || account !== whose) return
  // What was saved while this was on its way is newer.
  saved = byName([...saved, ...saved.reduce<readonly Saved[]>(without, stored)])
}

void followOwner()
subscribe(owner, () => void followOwner())
