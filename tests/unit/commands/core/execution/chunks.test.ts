import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { PreviousValues } from '../../../../../src/api/contract/endpoint.ts'
import { ApiError } from '../../../../../src/api/errors.ts'
import { chunkSize, inChunks } from '../../../../../src/commands/core/execution/chunks.ts'
import type { Outcome } from '../../../../../src/commands/core/runs/outcome.ts'

const noProgress = { report: () => undefined, signal: new AbortController().signal }
const idsUpTo = (count: number) => Array.from({ length: count }, (_, at) => `id ${at}`)

/** Expects that each id is in exactly one of done and failed, as for every bulk operation. */
function expectAllAccounted({ done, failed }: Outcome, ids: readonly string[]) {
  expect([...done, ...failed.map(({ id }) => id)].toSorted()).toEqual([...ids].toSorted())
}

describe('inChunks', () => {
  test('law: returns each id in exactly one of done and failed, for any refusals and lost calls', async () => {
    const counts = fc.integer({ min: 1, max: 1500 })
    await fc.assert(
      fc.asyncProperty(counts, fc.nat(9), fc.infiniteStream(fc.boolean()), async (count, refused, lost) => {
        const ids = idsUpTo(count)
        const sent: string[] = []
        const outcome = await inChunks(ids, noProgress, async chunk => {
          sent.push(...chunk)
          // If all chunks are lost, the whole call throws, so the first chunk always succeeds.
          if (sent.length > chunk.length && lost.next().value) throw new ApiError(503, 'The server answered 503')
          const failed = chunk.filter(id => id.endsWith(String(refused))).map(id => ({ id, message: 'No' }))
          return Promise.resolve({ count: chunk.length - failed.length, total: chunk.length, failed })
        })
        expectAllAccounted(outcome, ids)
        expect(sent).toEqual(ids)
        expect(outcome.done.some(id => id.endsWith(String(refused)))).toBe(false)
      }),
      { numRuns: 40 },
    )
  })

  test('runs at most three calls at once for all commands together, which take turns', async () => {
    const waiting: (() => void)[] = []
    const started: string[] = []
    const run = (name: string) =>
      inChunks(idsUpTo(1000), noProgress, async chunk => {
        started.push(name)
        await new Promise<void>(resolve => waiting.push(resolve))
        return { count: chunk.length, total: chunk.length, failed: [] }
      })
    const outcomes = Promise.all([run('first'), run('second')])
    const calls = 2 * Math.ceil(1000 / chunkSize(1000))
    for (let answered = 0; answered < calls; answered++) {
      await vi.waitUntil(() => waiting.length === Math.min(3, calls - answered))
      waiting.shift()?.()
    }
    for (const outcome of await outcomes) expectAllAccounted(outcome, idsUpTo(1000))
    expect(new Set(started.slice(0, 6))).toEqual(new Set(['first', 'second']))
  })

  test('uses chunks small enough to cancel between them, and few calls', () => {
    for (const count of [1, 50, 456, 10_000]) {
      const calls = Math.ceil(count / chunkSize(count))
      expect(calls).toBeGreaterThanOrEqual(Math.min(9, Math.ceil(count / 50)))
      expect(calls).toBeLessThanOrEqual(Math.max(12, count / 200))
    }
  })

  test('sends nothing more after a program error', async () => {
    const sent: string[] = []
    const failing = async (chunk: string[]) => {
      sent.push(...chunk)
      await Promise.resolve()
      throw new TypeError('undefined is not a function')
    }
    await expect(inChunks(idsUpTo(2400), noProgress, failing)).rejects.toThrow(TypeError)
    await inChunks(idsUpTo(1), noProgress, () => Promise.resolve({ count: 1, total: 1, failed: [] }))
    expect(sent).toHaveLength(600)
  })

  test('reports the previous values of the other chunks before a program error', async () => {
    const reported: string[] = []
    const replaced: string[] = []
    const failing = async (chunk: string[]) => {
      await Promise.resolve()
      if (chunk.includes('id 450')) throw new TypeError('undefined is not a function')
      const before = [{ ids: chunk, values: { locked: false } }]
      replaced.push(...chunk)
      return { count: chunk.length, total: chunk.length, failed: [], before }
    }
    const ended = (_: unknown, __: unknown, before: readonly PreviousValues[] = []) =>
      void reported.push(...before.flatMap(({ ids }) => ids))
    await expect(inChunks(idsUpTo(2400), noProgress, failing, ended)).rejects.toThrow(TypeError)
    expect(replaced.length).toBeGreaterThan(0)
    expect(reported).toEqual(replaced)
  })

  test('throws if every chunk was lost', async () => {
    const lost = () => Promise.reject(new ApiError(0, 'The server cannot be reached'))
    for (const count of [3, 60, 2400])
      await expect(inChunks(idsUpTo(count), noProgress, lost)).rejects.toThrow('The server cannot be reached')
  })

  test('throws a program error instead of reporting failed devices', async () => {
    const failing = () => Promise.reject(new TypeError('undefined is not a function'))
    await expect(inChunks(idsUpTo(500), noProgress, failing)).rejects.toThrow(TypeError)
  })

  test('sends no more chunks once cancelled, and reports the rest as cancelled', async () => {
    const cancel = new AbortController()
    const ids = idsUpTo(2400)
    const sent: string[] = []
    const outcome = await inChunks(ids, { report: () => undefined, signal: cancel.signal }, async chunk => {
      sent.push(...chunk)
      if (sent.length >= 400) cancel.abort()
      return Promise.resolve({ count: chunk.length, total: chunk.length, failed: [] })
    })
    expectAllAccounted(outcome, ids)
    expect(sent).toHaveLength(400)
    expect(outcome.done).toEqual(sent)
    expect(new Set(outcome.failed.map(({ message }) => message))).toEqual(new Set(['Cancelled before it was sent']))
  })

  test('reports progress', async () => {
    const reported: [number, number][] = []
    await inChunks(
      idsUpTo(500),
      { ...noProgress, report: (done, total) => reported.push([done, total]) },
      async chunk => Promise.resolve({ count: chunk.length, total: chunk.length, failed: [] }),
    )
    expect(reported[0]).toEqual([0, 500])
    expect(reported.at(-1)).toEqual([500, 500])
    expect(reported.length).toBeGreaterThan(2)
  })
})
