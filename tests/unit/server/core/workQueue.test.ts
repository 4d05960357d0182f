/** Queues of work: how much runs and waits, and whose turn it is. */
import { expect, test } from 'vitest'
import { HttpError } from '../../../../server/core/errors.ts'
import { openWorkQueue, type Slot, type WorkQueue } from '../../../../server/core/workQueue.ts'

const limits = { running: 2, runningPerCaller: 1, waiting: 4, waitingPerCaller: 3, maxWait: 60_000 }

/** Enters for these callers, in this order; records who has started. */
function enterAll(queue: WorkQueue, callers: readonly string[]) {
  const started: string[] = []
  const slots = callers.map(async caller => {
    const slot = await queue.enter(caller)
    started.push(caller)
    return slot
  })
  return { started, slots: slots as readonly Promise<Slot>[] }
}
const settled = () => new Promise(setImmediate)

test('callers take turns, each with as much as it may run', async () => {
  const queue = openWorkQueue(limits)
  const { started, slots } = enterAll(queue, ['a', 'a', 'a', 'b', 'c'])
  await settled()
  expect(started).toEqual(['a', 'b'])
  expect([queue.running, queue.waiting]).toEqual([2, 3])
  const first = await slots[0]!
  first.release()
  first.release()
  await settled()
  // The second of a would come first in a single line.
  expect(started).toEqual(['a', 'b', 'a'])
  ;(await slots[3]!).release()
  await settled()
  expect(started).toEqual(['a', 'b', 'a', 'c'])
  ;(await slots[1]!).release()
  await settled()
  expect(started).toEqual(['a', 'b', 'a', 'c', 'a'])
  ;(await slots[2]!).release()
  ;(await slots[4]!).release()
  expect([queue.running, queue.waiting]).toEqual([0, 0])
})

test('more of a caller than may wait is a 429, more of all is a 503, both with retry-after', async () => {
  const queue = openWorkQueue(limits)
  const headers = { 'retry-after': '30' }
  const { slots } = enterAll(queue, ['a', 'a', 'a', 'a', 'b'])
  await expect(queue.enter('a')).rejects.toMatchObject({ status: 429, headers })
  const shared = openWorkQueue(limits)
  enterAll(shared, ['a', 'a', 'b', 'b', 'c', 'd'])
  await expect(shared.enter('e')).rejects.toMatchObject({ status: 503, headers })
  ;(await slots[0]!).release()
  await expect(slots[1]).resolves.toBeDefined()
})

test('a full queue makes room for who has little waiting, at the cost of who has most', async () => {
  const queue = openWorkQueue(limits)
  const { slots, started } = enterAll(queue, ['a', 'a', 'a', 'a', 'b', 'b', 'c'])
  await expect(slots[3]).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '30' } })
  await settled()
  expect([queue.running, queue.waiting]).toEqual([2, 4])
  for (const slot of [slots[0], slots[4], slots[1], slots[5]]) (await slot!).release()
  await settled()
  expect(started).toEqual(['a', 'b', 'a', 'b', 'c', 'a'])
})

test('what waits too long is a 503, and what its client gives up leaves the queue', async () => {
  const queue = openWorkQueue({ ...limits, maxWait: 1 })
  const slot = await queue.enter('a')
  await expect(queue.enter('a')).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
  const gone = new AbortController()
  const waiting = queue.enter('a', gone.signal)
  gone.abort(new HttpError(499, 'gone'))
  await expect(waiting).rejects.toThrow('gone')
  expect(queue.waiting).toBe(0)
  slot.release()
  await expect(queue.enter('a')).resolves.toBeDefined()
})
