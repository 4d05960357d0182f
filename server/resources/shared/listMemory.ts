/**
 * Caches results of recent list calls: the borders of deep pages, from which adjacent pages are read without skipping up to
 * half of all rows again, and counts of searches.
 */
import type { Database } from '../../db/database.ts'

/** A row that was at `index` (from 0) of the sorted rows. */
export interface Border {
  readonly index: number
  readonly key: string
  /** The sort value as text; null if rows are sorted by key only. */
  readonly value: string | null
  /** When its index was counted, in milliseconds of `performance.now()`. */
  readonly countedAt: number
}

/**
 * Milliseconds for which a border or a count is used. Meanwhile rows may be added or removed, so a deep page can be off by
 * these; but pages that are read one after another neither skip nor repeat a row.
 */
export const memoryLifetime = 60_000
/** Sorted lists with borders, borders of each, and counts. */
const maxLists = 200
const maxBorders = 50

interface Count {
  readonly count: number
  readonly countedAt: number
}

export interface ListMemory {
  /** Returns the borders of the sorted rows that `rows` identifies. */
  bordersOf(rows: string): readonly Border[]
  addBorders(rows: string, borders: readonly Border[]): void
  /** Returns how many rows a search matched. */
  countOf(search: string): number | undefined
  addCount(search: string, count: number): void
  now(): number
}

export function openListMemory(now: () => number = () => performance.now()): ListMemory {
  const lists = new Map<string, readonly Border[]>()
  const counts = new Map<string, Count>()
  const isCurrent = ({ countedAt }: { readonly countedAt: number }) => now() - countedAt < memoryLifetime
  const bordersOf = (rows: string) => (lists.get(rows) ?? []).filter(isCurrent)
  return {
    now,
    bordersOf,
    addBorders(rows, borders) {
      const others = bordersOf(rows).filter(({ index }) => !borders.some(border => border.index === index))
      setLast(lists, rows, [...others, ...borders].slice(-maxBorders))
    },
    countOf(search) {
      const known = counts.get(search)
      return known && isCurrent(known) ? known.count : undefined
    },
    addCount: (search, count) => setLast(counts, search, { count, countedAt: now() }),
  }
}

/** Sets a value as the newest one, and drops the oldest of too many. */
function setLast<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > maxLists) map.delete(map.keys().next().value!)
}

const ofDatabases = new WeakMap<Database, ListMemory>()

/** Returns what this process remembers of a database's lists. */
export function listMemoryOf(db: Database): ListMemory {
  const memory = ofDatabases.get(db) ?? openListMemory()
  ofDatabases.set(db, memory)
  return memory
}
