/** Loads a newest-first list page by page, adds new items from the stream, and reloads it when items may be missing. */
import {
  feedFromPages,
  isComplete,
  emptyFeed,
  addArrived,
  addPage,
  type FeedPage,
  type Feed,
  type FeedItem,
} from '../domain/feed.ts'
import { maxPerCall } from './contract/endpoint.ts'

/** Notifications come 12 at a time (specification, section 9). */
export const pageSize = 12

/** `start`: the first page; `more`: the next page; `reload`: all loaded rows. */
type LoadKind = 'start' | 'more' | 'reload'

export interface FeedState<Row extends FeedItem> extends Feed<Row> {
  readonly loading: LoadKind | undefined
  /** The last failure, until the next attempt. */
  readonly failed: { readonly kind: 'start' | 'more'; readonly error: unknown } | undefined
}

/** Reads a page of the feed, from the row with index `offset`. */
export type FetchPage<Row extends FeedItem> = (
  offset: number,
  limit: number,
  signal: AbortSignal,
) => Promise<FeedPage<Row>>

/**
 * Creates a feed loader. `fetchPage` reads a page; `onChange` is called when `state()` changes. Requests run one at a
 * time.
 */
export function createFeedLoader<Row extends FeedItem>(fetchPage: FetchPage<Row>, onChange: () => void) {
  let state: FeedState<Row> = { ...emptyFeed, loading: undefined, failed: undefined }
  /** Items that arrived since the last request, which its response may not include. */
  let arrived: Row[] = []
  let aborter = new AbortController()
  let running: Promise<void> | undefined
  let reloadRequested = false

  const set = (next: Partial<FeedState<Row>>) => {
    state = { ...state, ...next }
    onChange()
  }

  /** Runs a request and stores its result. Rejects on failure and leaves the rows unchanged. */
  function load(kind: LoadKind, fetchFeed: (signal: AbortSignal) => Promise<Feed<Row>>): Promise<void> {
    const { signal } = aborter
    arrived = []
    set({ loading: kind, ...(kind !== 'reload' && { failed: undefined }) })
    const run = async () => {
      try {
        const feed = await fetchFeed(signal)
        if (!signal.aborted) set({ ...feed, loading: undefined })
      } catch (error) {
        if (signal.aborted) return
        set({ loading: undefined, ...(kind !== 'reload' && { failed: { kind, error } }) })
        throw error
      } finally {
        if (!signal.aborted) running = undefined
      }
    }
    running = run()
    // The returned promise reports a failure; this chain only waits for the end.
    void running.catch(() => undefined).then(reloadIfRequested)
    return running
  }

  const reloadIfRequested = () => {
    if (reloadRequested && !running) reload()
  }

  const start = () =>
    load('start', async signal => addArrived(feedFromPages([await fetchPage(0, pageSize, signal)]), arrived))

  /** Reads all loaded rows again. A failure is ignored. */
  function reload(): void {
    reloadRequested = running !== undefined
    if (reloadRequested) return
    if (state.count === undefined) return void start().catch(() => undefined)
    void load('reload', async signal => {
      const pages: FeedPage<Row>[] = []
      const total = Math.max(pageSize, state.rows.length)
      for (let offset = 0; offset < total; offset += maxPerCall)
        pages.push(await fetchPage(offset, Math.min(maxPerCall, total - offset), signal))
      return addArrived(feedFromPages(pages), arrived)
    }).catch(() => undefined)
  }

  const loadNextPage = () => {
    const offset = state.rows.length
    return load('more', async signal => {
      const page = await fetchPage(offset, pageSize, signal)
      const { feed, stale } = addPage(state, offset, page)
      reloadRequested ||= stale
      return feed
    })
  }

  return {
    state: () => state,
    /** Loads the first page again. The current rows stay until the response arrives, and on failure. */
    refresh(): Promise<void> {
      aborter.abort()
      aborter = new AbortController()
      reloadRequested = false
      return start()
    },
    /** Loads the next page. Rejects on failure and leaves the offset unchanged. */
    async more(): Promise<void> {
      while (running && !aborter.signal.aborted) {
        if (state.loading === 'more') return running
        // The pending request changes the loaded rows, and with them the offset of the next page.
        await running.catch(() => undefined)
      }
      return aborter.signal.aborted || isComplete(state) ? undefined : loadNextPage()
    },
    /** Adds new items from the stream. */
    receive(rows: readonly Row[]): void {
      arrived.push(...rows)
      const feed = addArrived(state, rows)
      if (feed !== state) set(feed)
    },
    /** Reloads after items may have been missed; waits for a pending request. */
    reload,
    stop: () => aborter.abort(),
  }
}
