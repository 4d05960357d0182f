/**
 * The selection of each list, which survives paging and reloads. Stored in plain Maps with a version counter, because
 * toggling in a proxy of 100,000 entries is slow.
 */
import { proxy, subscribe, useSnapshot } from 'valtio'
import { isListOf, isNumber, isShape, isText, orMissing, type Check } from '../domain/lib/checks.ts'
import { withUnit } from '../domain/lists/amountSearch.ts'
import { distinctColour } from '../domain/colours.ts'
import { entities, lists, perEntity, type Entity, type ListState } from './lists.ts'
import { readLarge, withStorageTimeout, writeLarge } from './persist.ts'
import { preferences } from './preferences.ts'
import { afterFrame } from './timing/afterFrame.ts'

/** A selected row, with what the panel and commands need when its page is not on screen. */
export interface Item {
  readonly id: string
  /** The display name. */
  readonly name: string
}
/** Selected devices store only a few fields, because there can be thousands. */
export interface DeviceItem extends Item {
  readonly vendor: string
  readonly company: string
  readonly status: number
  /** The platform; empty if it is not known yet. */
  readonly platform: string
}
/** Other entities store the whole row: few are selected, and the API cannot read them one by one. */
export interface RowItem<Row = unknown> extends Item {
  readonly row: Row
}
export type AnyItem = DeviceItem | RowItem
/** Returns whether an item is a placeholder for an unknown match of a followed search; its status is negative. */
export const isPlaceholder = (item: AnyItem): boolean => 'status' in item && item.status < 0
/** A match of a search that has not been read. */
export const unreadMatch: DeviceItem = { id: '', name: '', vendor: '', company: '', status: -1, platform: '' }
interface SelectedItem {
  readonly item: AnyItem
  /** The item's colour everywhere while it is selected. */
  readonly colour: string
}

/**
 * A search of a list. A selection that follows it contains all current matches. An amount includes its unit, so that it
 * keeps its meaning when another unit is chosen; without one it is in the base unit.
 */
export type ListSearch = Readonly<Pick<ListState, 'search' | 'column' | 'operator'>>
/** The search that a selection follows. */
interface FollowedSearch {
  readonly query: ListSearch
  /** The server's last count. */
  readonly count: number
}

const item = { id: isText, name: isText }
const isDeviceItem: Check<Omit<DeviceItem, 'platform'> & { readonly platform?: string | undefined }> = isShape({
  ...item,
  vendor: isText,
  company: isText,
  status: isNumber,
  platform: orMissing(isText),
})
const isRowItem = isShape({ ...item, row: (row): row is object => row !== undefined })
/** Whether a stored value is an item. One of a device may lack the platform: see `restoredItem`. */
export const isStoredItem: Check<AnyItem> = (value): value is AnyItem => isDeviceItem(value) || isRowItem(value)
/** Returns a stored item as items are now. */
export const restoredItem = (stored: AnyItem): AnyItem =>
  'status' in stored ? { ...stored, platform: stored.platform ?? '' } : stored
export const isStoredSearch = isShape<ListSearch>({ search: isText, column: orMissing(isText), operator: isText })
const isStored = isShape({
  picked: isListOf(isShape<SelectedItem>({ colour: isText, item: isStoredItem })),
  live: orMissing(isShape<FollowedSearch>({ query: isStoredSearch, count: isNumber })),
  from: isListOf(isText),
  nextColour: orMissing(isNumber),
})

/** Up to this many rows are stored at once without delaying a frame. */
const maxImmediateWrite = 200

export const selectionState = proxy({ version: 0 })
/**
 * The version that components show, except for a list's rows: a frame behind, so that a row is drawn as selected without
 * waiting for counts, buttons and the panel.
 */
const shownState = proxy({ version: 0 })
subscribe(selectionState, () => afterFrame(() => void (shownState.version = selectionState.version)))

/** Calls `listener` at once when a selection changes. Returns the function that unsubscribes. */
export const subscribeSelections = (listener: () => void): (() => void) => subscribe(selectionState, listener, true)

export type Selection = ReturnType<typeof createSelection>

function createSelection(entity: Entity) {
  const storageName = `selection:${entity}`
  const picked = new Map<string, SelectedItem>()
  let live: FollowedSearch | undefined
  // Descriptions of the commands and searches that selected the rows, in order.
  let sources: readonly string[] = []
  // The index of the next device's colour.
  let nextColour = 0
  // Cached for each version, because many callers read it on every key press.
  let cachedItems: readonly AnyItem[] | undefined
  let dirty = false
  let writing: ReturnType<typeof setTimeout> | undefined
  // True while the stored selection is being read. Rows selected meanwhile are added to it and must not overwrite it;
  // replacing the selection cancels the restore.
  let restoring = false

  const write = () => {
    if (restoring || !dirty) return
    dirty = false
    const stored =
      picked.size > 0 || live ? { picked: [...picked.values()], live, from: sources, nextColour } : undefined
    void writeLarge(storageName, stored)
  }
  const changed = () => {
    cachedItems = undefined
    if (picked.size === 0 && !live) sources = []
    if (picked.size === 0) nextColour = 0
    selectionState.version++
    // The first change is stored at once, so that a reload right after it keeps it. Further changes, and large
    // selections, are debounced: a held key must not copy the selection on every repeat.
    dirty = true
    if (writing === undefined && picked.size <= maxImmediateWrite) write()
    clearTimeout(writing)
    writing = setTimeout(() => {
      writing = undefined
      write()
    }, 100)
  }
  /** Returns whether every row on screen matches the followed search. */
  const covers = (): boolean => {
    if (!live) return false
    const { search, column, operator } = withUnit(lists[entity], preferences.units)
    const { query } = live
    return query.search === '' || (query.search === search && query.column === column && query.operator === operator)
  }
  const colour = (): string => (entity === 'devices' ? distinctColour(nextColour++) : 'var(--accent)')

  const addItems = (items: readonly AnyItem[]) => {
    for (const item of items) if (!picked.has(item.id)) picked.set(item.id, { item, colour: colour() })
  }

  return {
    /** Returns whether a row is selected individually. */
    has: (id: string) => picked.has(id),
    get size() {
      return live?.count ?? picked.size
    },
    /** The followed search; while there is one, no rows are selected individually. */
    get query(): ListSearch | undefined {
      return live?.query
    },
    /** Descriptions of the commands and searches that made the selection, in order. */
    get sources(): readonly string[] {
      return sources
    },
    covers,
    /** Returns the rows selected individually. */
    items: (): readonly AnyItem[] => (cachedItems ??= [...picked.values()].map(({ item }) => item)),
    colourOf: (id: string): string | undefined => picked.get(id)?.colour ?? (covers() ? 'var(--accent)' : undefined),
    /** Adds rows. A followed search must be materialized before, because its matches are not known here. */
    add(items: readonly AnyItem[], source = 'selected individually'): void {
      live = undefined
      addItems(items)
      if (!sources.includes(source)) sources = [...sources, source]
      changed()
    },
    remove(ids: Iterable<string>): void {
      for (const id of ids) picked.delete(id)
      changed()
    },
    /** Replaces the descriptions of where the rows come from. */
    describe(newSources: readonly string[]): void {
      sources = newSources
      changed()
    },
    /** Selects exactly these rows. Rows that were already selected keep their colours. */
    replace(items: readonly AnyItem[], newSources: readonly string[]): void {
      restoring = false
      live = undefined
      const ids = new Set(items.map(({ id }) => id))
      for (const id of picked.keys()) if (!ids.has(id)) picked.delete(id)
      addItems(items)
      sources = newSources
      changed()
    },
    /** Selects all matches of a search, as of when a command starts. */
    follow(query: ListSearch, count: number): void {
      restoring = false
      picked.clear()
      live = { query, count }
      sources = []
      changed()
    },
    /** Updates the count of the followed search. */
    setMatchCount(query: ListSearch, count: number): void {
      if (live?.query !== query || live.count === count) return
      live = { query, count }
      changed()
    },
    clear(): void {
      restoring = false
      picked.clear()
      live = undefined
      changed()
    },
    /** Updates the stored values of selected rows, such as a device's status. */
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
    /** Restores the selection stored before the reload; rows selected since are kept and stored too. */
    async restore(): Promise<void> {
      window.addEventListener('pagehide', write)
      restoring = true
      const stored = await readLarge(storageName)
      if (!restoring) return
      restoring = false
      const hasNewRows = picked.size > 0
      if (isStored(stored)) {
        // Rows selected meanwhile get the colours after those of the stored ones.
        const added = [...picked.values()].map(({ item }) => item)
        picked.clear()
        for (const { colour, item } of stored.picked) picked.set(item.id, { colour, item: restoredItem(item) })
        nextColour = stored.nextColour ?? picked.size
        addItems(added)
        sources = [...new Set([...stored.from, ...sources])]
        if (stored.live && picked.size === 0) ({ live } = stored)
        cachedItems = undefined
        selectionState.version++
      }
      if (hasNewRows) write()
    },
    /** Gives up restoring, so that the stored selection never appears later. */
    cancelRestore(): void {
      if (!restoring) return
      restoring = false
      write()
    },
  }
}

export const selections = perEntity(createSelection)

/** Returns an entity's selection and renders again in the frame after a selection has changed. */
export function useSelection(entity: Entity): Selection {
  void useSnapshot(shownState).version
  return selections[entity]
}

/** Returns the entities whose selection follows a search, and renders again in the frame after a selection has changed. */
export function useFollowedSearches(): readonly Entity[] {
  void useSnapshot(shownState).version
  return entities.filter(entity => selections[entity].query !== undefined)
}

export function clearSelections(): void {
  for (const entity of entities) selections[entity].clear()
}

/** Restores the selections stored before the reload. Resolves with whether the storage has answered in time. */
export async function restoreSelections(): Promise<boolean> {
  const restored = await withStorageTimeout(Promise.all(entities.map(entity => selections[entity].restore())))
  for (const entity of entities) selections[entity].cancelRestore()
  return restored !== undefined
}
