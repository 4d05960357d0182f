import { read, utils } from '@e965/xlsx'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatRows, toCsv } from '../../../src/domain/csv.ts'

test('cells are quoted only if necessary', () => {
  expect(
    toCsv([
      ['a', 'b c'],
      ['x,y', 'say "hi"'],
      ['two\nlines', ''],
    ]),
  ).toBe('a,b c\r\n"x,y","say ""hi"""\r\n"two\nlines",\r\n')
  expect(toCsv([])).toBe('')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('the formula %j is escaped as text', cell => {
  const [, first] = toCsv([['x', cell]]).split(',')
  expect(first).toMatch(/^"?'/)
})

test('a spreadsheet reads the same cells, except for the apostrophe that escapes formulas', () => {
  // Line breaks may be read as another kind, and after the other separators formulas are escaped, too.
  const cell = fc.string().filter(text => !/[\r\n\0;\t]/.test(text))
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(table, rows => {
      const book = read(toCsv([['head', 'er'], ...rows]), { type: 'string', raw: true, FS: ',' })
      const back = utils.sheet_to_json<string[]>(book.Sheets[book.SheetNames[0]!]!, {
        header: 1,
        raw: false,
        defval: '',
        blankrows: true,
      })
      for (const [at, row] of rows.entries())
        for (const [place, text] of row.entries())
          expect(back[at + 1]?.[place] ?? '').toBe(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)
    }),
  )
})

/** Returns the cells of a text as Excel reads it with this list separator: only a quote at the start of a cell encloses it. */
function cellsOf(text: string, separator: string): string[] {
  const cells: string[] = []
  for (let at = 0; at < text.length; at++) {
    let cell = ''
    if (text[at] === '"')
      for (at++; at < text.length; at++) {
        if (text[at] === '"' && text[++at] !== '"') break
        cell += text[at] ?? ''
      }
    for (; at < text.length && text[at] !== separator && text[at] !== '\r' && text[at] !== '\n'; at++) cell += text[at]
    cells.push(cell)
  }
  return cells
}

const separators = [',', ';', '\t'] as const
const texts = fc.string({ unit: fc.constantFrom('=', '-', ',', ';', '\t', '\r', '\n', '"', ' ', 'a'), maxLength: 12 })
const rowsOfTexts = fc.array(fc.array(texts, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 })

test.each(separators.flatMap(list => ([',', '\t'] as const).map(own => [own, list] as const)))(
  'law: no cell of a file with the separator %j is a formula where the list separator is %j',
  (own, listSeparator) => {
    fc.assert(
      fc.property(rowsOfTexts, rows => {
        for (const cell of cellsOf(formatRows(rows, own), listSeparator)) expect(cell).not.toMatch(/^[=+\-@]/)
      }),
      { numRuns: 1000 },
    )
  },
)

test.each([
  ['x;=HYPERLINK(1)', "x;'=HYPERLINK(1)"],
  ['x;"=1;', `"x;'""=1;"`],
  ['two\n-1', `"two\n'-1"`],
  ['Kitchen; -1 floor, +47 22 33 44 55', '"Kitchen; -1 floor, +47 22 33 44 55"'],
  ['a;b - c = d', 'a;b - c = d'],
])('of %j only what another list separator would make a formula is escaped', (text, expected) => {
  expect(toCsv([['first', text]])).toBe(`first,${expected}\r\n`)
})
