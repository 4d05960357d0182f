import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstColumns, firstRows, overscan } from '../../../../src/ui/table/firstWindow.ts'
import { boxWidth } from '../../../../src/ui/table/tracks.ts'

const widths = fc.array(fc.integer({ min: 40, max: 400 }), { minLength: 1, maxLength: 30 })
const columnsOf = (list: readonly number[]) => list.map((width, index) => ({ id: String(index), width }))

describe('the first rows', () => {
  test('begin below the head and are one after the other', () => {
    expect(firstRows(3, { height: 500, rowHeight: 33, head: 40 })).toEqual([
      { index: 0, start: 40 },
      { index: 1, start: 73 },
      { index: 2, start: 106 },
    ])
  })

  test('fill the table, with some more and never more than there are', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(3000), (count, height) => {
        const rows = firstRows(count, { height: height + 40, rowHeight: 33, head: 40 })
        const end = rows.length === 0 ? 40 : rows.at(-1)!.start + 33
        expect(rows.length === count || end >= height + 40).toBe(true)
        expect(rows.length).toBeLessThanOrEqual(Math.min(count, height / 33 + 1 + overscan.rows))
      }),
    )
  })
})

describe('the first columns', () => {
  test('are those that show, and the next one', () => {
    const columns = columnsOf([100, 100, 100, 100, 100, 100])
    expect(firstColumns(columns, boxWidth + 250)).toEqual([0, 1, 2, 3])
    expect(firstColumns(columns, boxWidth + 200)).toEqual([0, 1, 2])
    expect(firstColumns(columns, 10_000)).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('cover the width of the table, or are all', () => {
    fc.assert(
      fc.property(widths, fc.nat(4000), (list, width) => {
        const shown = firstColumns(columnsOf(list), width)
        const end = shown.reduce((sum, index) => sum + list[index]!, boxWidth)
        expect(shown.length === list.length || end >= width).toBe(true)
        expect(shown).toEqual([...list.keys()].slice(0, shown.length))
      }),
    )
  })
})
