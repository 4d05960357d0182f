/** What reaches a terminal: no control sequences, and tables that fit. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { showData } from '../../../cli/present.ts'
import { printable, printableJson } from '../../../cli/printable.ts'
import { cellsOf, cut, fittedWidths, tableLines } from '../../../cli/table.ts'

const unsafe = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

test.each([
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b]0;title\u0007after', 'after'],
  ['\u009b31mred', 'red'],
  ['two\nlines\tand\r\nmore', 'two lines and more'],
  ['bell\u0007', 'bell'],
  ['right\u202eleft', 'rightleft'],
  ['Grüße 💧 – ok', 'Grüße 💧 – ok'],
])('%j is printed as %j', (text, printed) => {
  expect(printable(text)).toBe(printed)
})

test('law: no text has control characters once it is printed, and JSON has the same value', () => {
  const hostile = fc.array(
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\u001b[2J', '\u009b1m', '\u001b]8;;x\u0007', '\u202e')),
  )
  fc.assert(
    fc.property(hostile, parts => {
      const text = parts.join('')
      expect(printable(text)).not.toMatch(unsafe)
      expect(printableJson({ text })).not.toMatch(unsafe)
      expect(JSON.parse(printableJson({ text }))).toEqual({ text })
    }),
  )
})

describe('a table', () => {
  test('is as wide as its texts, aligned, without spaces at the end', () => {
    const columns = [{ label: 'Device' }, { label: 'TDS', alignEnd: true }, { label: 'Note' }]
    const rows = [
      ['A4:1C', '7', ''],
      ['B', '1,234', 'x\u001b[31my'],
    ]
    expect(tableLines(columns, rows, Infinity)).toEqual(['Device    TDS  Note', 'A4:1C       7', 'B       1,234  xy'])
  })

  test('counts characters as a terminal shows them', () => {
    expect(['abc', 'é', '💧', '水処理', '👩‍🔧'].map(cellsOf)).toEqual([3, 1, 2, 6, 2])
    expect(cut('水処理水処理', 8)).toBe('水処理…')
  })

  test('cuts texts off first, leaves columns at the end out, and cuts off no number and no name of a row', () => {
    const columns = [{ label: 'Device' }, { label: 'Recovery', alignEnd: true }, { label: 'Note' }, { label: 'Last' }]
    const rows = [['A4:1C:09:7E:33:0B', '1,234', 'a note that is rather long', 'x'.repeat(20)]]
    expect(tableLines(columns, rows, 60)[1]).toBe(`A4:1C:09:7E:33:0B     1,234  a note that i…  ${'x'.repeat(14)}…`)
    expect(tableLines(columns, rows, 40)).toEqual([
      'Device             Recovery  Note',
      'A4:1C:09:7E:33:0B     1,234  a note tha…',
    ])
    expect(tableLines(columns, rows, 10)).toEqual(['Device', 'A4:1C:09:7E:33:0B'])
  })

  test('law: fits the width, if there is room for the first column', () => {
    const widths = fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(widths, fc.integer({ min: 1, max: 200 }), (needed, available) => {
        const lines = tableLines(
          needed.map((_, index) => ({ label: 'L', alignEnd: index % 3 === 1 })),
          [needed.map((width, index) => (index % 2 ? '水' : 'x').repeat(width))],
          available,
        )
        for (const line of lines) expect(cellsOf(line)).toBeLessThanOrEqual(Math.max(available, needed[0]!))
        const needs = needed.map(full => ({ full, min: 1 }))
        expect(fittedWidths(needs, Infinity)).toEqual(needed)
      }),
    )
  })
})

test('an object is printed whole on a narrow terminal: secrets that a call returns once are not cut off', () => {
  const printed: string[] = []
  const terminal = {
    print: (line: string) => void printed.push(line),
    say: () => undefined,
    progress: () => undefined,
    width: 30,
    isInteractive: true,
  }
  const [one, two] = ['x', 'y'].map(letter => letter.repeat(43))
  const credentials = [
    { bssid: 'A4:1C:09:7E:33:0B', secret: one },
    { bssid: 'A4:1C:09:7E:33:0C', secret: two },
  ]
  showData({ created: 2, names: ['a', 'b'], key: one, credentials }, { terminal, isJson: false })
  expect(printed).toEqual([
    'created  2',
    'names    ["a","b"]',
    `key      ${one}`,
    'credentials',
    'bssid              secret',
    `A4:1C:09:7E:33:0B  ${one}`,
    `A4:1C:09:7E:33:0C  ${two}`,
  ])
})
