/**
 * A list that is newest first, of which the beginning is loaded and more is asked for by offset, while new ones arrive
 * on top. What is loaded is always the exact beginning of all there are, so that its length is the next offset.
 */

export interface Told {
  readonly _id: string
  /** ISO 8601 UTC, always written the same way, so that texts compare as times do. */
  readonly created_at: string
}

export interface Feed<Row extends Told> {
  readonly rows: readonly Row[]
  /** All that match; undefined before the first answer. */
  readonly count: number | undefined
}

export interface Answer<Row extends Told> {
  readonly count: number
  readonly data: readonly Row[]
}

export const nothingLoaded: Feed<never> = { rows: [], count: undefined }

/** The server's order: the newest first, and of one moment the greater id. */
function compare(one: Told, other: Told): number {
  if (one.created_at !== other.created_at) return one.created_at > other.created_at ? -1 : 1
  if (one._id === other._id) return 0
  return one._id > other._id ? -1 : 1
}

function merged<Row extends Told>(rows: readonly Row[], more: readonly Row[]): readonly Row[] {
  const known = new Set(rows.map(row => row._id))
  const added = more.filter(row => !known.has(row._id) && known.add(row._id))
  return added.length === 0 ? rows : [...rows, ...added].sort(compare)
}

/** Whether all that match are loaded. */
export const isWhole = ({ rows, count }: Feed<Told>): boolean => count !== undefined && rows.length >= count

/** With new ones in their places; what is older than all that is loaded comes with the pages that are still to load. */
export function withArrived<Row extends Told>(feed: Feed<Row>, arrived: readonly Row[]): Feed<Row> {
  const { count } = feed
  if (count === undefined) return feed
  const known = new Set(feed.rows.map(row => row._id))
  const added = arrived.filter(row => !known.has(row._id) && known.add(row._id))
  if (added.length === 0) return feed
  const last = isWhole(feed) ? undefined : feed.rows.at(-1)
  const within = added.filter(row => !last || compare(row, last) < 0)
  return { rows: merged(feed.rows, within), count: count + added.length }
}

/** What the first answers say, read one after another from the beginning. */
export function fromStart<Row extends Told>(answers: readonly Answer<Row>[]): Feed<Row> {
  const rows = answers.reduce<readonly Row[]>((all, { data }) => merged(all, data), [])
  return { rows, count: Math.max(rows.length, answers.at(-1)?.count ?? 0) }
}

/**
 * With the answer to a question for what follows the first `offset` rows. What has arrived since it was asked may be in
 * the answer or not. `gone`: something that was loaded or counted is there no longer, so the beginning must be read anew.
 */
export function withMore<Row extends Told>(
  feed: Feed<Row>,
  offset: number,
  answer: Answer<Row>,
): { readonly feed: Feed<Row>; readonly gone: boolean } {
  const rows = merged(feed.rows, answer.data)
  const [first] = answer.data
  // The server counted `offset` rows before the first of its answer; those that are known beyond them came later.
  const later = first ? rows.filter(row => compare(row, first) < 0).length - offset : rows.length - answer.count
  const count = answer.count + later
  return { feed: { rows, count: Math.max(rows.length, count) }, gone: count < (feed.count ?? 0) }
}
