/**
 * What is selected, by list; it outlives paging and reloads. Kept in plain Maps beside a counter, because a proxy of
 * 100,000 entries would make each toggle slow.
 */
import { proxy, useSnapshot } from 'valtio'
import * as z from 'zod/mini'
import { withUnit } from '../domain/amountSearch.ts'
import { distinctColour } from '../domain/colours.ts'
import { entities, lists, perEntity, type Entity, type ListState } from './lists.ts'
import { readLarge, writeLarge } from './persist.ts'
import { preferences } from './preferences.ts'

/** What is kept of a row: enough for the panel and the commands when its page is no longer on screen. */
export interface Item {
  readonly id: string
  /** What a person knows it by. */
  readonly name: string
}
/** Of devices only the little that is needed is kept, because thousands are selected. */
export interface DeviceItem extends Item {
  readonly vendor: string
  readonly company: string
  readonly status: number
  /** What it runs on; empty where that is not known yet. */
  readonly platform: string
}
/** Of everything else the whole row: few are selected, and they cannot be read one by one. */
export interface RowItem<Row = unknown> extends Item {
  readonly row: Row
}
export type AnyItem = DeviceItem | RowItem
/** Its status is none: it stands for something of which nothing is known but that it matches. */
export const isPlaceholder = (item: AnyItem): boolean => 'status' in item && item.status < 0
interface Picked {
  readonly item: AnyItem
  /** Its own wherever it is shown while it is selected. */
  readonly colour: string
}

/**
 * A search of the list: all that match it are selected, whichever they are by then. An amount has its unit, so that it
 * means the same when another is chosen; without one it is in the base unit.
 */
export type LiveQuery = Readonly<Pick<ListState, 'search' | 'column' | 'operator'>>
interface Live {
  readonly query: LiveQuery
  /** As the server counted last. */
  readonly count: number
}

export const StoredItem = z.union([
  z.object({
    id: z.string(),
    name: z.string(),
    vendor: z.string(),
    company: z.string(),
    status: z.number(),
    platform: z._default(z.string(), ''),
  }),
  z.object({ id: z.string(), name: z.string(), row: z.unknown() }),
])
export const StoredQuery = z.object({ search: z.string(), column: z.optional(z.string()), operator: z.string() })
const Stored = z.object({
  picked: z.array(z.object({ colour: z.string(), item: StoredItem })),
  live: z.optional(z.object({ query: StoredQuery, count: z.number() })),
  from: z.array(z.string()),
})

/** Of so many at once nobody tells any two apart by colour. */
const maxApart = 200

/** So many are written without a frame being late for it. */
const maxConcurrent = 200

export const selectionState = proxy({ version: 0 })

export type Selection = ReturnType<typeof createSelection>

function createSelection(entity: Entity) {
  const storedAs = `selection:${entity}`
  const picked = new Map<string, Picked>()
  let live: Live | undefined
  // What was said of where it comes from, in the order in which it came.
  let from: readonly string[] = []
  // Made once for each version: many ask at every key.
  let listed: readonly AnyItem[] | undefined
  let unwritten = false
  let writing: ReturnType<typeof setTimeout> | undefined
  // What was selected before the reload is still awaited: what is selected meanwhile is added to it, and must not replace
  // it where it is stored. One that is made anew does.
  let awaited = false

  const write = () => {
    if (awaited || !unwritten) return
    unwritten = false
    const stored = picked.size > 0 || live ? { picked: [...picked.values()], live, from } : undefined
    void writeLarge(storedAs, stored)
  }
  const changed = () => {
    listed = undefined
    if (picked.size === 0 && !live) from = []
    selectionState.version++
    // What changes after a pause is written at once, so that a reload right after it keeps it. What follows waits for the
    // next pause, and so does a large selection: a held key must not copy it at every stroke.
    unwritten = true
    if (writing === undefined && picked.size <= maxConcurrent) write()
    clearTimeout(writing)
    writing = setTimeout(() => {
      writing = undefined
      write()
    }, 100)
  }
  /** Whether every row on screen is one of those that match. */
  const covers = (): boolean => {
    if (!live) return false
    const { search, column, operator } = withUnit(lists[entity], preferences.units)
    const { query } = live
    return query.search === '' || (query.search === search && query.column === column && query.operator === operator)
  }
  const colour = (): string => {
    if (entity !== 'devices') return 'var(--accent)'
    return distinctColour(picked.size < maxApart ? [...picked.values()].map(one => one.colour) : [])
  }

  const put = (items: readonly AnyItem[]) => {
    for (const item of items) if (!picked.has(item.id)) picked.set(item.id, { item, colour: colour() })
  }

  return {
    /** Of those that are known by id. */
    has: (id: string) => picked.has(id),
    get size() {
      return live?.count ?? picked.size
    },
    /** The search whose matches are selected; while there is one, none is known by id. */
    get query(): LiveQuery | undefined {
      return live?.query
    },
    /** Where it comes from, in a person's words. */
    get from(): readonly string[] {
      return from
    },
    covers,
    /** Those that are known by id. */
    items: (): readonly AnyItem[] => (listed ??= [...picked.values()].map(({ item }) => item)),
    colourOf: (id: string): string | undefined => picked.get(id)?.colour ?? (covers() ? 'var(--accent)' : undefined),
    /** A live one must be fixed before: what matches is not known here. */
    add(items: readonly AnyItem[], source = 'picked rows'): void {
      live = undefined
      put(items)
      if (!from.includes(source)) from = [...from, source]
      changed()
    },
    remove(ids: Iterable<string>): void {
      for (const id of ids) picked.delete(id)
      changed()
    },
    /** These and no others. Those that were selected already keep their colours. */
    replace(items: readonly AnyItem[], sources: readonly string[]): void {
      awaited = false
      live = undefined
      const ids = new Set(items.map(({ id }) => id))
      for (const id of picked.keys()) if (!ids.has(id)) picked.delete(id)
      put(items)
      from = sources
      changed()
    },
    /** All that match, whichever they are when a command starts. */
    follow(query: LiveQuery, count: number): void {
      awaited = false
      picked.clear()
      live = { query, count }
      from = []
      changed()
    },
    /** What the server counts now. */
    recount(query: LiveQuery, count: number): void {
      if (live?.query !== query || live.count === count) return
      live = { query, count }
      changed()
    },
    clear(): void {
      awaited = false
      picked.clear()
      live = undefined
      changed()
    },
    /** Takes over newer values of what is selected, such as a device's status. */
    refresh(items: readonly AnyItem[]): void {
      let any = false
      for (const item of items) {
        const before = picked.get(item.id)
        if (!before || JSON.stringify(before.item) === JSON.stringify(item)) continue
        picked.set(item.id, { ...before, item })
        any = true
      }
      if (any) changed()
    },
    /** Brings back what was selected before the reload; what has been selected since stays, and is kept in turn. */
    async restore(): Promise<void> {
      window.addEventListener('pagehide', write)
      awaited = true
      const stored = z.safeParse(Stored, await readLarge(storedAs))
      if (!awaited) return
      awaited = false
      const meanwhile = picked.size > 0
      if (stored.success) {
        for (const one of stored.data.picked) if (!picked.has(one.item.id)) picked.set(one.item.id, one)
        from = [...new Set([...stored.data.from, ...from])]
        if (stored.data.live && picked.size === 0) live = stored.data.live as Live
        listed = undefined
        selectionState.version++
      }
      if (meanwhile) write()
    },
  }
}

export const selections = perEntity(createSelection)

/** Renders again when a selection changes. */
export function useSelection(entity: Entity): Selection {
  void useSnapshot(selectionState).version
  return selections[entity]
}

/** Renders again when a selection changes; the lists of which all that match are selected. */
export function useFollowed(): readonly Entity[] {
  void useSnapshot(selectionState).version
  return entities.filter(entity => selections[entity].query !== undefined)
}

export function clearSelections(): void {
  for (const entity of entities) selections[entity].clear()
}
export async function restoreSelections(): Promise<void> {
  await Promise.all(entities.map(entity => selections[entity].restore()))
}
