/** The tracks of a table's grid. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clampWidth, fitColumns, stickyCount, trackVariables } from '../../../../src/ui/table/tracks.ts'

const columns = [
  { id: 'id', width: 100 },
  { id: 'name', width: 200 },
  { id: 'note', width: 300 },
]

test('the last column takes the remaining width unless the person set its width', () => {
  expect(trackVariables(columns, 1)).toEqual({
    '--template': '40px 100px 200px minmax(300px,1fr) 0px 40px',
    '--start': '40px 100px',
    '--width': '680px',
  })
  const fixed = [columns[0]!, columns[1]!, { id: 'note', width: 300, fixed: true }]
  expect(trackVariables(fixed, 2)).toEqual({
    '--template': '40px 100px 200px 300px minmax(0,1fr) 40px',
    '--start': '40px 100px 200px',
    '--width': '680px',
  })
})

test('a measured column is as wide as its content', () => {
  expect(trackVariables(columns, 2, 'name')).toMatchObject({
    '--template': '40px 100px max-content minmax(300px,1fr) 0px 40px',
    '--start': '40px 100px max-content',
  })
})

test('pinned columns stay in place as far as they leave a third of the table to scroll', () => {
  expect(stickyCount(columns, 1, 1000)).toBe(1)
  expect(stickyCount(columns, 3, 1000)).toBe(3)
  expect(stickyCount(columns, 3, 600)).toBe(2)
  expect(stickyCount(columns, 3, 300)).toBe(1)
  expect(stickyCount(columns, 3, 90)).toBe(0)
  // The names of groups on a phone would cover the whole table.
  expect(stickyCount([{ id: 'name', width: 320 }], 1, 390)).toBe(0)
})

describe('no column is cut off at the edge of the table', () => {
  const widths = (tableWidth: number, sized = columns) => fitColumns(sized, tableWidth).map(({ width }) => width)

  test('columns that fit, or end at the edge, keep their widths', () => {
    expect(widths(1000)).toEqual([100, 200, 300])
    expect(widths(380)).toEqual([100, 200, 300])
  })
  test('a column at the edge that mostly fits gets narrower', () => {
    expect(widths(600)).toEqual([100, 200, 220])
  })
  test('a narrower rest is divided among the columns before it', () => {
    expect(widths(480)).toEqual([150, 250, 300])
  })
  test('widths that the person has set stay', () => {
    const fixed = columns.map(column => ({ ...column, fixed: column.id !== 'id' }))
    expect(widths(600, fixed)).toEqual([320, 200, 300])
    expect(
      widths(
        600,
        fixed.map(column => ({ ...column, fixed: true })),
      ),
    ).toEqual([100, 200, 300])
  })
  test('a table narrower than its first column changes nothing', () => {
    expect(widths(90)).toEqual([100, 200, 300])
  })
  test('the columns before the edge fill the table, at any widths', () => {
    const sizes = fc.array(fc.integer({ min: 48, max: 400 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(sizes, fc.integer({ min: 200, max: 2000 }), (all, tableWidth) => {
        const fitted = fitColumns(
          all.map((width, index) => ({ id: String(index), width })),
          tableWidth,
        )
        const room = tableWidth - 80
        if (all[0]! > room || all.reduce((sum, width) => sum + width, 0) <= room) return
        const ends = fitted.map((_, index) => fitted.slice(0, index + 1).reduce((sum, { width }) => sum + width, 0))
        expect(ends.some(end => end <= room && end > room - all.length)).toBe(true)
      }),
    )
  })
})

test('a width is rounded and limited', () => {
  expect(clampWidth(99.6, { min: 48, max: 800 })).toBe(100)
  expect(clampWidth(-5, { min: 48, max: 800 })).toBe(48)
  expect(clampWidth(5000, { min: 48, max: 800 })).toBe(800)
})
