import { expect, test } from 'vitest'
import { openUnsynced } from '../../../../server/devices/ingest/unsynced.ts'

test('devices are taken once in a round, sorted, and those that are added meanwhile in the next round', () => {
  const unsynced = openUnsynced()
  unsynced.add(['C', 'A', 'B', 'A'])
  expect(unsynced.size).toBe(3)
  expect(unsynced.take(2)).toEqual(['A', 'B'])
  unsynced.add(['A', 'B'])
  expect(unsynced.size).toBe(3)
  expect(unsynced.take(2)).toEqual(['C'])
  expect(unsynced.take(2)).toEqual(['A', 'B'])
  expect(unsynced.take(2)).toEqual([])
  expect(unsynced.size).toBe(0)
})
