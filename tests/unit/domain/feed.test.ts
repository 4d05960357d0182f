/** Items of another source among the rows of a feed. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addBetween } from '../../../src/domain/feed.ts'

const item = (id: string, minute: number) => ({
  _id: id,
  created_at: new Date(Date.UTC(2026, 10, 25, 12, minute)).toISOString(),
})
const idsOf = ({ rows }: { readonly rows: readonly { readonly _id: string }[] }) => rows.map(({ _id }) => _id)

test('items are in their places by time, and counted', () => {
  const feed = { rows: [item('b', 30), item('a', 10)], count: 2 }
  const merged = addBetween(feed, [item('z', 20), item('y', 5), item('x', 40)])
  expect(idsOf(merged)).toEqual(['x', 'b', 'z', 'a', 'y'])
  expect(merged.count).toBe(5)
})

test('items older than the loaded rows wait until all before them are loaded', () => {
  const others = [item('z', 20), item('y', 5)]
  expect(addBetween({ rows: [item('a', 10)], count: 7 }, others)).toMatchObject({ count: 8 })
  expect(idsOf(addBetween({ rows: [item('a', 10)], count: 7 }, others))).toEqual(['z', 'a'])
  expect(idsOf(addBetween({ rows: [], count: 0 }, others))).toEqual(['z', 'y'])
})

test('a feed that is loading, or without other items, is unchanged', () => {
  const loading = { rows: [], count: undefined }
  expect(addBetween(loading, [item('z', 20)])).toBe(loading)
  const feed = { rows: [item('a', 10)], count: 1 }
  expect(addBetween(feed, [])).toBe(feed)
})

test('as many rows are left to load as before', () => {
  const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { maxLength: 20 })
  fc.assert(
    fc.property(minutes, minutes, fc.nat(5), (own, others, left) => {
      const rows = own.toSorted((a, b) => b - a).map(minute => item(`own${minute}`, minute))
      const merged = addBetween(
        { rows, count: rows.length + left },
        others.map(minute => item(`other${minute}`, minute)),
      )
      expect(merged.count! - merged.rows.length).toBe(left)
      expect(idsOf(merged).filter(id => id.startsWith('own'))).toEqual(rows.map(({ _id }) => _id))
    }),
  )
})
