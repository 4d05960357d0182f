/** Reads all rows of a list page by page while the list changes: each row once, and no row is lost without a note. */
import { plural } from '../plural.ts'

/** `requested`: the order that the person sees. `stable`: one in which rows never move, usually the list's own. */
export type ReadOrder = 'requested' | 'stable'

/** A page of a list, with the number of all its rows. */
interface Page<Row> {
  readonly count: number
  readonly data: readonly Row[]
}

export interface Source<Row> {
  /** Rows of a page. */
  readonly limit: number
  keyOf(row: Row): string
  read(offset: number, order: ReadOrder): Promise<Page<Row>>
  /** Whether the requested order differs from the stable one. */
  readonly sorted: boolean
}

/** Counts while a list is read, from which `readNotes` makes the notes of the file. */
export interface ReadState {
  /** Rows read so far. */
  read: number
  /** Matches, as counted by the last page. */
  total: number | undefined
  /** Rows that moved between pages, and were therefore read after all others. */
  late: number
}

export const newReadState = (): ReadState => ({ read: 0, total: undefined, late: 0 })

/** Yields pages of rows without duplicates. Every row that existed during the whole read is included. */
export async function* readAll<Row>(source: Source<Row>, readState: ReadState): AsyncGenerator<readonly Row[]> {
  const seen = new Set<string>()
  let anyUnsettled = false
  const unseen = (rows: readonly Row[]) =>
    rows.filter(row => {
      const key = source.keyOf(row)
      return !seen.has(key) && seen.add(key)
    })

  for await (const { rows, unsettled } of pagesOf(source, source.sorted ? 'requested' : 'stable', readState)) {
    const newRows = unseen(rows)
    anyUnsettled ||= unsettled
    readState.read += newRows.length
    yield newRows
  }
  if (!source.sorted || (!anyUnsettled && seen.size === readState.total)) return
  // A row that moved while the list was read may have been on no page, so the list is read again in the stable order.
  for await (const { rows } of pagesOf(source, 'stable', readState)) {
    const missed = unseen(rows)
    readState.late += missed.length
    readState.read += missed.length
    yield missed
  }
}

/**
 * The maximum number of steps back for a page, so that reading ends even if all rows are replaced again and again. Each step is
 * needed only if nearly a page of rows was deleted since the step before.
 */
const maxStepsBack = 5

/**
 * Yields pages, each of which starts with the last row of the previous page. In the stable order, a page that starts
 * with an unknown row shows that earlier rows were deleted: the reader then steps back by a page, so that rows which
 * moved up are not lost. In the requested order, any such change only sets `unsettled`.
 */
async function* pagesOf<Row>(
  { limit, keyOf, read }: Source<Row>,
  order: ReadOrder,
  readState: ReadState,
): AsyncGenerator<{ rows: readonly Row[]; unsettled: boolean }> {
  const seen = new Set<string>()
  let last: string | undefined
  let count: number | undefined
  let furthest = 0
  let stepsBack = 0
  for (let offset = 0; ;) {
    if (offset > furthest) [furthest, stepsBack] = [offset, 0]
    const page = await read(offset, order)
    const rows = page.data
    const firstKey = rows[0] && keyOf(rows[0])
    readState.total = page.count
    const overlaps = offset === 0 || (firstKey !== undefined && seen.has(firstKey))
    if (order === 'stable' && !overlaps && stepsBack < maxStepsBack) {
      stepsBack++
      offset = Math.max(0, offset - limit + 1)
      continue
    }
    const repeated = rows.slice(1).some(row => seen.has(keyOf(row)))
    const unsettled = firstKey !== (last ?? firstKey) || repeated || page.count !== (count ?? page.count)
    count = page.count
    for (const row of rows) seen.add(keyOf(row))
    last = rows.length > 0 ? keyOf(rows.at(-1)!) : last
    yield { rows, unsettled }
    if (rows.length < 2 || offset + rows.length >= page.count) return
    offset += rows.length - 1
  }
}

/** Returns notes about changes that happened while the list was read. */
export function readNotes({ read, total, late }: ReadState): string[] {
  return [
    ...(late > 0
      ? [
          `The order changed while the list was read: ${plural(late, 'row')} at the end ${late === 1 ? 'is' : 'are'} out of order.`,
        ]
      : []),
    ...(total !== undefined && total !== read
      ? [`The list changed while it was read: it had ${plural(total, 'row')} at the end.`]
      : []),
  ]
}
