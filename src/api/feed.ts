/** Keeps a list that is newest first: asks for more of it, hears of new ones, and mends it when something was missed. */
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

/** What is on its way: the beginning, what follows, or once more what is loaded. */
type Asking = 'start' | 'more' | 'again'

export interface FeedState<Row extends FeedItem> extends Feed<Row> {
  readonly asking: Asking | undefined
  /** What went wrong last, until it is asked for again. */
  readonly failed: { readonly asking: 'start' | 'more'; readonly error: unknown } | undefined
}

export type Ask<Row extends FeedItem> = (offset: number, limit: number, signal: AbortSignal) => Promise<FeedPage<Row>>

/** `ask` reads some rows from an offset; `changed` hears that `state()` is another. One question is asked at a time. */
export function createFeed<Row extends FeedItem>(ask: Ask<Row>, changed: () => void) {
  let state: FeedState<Row> = { ...emptyFeed, asking: undefined, failed: undefined }
  /** What has arrived since the last question was asked: its answer may be of before. */
  let heard: Row[] = []
  let cut = new AbortController()
  let running: Promise<void> | undefined
  let again = false

  const set = (next: Partial<FeedState<Row>>) => {
    state = { ...state, ...next }
    changed()
  }

  /** Asks, and takes over what came; rejects with what went wrong, and everything is as it was before. */
  function question(asking: Asking, answered: (signal: AbortSignal) => Promise<Feed<Row>>): Promise<void> {
    const { signal } = cut
    heard = []
    set({ asking, ...(asking !== 'again' && { failed: undefined }) })
    const run = async () => {
      try {
        const feed = await answered(signal)
        if (!signal.aborted) set({ ...feed, asking: undefined })
      } catch (error) {
        if (signal.aborted) return
        set({ asking: undefined, ...(asking !== 'again' && { failed: { asking, error } }) })
        throw error
      } finally {
        if (!signal.aborted) running = undefined
      }
    }
    running = run()
    // Whoever asked hears of a failure; whoever only waits for the end does not.
    void running.catch(() => undefined).then(rereadIfWanted)
    return running
  }

  const rereadIfWanted = () => {
    if (again && !running) reread()
  }

  const start = () => question('start', async signal => addArrived(feedFromPages([await ask(0, pageSize, signal)]), heard))

  /** Reads what is loaded once more, from the beginning; nothing happens where that fails. */
  function reread(): void {
    again = running !== undefined
    if (again) return
    if (state.count === undefined) return void start().catch(() => undefined)
    void question('again', async signal => {
      const answers: FeedPage<Row>[] = []
      const wanted = Math.max(pageSize, state.rows.length)
      for (let offset = 0; offset < wanted; offset += maxPerCall)
        answers.push(await ask(offset, Math.min(maxPerCall, wanted - offset), signal))
      return addArrived(feedFromPages(answers), heard)
    }).catch(() => undefined)
  }

  const askForMore = () => {
    const offset = state.rows.length
    return question('more', async signal => {
      const answer = await ask(offset, pageSize, signal)
      const { feed, gone } = addPage(state, offset, answer)
      again ||= gone
      return feed
    })
  }

  return {
    state: () => state,
    /** Starts anew at offset 0. What is shown stays until the answer is there, and where there is none. */
    refresh(): Promise<void> {
      cut.abort()
      cut = new AbortController()
      again = false
      return start()
    },
    /** Loads what follows; where that fails, the offset is what it was. */
    async more(): Promise<void> {
      while (running && !cut.signal.aborted) {
        if (state.asking === 'more') return running
        // What is loaded is about to be another: what follows it is asked for then.
        await running.catch(() => undefined)
      }
      return cut.signal.aborted || isComplete(state) ? undefined : askForMore()
    },
    /** New ones, as the stream tells of them. */
    heard(rows: readonly Row[]): void {
      heard.push(...rows)
      const feed = addArrived(state, rows)
      if (feed !== state) set(feed)
    },
    /** Something may have been missed. Waits for what is on its way. */
    reread,
    stop: () => cut.abort(),
  }
}
