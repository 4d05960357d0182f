import { read, utils } from '@e965/xlsx'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { escapeFormulas } from '../../../../src/domain/csv.ts'
import { writers } from '../../../../src/commands/export/writers.ts'
import type { ExportCell, ExportHead, ExportRow, ExportType } from '../../../../src/domain/exportTable.ts'

const head: ExportHead = {
  title: 'Devices',
  zone: 'Europe/Berlin',
  columns: [
    { key: 'bssid', name: 'Device' },
    { key: 'temperature', name: 'Temperature', unit: '°C' },
    { key: 'last_active', name: 'Last active', times: true },
    { key: 'description', name: 'Description' },
  ],
}
const headings = ['Device', 'Temperature (°C)', 'Last active (Europe/Berlin)', 'Description']
const notes = ['Times in Europe/Berlin', 'Those whose Description contains ‘=1’']

/** Returns the file written from these pages of rows. */
async function fileOf(type: ExportType, pages: readonly (readonly ExportRow[])[], of = head): Promise<Uint8Array> {
  const writer = writers[type](of)
  for (const page of pages) writer.add(page)
  return new Uint8Array(await new Blob(writer.end(notes)).arrayBuffer())
}
const textOf = (file: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(file)

const formula = /^[=+\-@\t\r]/
/** Returns a cell as it is exported: formulas are escaped. */
const escapedText = (cell: ExportCell) =>
  cell === null ? '' : typeof cell === 'string' && formula.test(cell) ? `'${cell}` : String(cell)

const dangerous = fc.constantFrom(
  '=HYPERLINK("http://x","y")',
  '@SUM(A1)',
  '+1',
  '-2',
  '\t=1',
  '\r=1',
  '=cmd|x',
  '"',
  "'",
)
/** Without lone surrogates, which UTF-8 cannot encode. */
const anyText = fc
  .oneof(fc.string({ unit: 'grapheme' }), dangerous, fc.string({ unit: 'binary' }))
  .filter(text => !text.includes('\0') && text.isWellFormed())
const anyNumber = fc.double({ noNaN: true, noDefaultInfinity: true })
const cell: fc.Arbitrary<ExportCell> = fc.oneof(anyText, anyNumber, fc.constant(null))
const row = fc.tuple(anyText, fc.option(anyNumber), fc.constant(null), anyText)
const pages = fc.array(fc.array(row, { maxLength: 6 }), { maxLength: 4 })

describe.each([
  ['csv', ','],
  ['txt', '\t'],
] as const)('%s', (type, delimiter) => {
  test('law: another parser reads the same cells, with formulas escaped and numbers unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(pages, async rows => {
        const file = textOf(await fileOf(type, rows))
        expect(file.startsWith('\uFEFF')).toBe(true)
        const table = type === 'csv' ? file : file.slice(file.indexOf('\r\n\r\n') + 4)
        const found: string[][] = parse(table, { delimiter, bom: true, record_delimiter: '\r\n' })
        const exported = (one: ExportCell) =>
          typeof one === 'string' ? escapeFormulas(one, delimiter) : escapedText(one)
        expect(found).toEqual([headings, ...rows.flat().map(one => one.map(exported))])
        for (const [place, one] of rows.flat().entries())
          if (typeof one[1] === 'number') expect(Number(found[place + 1]![1])).toBe(one[1] + 0)
      }),
    )
  })
})

test('a text file begins with its title and notes', async () => {
  const [first, ...lines] = textOf(await fileOf('txt', [])).split('\r\n')
  expect(first).toBe('\uFEFFDevices')
  expect(lines).toEqual([...notes, '', headings.join('\t'), ''])
})

test('law: JSON contains the exact values', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(fc.tuple(cell, cell, cell, cell), { maxLength: 4 })), async rows => {
      const file = JSON.parse(textOf(await fileOf('json', rows))) as { rows: Record<string, ExportCell>[] }
      expect(file).toMatchObject({ title: 'Devices', zone: 'Europe/Berlin', notes })
      // JSON has no negative zero.
      const plain = (value: ExportCell) => (typeof value === 'number' ? value + 0 : value)
      expect(file.rows.map(one => Object.values(one))).toEqual(rows.flat().map(one => one.map(plain)))
      for (const one of file.rows)
        expect(Object.keys(one)).toEqual(['bssid', 'temperature', 'last_active', 'description'])
    }),
  )
})

describe('xls', () => {
  const open = (file: Uint8Array) => read(file, { type: 'array', cellNF: true })

  test('law: another parser reads text as text and numbers as numbers', async () => {
    await fc.assert(
      fc.asyncProperty(pages, async rows => {
        const book = open(await fileOf('xls', rows))
        expect(book.SheetNames).toEqual(['Devices', 'About'])
        const sheet = book.Sheets.Devices!
        for (const [at, one] of [headings, ...rows.flat()].entries())
          for (const [place, value] of one.entries()) {
            const found = sheet[utils.encode_cell({ r: at, c: place })] as
              | { t: string; v: unknown; f?: string }
              | undefined
            if (value === null || value === '') expect(found).toBeUndefined()
            else expect(found).toMatchObject({ t: typeof value === 'string' ? 's' : 'n' })
            if (typeof value === 'number') expect(found?.v).toBe(value)
            else if (value) expect(found?.v).toBe(escapedText(value))
            expect(found?.f).toBeUndefined()
          }
      }),
    )
  })

  test('times are numbers formatted with their offset', async () => {
    const at = ['2026-10-25T02:30:00+02:00', '2026-10-25T02:30:00+01:00', '2026-03-01T00:00:05-03:30']
    const book = open(await fileOf('xls', [at.map(time => ['A4', 1, time, ''])]))
    const found = ['C2', 'C3', 'C4'].map(place => book.Sheets.Devices![place] as { t: string; w: string })
    expect(found.map(({ t, w }) => [t, w])).toEqual(at.map(time => ['n', time]))
  })

  test('long texts continue in further records, with one or two bytes a character', async () => {
    const long = (letter: string, length: number) =>
      Array.from({ length }, (_, at) => (at % 7 ? letter : at % 10)).join('')
    const rows: ExportRow[] = [3, 8210, 8221, 8222, 16_440, 4109, 4111, 32_767, 2, 9000].flatMap(length => [
      [long('x', length), 1, null, long('水', length)],
      [long('é', length - 1), 2, null, `${long('x', length - 1)}Ω`],
    ])
    const book = open(await fileOf('xls', [rows]))
    const back = utils.sheet_to_json<string[]>(book.Sheets.Devices!, { header: 1, raw: true })
    for (const [at, one] of rows.entries())
      for (const place of [0, 3]) expect(back[at + 1]![place] === one[place]).toBe(true)
  })

  test('rows beyond the limit of a sheet continue in the next, also in a file with a second sector table', async () => {
    const of = { ...head, columns: [...head.columns, { name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }] }
    const rows = Array.from({ length: 66_000 }, (_, at): ExportRow => [`A${at}`, at, null, 'same', at / 3, at, at, at])
    const file = await fileOf('xls', [rows.slice(0, 50_000), rows.slice(50_000)], of)
    expect(file.length).toBeGreaterThan(109 * 128 * 512)
    const book = open(file)
    expect(book.SheetNames).toEqual(['Devices', 'Devices 2', 'About'])
    expect(book.Sheets.Devices!['!ref']).toBe('A1:H65536')
    expect(book.Sheets['Devices 2']!['!ref']).toBe('A1:H466')
    expect([book.Sheets.Devices!.A65536, book.Sheets['Devices 2']!.A2, book.Sheets['Devices 2']!.E466]).toMatchObject([
      { v: 'A65534' },
      { v: 'A65535' },
      { v: 65_999 / 3 },
    ])
  })
})
