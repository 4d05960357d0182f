/** A list on a server that answers when it is told to, and a feed of it. */
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

/** A server that answers when it is told to, and a stream that tells when it is told to. */
export function world(stored: number) {
  let all = Array.from({ length: stored }, (_, at) => rowOf(Math.floor(at / 2), at * 10)).sort(newestFirst)
  const told: Row[] = []
  const asked: { offset: number; limit: number }[] = []
  let pending: { answer: FeedPage<Row>; resolve: (answer: FeedPage<Row>) => void; reject: (error: Error) => void }[] =
    []
  let waiting: ((settled: 'answer' | 'failure') => void)[] = []
  let serial = stored * 10
  const feed = createFeedLoader<Row>(
    (offset, limit, signal) =>
      new Promise((resolve, reject) => {
        asked.push({ offset, limit })
        signal.addEventListener('abort', () => reject(new DOMException('Stopped', 'AbortError')))
        // As it is when the server looks, which may be before or after others are made.
        const look = () => ({ count: all.length, data: all.slice(offset, offset + limit) })
        waiting.push(settled => {
          if (settled === 'failure') reject(new Error('No'))
          else pending.push({ answer: look(), resolve, reject })
        })
      }),
    () => undefined,
  )
  const settle = () => new Promise<void>(resolve => setImmediate(resolve))
  return {
    feed,
    asked,
    all: () => all,
    /** Made by the server; `back` ones may be of a moment before the newest. */
    make(back: number) {
      const newest = all[0] ? (Date.parse(all[0].created_at) - Date.UTC(2026, 10, 20)) / 1000 : 0
      // Ids are no order: another of the same moment may come before or after.
      serial += 7
      const row = rowOf(Math.max(0, newest + 1 - back), (serial * 7919) % 1_000_000)
      if (all.some(({ _id }) => _id === row._id)) return
      all = [...all, row].sort(newestFirst)
      told.push(row)
    },
    remove(at: number) {
      all = all.filter((_, index) => index !== at % Math.max(1, all.length))
    },
    look(settled: 'answer' | 'failure') {
      const next = waiting.shift()
      next?.(settled)
    },
    answer() {
      const next = pending.shift()
      next?.resolve(next.answer)
    },
    tell() {
      const next = told.shift()
      if (next) feed.receive([next])
    },
    forget: () => told.splice(0),
    settle,
    /** Everything that is under way comes to its end. */
    async rest() {
      for (await settle(); waiting.length + pending.length + told.length > 0; await settle()) {
        for (const each of waiting.splice(0)) each('answer')
        for (const { resolve, answer } of pending.splice(0)) resolve(answer)
        while (told.length > 0) this.tell()
      }
      waiting = []
      pending = []
    },
  }
}
export type World = ReturnType<typeof world>
