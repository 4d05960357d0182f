/** All rows of a list, page by page, while the list changes: no row twice, and none lost without saying so. */
import type { List } from '../../api/contract/endpoint.ts'

export interface Source<Row> {
  readonly limit: number
  keyOf(row: Row): string
  /** `asked`: in the order that a person asked for. `own`: in the list's own, in which no row ever changes its place. */
  read(offset: number, order: 'asked' | 'own'): Promise<List<Row>>
  /** Whether both orders differ. */
  readonly sorted: boolean
}

/** How far reading is, and what is to be said of it once it has ended. */
export interface Reading {
  read: number
  /** How many match, as told last. */
  total: number | undefined
  /** Rows that moved between pages and so came after all others. */
  late: number
}

export const newReading = (): Reading => ({ read: 0, total: undefined, late: 0 })

/** Pages of rows, none of which comes twice. A row that was there all the time is among them. */
export async function* readAll<Row>(source: Source<Row>, reading: Reading): AsyncGenerator<readonly Row[]> {
  const seen = new Set<string>()
  let disturbed = false
  const fresh = (rows: readonly Row[]) =>
    rows.filter(row => {
      const key = source.keyOf(row)
      return !seen.has(key) && seen.add(key)
    })

  for await (const { rows, unsettled } of pagesOf(source, source.sorted ? 'asked' : 'own', reading)) {
    const first = fresh(rows)
    disturbed ||= unsettled
    reading.read += first.length
    yield first
  }
  if (!source.sorted || (!disturbed && seen.size === reading.total)) return
  // What moved while it was read may have been on no page at all: once more, in an order in which nothing moves.
  for await (const { rows } of pagesOf(source, 'own', reading)) {
    const missed = fresh(rows)
    reading.late += missed.length
    reading.read += missed.length
    yield missed
  }
}

/**
 * Pages that begin with the last row of the one before. In the list's own order a page that begins with another one
 * shows that rows before it went away, and what moved up past it is read from further ahead. In any other order it
 * is only told: `unsettled`.
 */
async function* pagesOf<Row>(
  { limit, keyOf, read }: Source<Row>,
  order: 'asked' | 'own',
  reading: Reading,
): AsyncGenerator<{ rows: readonly Row[]; unsettled: boolean }> {
  const passed = new Set<string>()
  let last: string | undefined
  let count: number | undefined
  for (let offset = 0; ;) {
    const page = await read(offset, order)
    const rows = page.data
    const begins = rows[0] && keyOf(rows[0])
    reading.total = page.count
    const joins = offset === 0 || (begins !== undefined && passed.has(begins))
    if (order === 'own' && !joins) {
      offset = Math.max(0, offset - limit + 1)
      continue
    }
    const again = rows.slice(1).some(row => passed.has(keyOf(row)))
    const unsettled = begins !== (last ?? begins) || again || page.count !== (count ?? page.count)
    count = page.count
    for (const row of rows) passed.add(keyOf(row))
    last = rows.length > 0 ? keyOf(rows.at(-1)!) : last
    yield { rows, unsettled }
    if (rows.length < 2 || offset + rows.length >= page.count) return
    offset += rows.length - 1
  }
}

/** What a reader of the file must know of how it was read. */
export function readingNotes({ read, total, late }: Reading): string[] {
  const rows = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'}`
  return [
    ...(late > 0 ? [`The order changed while it was read: ${rows(late)} at the end came out of order.`] : []),
    ...(total !== undefined && total !== read
      ? [`The list changed while it was read: at the end it had ${rows(total)}.`]
      : []),
  ]
}
