/**
 * A newest-first list that is loaded page by page by offset while new items arrive at the top. The loaded rows are
 * always an exact prefix of the server's list, so their number is the next offset.
 */

export interface FeedItem {
  readonly _id: string
  /** ISO 8601 UTC in one fixed format, so that strings sort as times. */
  readonly created_at: string
}

export interface Feed<Row extends FeedItem> {
  readonly rows: readonly Row[]
  /** The number of matches on the server; undefined before the first page has loaded. */
  readonly count: number | undefined
}

export interface FeedPage<Row extends FeedItem> {
  readonly count: number
  readonly data: readonly Row[]
}

export const emptyFeed: Feed<never> = { rows: [], count: undefined }

/** Compares in the server's order: newest first, then by id, descending. */
function compare(one: FeedItem, other: FeedItem): number {
  if (one.created_at !== other.created_at) return one.created_at > other.created_at ? -1 : 1
  if (one._id === other._id) return 0
  return one._id > other._id ? -1 : 1
}

/** Returns the rows with those of `more` that are new, in the server's order; the same array if there are none. */
function merge<Row extends FeedItem>(rows: readonly Row[], more: readonly Row[]): readonly Row[] {
  const ids = new Set(rows.map(row => row._id))
  const added = more.filter(row => !ids.has(row._id) && ids.add(row._id))
  return added.length === 0 ? rows : [...rows, ...added].sort(compare)
}

/** Returns whether every match is loaded. */
export const isComplete = ({ rows, count }: Feed<FeedItem>): boolean => count !== undefined && rows.length >= count

/**
 * Returns the feed with new items inserted in order. Items older than the loaded rows are only counted: later pages
 * contain them.
 */
export function addArrived<Row extends FeedItem>(feed: Feed<Row>, arrived: readonly Row[]): Feed<Row> {
  const { count } = feed
  if (count === undefined) return feed
  const ids = new Set(feed.rows.map(row => row._id))
  const added = arrived.filter(row => !ids.has(row._id) && ids.add(row._id))
  if (added.length === 0) return feed
  const last = isComplete(feed) ? undefined : feed.rows.at(-1)
  const within = added.filter(row => !last || compare(row, last) < 0)
  return { rows: merge(feed.rows, within), count: count + added.length }
}

/**
 * Returns a feed with items of another source in their places, which are counted too. Those that are older than the loaded
 * rows are left out until the rows before them are loaded.
 */
export function addBetween<Row extends FeedItem, Other extends FeedItem>(
  feed: Feed<Row>,
  others: readonly Other[],
): Feed<Row | Other> {
  const { rows, count } = feed
  if (count === undefined || others.length === 0) return feed
  const last = isComplete(feed) ? undefined : rows.at(-1)
  const within = others.filter(other => !last || compare(other, last) < 0)
  return { rows: [...rows, ...within].sort(compare), count: count + within.length }
}

/** Returns a feed of consecutive pages, starting with the first. */
export function feedFromPages<Row extends FeedItem>(pages: readonly FeedPage<Row>[]): Feed<Row> {
  const rows = pages.reduce<readonly Row[]>((all, { data }) => merge(all, data), [])
  return { rows, count: Math.max(rows.length, pages.at(-1)?.count ?? 0) }
}

/**
 * Returns the feed with the page that starts at `offset`. The page may or may not include items that arrived after it
 * was requested. `stale`: an item that was loaded or counted no longer exists, so the feed must be reloaded.
 */
export function addPage<Row extends FeedItem>(
  feed: Feed<Row>,
  offset: number,
  page: FeedPage<Row>,
): { readonly feed: Feed<Row>; readonly stale: boolean } {
  const rows = merge(feed.rows, page.data)
  const [first] = page.data
  // The server counted `offset` rows before the page's first row; any more of them arrived later.
  const later = first ? rows.filter(row => compare(row, first) < 0).length - offset : rows.length - page.count
  const count = page.count + later
  return { feed: { rows, count: Math.max(rows.length, count) }, stale: count < (feed.count ?? 0) }
}
