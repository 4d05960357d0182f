/**
 * What is selected, by list; it outlives paging and reloads. Kept in plain Maps beside a counter, because a proxy of
 * 100,000 entries would make each toggle slow.
 */
import { proxy, useSnapshot } from 'valtio'
import * as z from 'zod/mini'
import { freeColour } from '../domain/colours.ts'
import { entities, perEntity, type Entity } from './lists.ts'
import { readLarge, writeLarge } from './persist.ts'

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
interface Picked {
  readonly item: AnyItem
  /** Its own wherever it is shown while it is selected. */
  readonly colour: string
}

const Stored = z.array(
  z.object({
    colour: z.string(),
    item: z.union([
      z.object({
        id: z.string(),
        name: z.string(),
        vendor: z.string(),
        company: z.string(),
        status: z.number(),
        platform: z._default(z.string(), ''),
      }),
      z.object({ id: z.string(), name: z.string(), row: z.unknown() }),
    ]),
  }),
)

/** Of so many at once nobody tells any two apart by colour. */
const mostApart = 200

export const selectionState = proxy({ version: 0 })

export type Selection = ReturnType<typeof createSelection>

function createSelection(entity: Entity) {
  const storedAs = `selection:${entity}`
  const picked = new Map<string, Picked>()
  // Made once for each version: many ask at every key.
  let listed: readonly AnyItem[] | undefined
  let writing: ReturnType<typeof setTimeout> | undefined

  const changed = () => {
    listed = undefined
    selectionState.version++
    clearTimeout(writing)
    // Writing waits for a pause: a held key must not copy a large selection at every stroke.
    writing = setTimeout(() => void writeLarge(storedAs, picked.size > 0 ? [...picked.values()] : undefined), 100)
  }
  const colour = (): string => {
    if (entity !== 'devices') return 'var(--accent)'
    return freeColour(picked.size < mostApart ? [...picked.values()].map(one => one.colour) : [])
  }

  return {
    has: (id: string) => picked.has(id),
    get size() {
      return picked.size
    },
    items: (): readonly AnyItem[] => (listed ??= [...picked.values()].map(({ item }) => item)),
    colourOf: (id: string): string | undefined => picked.get(id)?.colour,
    add(items: readonly AnyItem[]): void {
      for (const item of items) if (!picked.has(item.id)) picked.set(item.id, { item, colour: colour() })
      changed()
    },
    remove(ids: Iterable<string>): void {
      for (const id of ids) picked.delete(id)
      changed()
    },
    clear(): void {
      picked.clear()
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
    /** Brings back what was selected before the reload; what has been selected since stays. */
    async restore(): Promise<void> {
      const stored = z.safeParse(Stored, await readLarge(storedAs))
      if (!stored.success || stored.data.length === 0) return
      for (const one of stored.data) if (!picked.has(one.item.id)) picked.set(one.item.id, one)
      listed = undefined
      selectionState.version++
    },
  }
}

export const selections = perEntity(createSelection)

/** Renders again when a selection changes. */
export function useSelection(entity: Entity): Selection {
  void useSnapshot(selectionState).version
  return selections[entity]
}

export function clearSelections(): void {
  for (const entity of entities) selections[entity].clear()
}
export async function restoreSelections(): Promise<void> {
  await Promise.all(entities.map(entity => selections[entity].restore()))
}
