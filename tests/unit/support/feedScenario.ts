/** A feed loader on a server whose responses and events a test controls. */
import { createFeedLoader } from '../../../src/api/feedLoader.ts'
import type { FeedPage } from '../../../src/domain/feed.ts'

export interface Row {
  readonly _id: string
  readonly created_at: string
}
const rowOf = (at: number, id: number): Row => ({
  _id: String(id).padStart(6, '0'),
  created_at: new Date(Date.UTC(2026, 10, 20) + at * 1000).toISOString(),
})
export const newestFirst = (one: Row, other: Row) =>
  other.created_at.localeCompare(one.created_at) || other._id.localeCompare(one._id)

/** Opens a feed on a server that stores `stored` rows; the test decides when it handles, responds and publishes. */
export function openFeedScenario(stored: number) {
  let all = Array.from({ length: stored }, (_, at) => rowOf(Math.floor(at / 2), at * 10)).sort(newestFirst)
  const events: Row[] = []
  const requests: { offset: number; limit: number }[] = []
  let pending: { answer: FeedPage<Row>; resolve: (answer: FeedPage<Row>) => void; reject: (error: Error) => void }[] =
    []
  let waiting: ((settled: 'answer' | 'failure') => void)[] = []
  let serial = stored * 10
  const feed = createFeedLoader<Row>(
    (offset, limit, signal) =>
      new Promise((resolve, reject) => {
        requests.push({ offset, limit })
        signal.addEventListener('abort', () => reject(new DOMException('Stopped', 'AbortError')))
        // The rows at the time when the server handles the request.
        const readPage = () => ({ count: all.length, data: all.slice(offset, offset + limit) })
        waiting.push(settled => {
          if (settled === 'failure') reject(new Error('No'))
          else pending.push({ answer: readPage(), resolve, reject })
        })
      }),
    () => undefined,
  )
  const settle = () => new Promise<void>(resolve => setImmediate(resolve))
  return {
    feed,
    requests,
    all: () => all,
    /** Creates a row on the server, `back` seconds before the next second after the newest. */
    create(back: number) {
      const newest = all[0] ? (Date.parse(all[0].created_at) - Date.UTC(2026, 10, 20)) / 1000 : 0
      // Ids are unordered: a row of the same time may sort before or after another.
      serial += 7
      const row = rowOf(Math.max(0, newest + 1 - back), (serial * 7919) % 1_000_000)
      if (all.some(({ _id }) => _id === row._id)) return
      all = [...all, row].sort(newestFirst)
      events.push(row)
    },
    remove(at: number) {
      all = all.filter((_, index) => index !== at % Math.max(1, all.length))
    },
    /** The server handles the oldest request: it reads its rows for a later `respond`, or fails. */
    handle(settled: 'answer' | 'failure') {
      const next = waiting.shift()
      next?.(settled)
    },
    /** Sends the oldest response that is pending. */
    respond() {
      const next = pending.shift()
      next?.resolve(next.answer)
    },
    /** Sends the oldest event that is pending. */
    publish() {
      const next = events.shift()
      if (next) feed.receive([next])
    },
    dropEvents: () => events.splice(0),
    settle,
    /** Completes all requests, responses and events. */
    async settleAll() {
      for (await settle(); waiting.length + pending.length + events.length > 0; await settle()) {
        for (const each of waiting.splice(0)) each('answer')
        for (const { resolve, answer } of pending.splice(0)) resolve(answer)
        while (events.length > 0) this.publish()
      }
      waiting = []
      pending = []
    },
  }
}
export type FeedScenario = ReturnType<typeof openFeedScenario>
