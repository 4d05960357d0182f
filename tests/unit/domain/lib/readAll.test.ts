import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newReadState, readAll, readNotes, type Source } from '../../../../src/domain/lib/readAll.ts'

interface Row {
  readonly key: number
  value: number
}

/**
 * A list to which the next one of `changes` is applied before each page after the first. `stayed` returns the keys of
 * the rows that were in it the whole time: a row that is deleted and created again was not.
 */
function changingList(rows: Row[], sorted: boolean, changes: readonly ((rows: Row[]) => Row[])[]) {
  let now = rows
  let stayed = rows.map(row => row.key)
  let pages = 0
  const source: Source<Row> = {
    limit: 4,
    sorted,
    keyOf: row => String(row.key),
    read(offset, order) {
      const change = pages > 0 ? changes[pages - 1] : undefined
      pages++
      if (change) now = change(now)
      stayed = stayed.filter(key => now.some(row => row.key === key))
      const inOrder = now.toSorted((a, b) => (order === 'stable' ? 0 : a.value - b.value) || a.key - b.key)
      return Promise.resolve({ count: now.length, data: inOrder.slice(offset, offset + 4) })
    },
  }
  return { source, rows: () => now, stayed: () => stayed }
}

async function all(source: Source<Row>) {
  const readState = newReadState()
  const keys: number[] = []
  for await (const page of readAll(source, readState)) keys.push(...page.map(row => row.key))
  return { keys, readState }
}

const rowsUpTo = (count: number): Row[] => Array.from({ length: count }, (_, at) => ({ key: at * 10, value: -at }))

const change = fc.oneof(
  fc.nat(400).map(key => (rows: Row[]) => rows.filter(row => row.key !== Math.round(key / 10) * 10)),
  fc.nat(400).map(key => (rows: Row[]) => (rows.some(row => row.key === key) ? rows : [...rows, { key, value: key }])),
  fc.tuple(fc.nat(40), fc.integer({ min: -50, max: 50 })).map(
    ([at, value]) =>
      (rows: Row[]) =>
        rows.map(row => (row.key === at * 10 ? { ...row, value } : row)),
  ),
)

describe('a list that does not change', () => {
  test.each([0, 1, 3, 4, 5, 7, 8, 40])('of %i rows is read completely and in order', async count => {
    for (const sorted of [false, true]) {
      const { keys, readState } = await all(changingList(rowsUpTo(count), sorted, []).source)
      const inOrder = rowsUpTo(count).map(row => row.key)
      expect(keys).toEqual(sorted ? inOrder.toReversed() : inOrder)
      expect(readNotes(readState)).toEqual([])
    }
  })
})

test('law: in the stable order no row is repeated, and none that exists throughout is missed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 30 }), fc.array(change, { maxLength: 12 }), async (count, changes) => {
      const list = changingList(rowsUpTo(count), false, changes)
      const { keys } = await all(list.source)
      expect(new Set(keys).size).toBe(keys.length)
      for (const key of list.stayed()) expect(keys).toContain(key)
    }),
    { numRuns: 300 },
  )
})

test('law: in a changing order one change misses no row either, and late rows are noted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 5, max: 30 }), change, fc.nat(6), async (count, changed, at) => {
      const list = changingList(rowsUpTo(count), true, [
        ...Array.from({ length: at }, () => (rows: Row[]) => rows),
        changed,
      ])
      const { keys, readState } = await all(list.source)
      expect(new Set(keys).size).toBe(keys.length)
      for (const key of list.stayed()) expect(keys).toContain(key)
      expect(readState.read).toBe(keys.length)
      if (readState.late > 0) expect(readNotes(readState).join()).toContain('out of order')
      if (list.rows().length !== keys.length) expect(readNotes(readState).join()).toContain('The list changed')
    }),
    { numRuns: 300 },
  )
})
