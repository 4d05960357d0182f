/** When events are sent, on a simulated clock. */
import { beforeEach, afterEach, expect, test, vi } from 'vitest'
import type { BusEvent } from '../../../server/bus/bus.ts'
import { openEventBatcher } from '../../../server/bus/eventBatcher.ts'
import { changed } from '../support/buses/buses.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function open(interval: number) {
  const sent: { readonly at: number; readonly events: readonly BusEvent[] }[] = []
  const started = performance.now()
  const batcher = openEventBatcher(
    async events => void sent.push({ at: performance.now() - started, events }),
    interval,
  )
  return { batcher, sent }
}

test('a single event is sent a moment later, whatever the interval', () => {
  const { batcher, sent } = open(250)
  batcher.add(changed('A'))
  vi.advanceTimersByTime(5)
  expect(sent).toEqual([{ at: 5, events: [changed('A')] }])
  // The next one, after a while, does not wait either.
  vi.advanceTimersByTime(1000)
  batcher.add(changed('B'))
  vi.advanceTimersByTime(5)
  expect(sent.at(-1)).toEqual({ at: 1010, events: [changed('B')] })
})

test('events that come all the time are sent once in the interval, and none is lost', () => {
  const { batcher, sent } = open(250)
  for (let at = 0; at < 1000; at += 10) {
    batcher.add(changed(String(at)))
    vi.advanceTimersByTime(10)
  }
  vi.advanceTimersByTime(250)
  expect(sent.map(({ at }) => at)).toEqual([5, 255, 505, 755, 1005])
  expect(sent.flatMap(({ events }) => events)).toHaveLength(100)
})

test('what waits is sent when the batcher is emptied, once', async () => {
  const { batcher, sent } = open(250)
  batcher.add(changed('A'))
  vi.advanceTimersByTime(5)
  batcher.add(changed('B'))
  await batcher.flush()
  vi.advanceTimersByTime(1000)
  expect(sent.map(({ events }) => events)).toEqual([[changed('A')], [changed('B')]])
})
