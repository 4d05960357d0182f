import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { divideFile } from '../../../../src/commands/devices/fileParts.ts'

const recordsOf = (text: string) =>
  parse(text, {
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: false,
  })
const csv = (text: string) => new File([text], 'devices.csv')
const divided = async (text: string, limits: { rows: number; bytes: number }) =>
  Promise.all(
    (await divideFile(csv(text), limits)).map(async ({ file, ...part }) => ({ ...part, text: await file.text() })),
  )

const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', 'ü', ' '), maxLength: 6 })
const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const row = fc.array(cell, { minLength: 2, maxLength: 3 }).map(cells => cells.map(quoted).join(','))

describe('a divided file', () => {
  test('has all rows of the whole in order, with the header before each part and the numbers of the whole', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 20 }),
        fc.constantFrom('\r\n', '\n', '\r'),
        fc.boolean(),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 20, max: 60 }),
        async (rows, lineEnd, endsWithLine, maxRows, maxBytes) => {
          const text = ['\uFEFFbssid,"na\nme"', ...rows].join(lineEnd) + (endsWithLine ? lineEnd : '')
          const parts = await divided(text, { rows: maxRows, bytes: maxBytes })
          const [header, ...all] = recordsOf(text)
          const records = parts.map(part => recordsOf(part.text))
          expect(records.map(([first]) => first)).toEqual(parts.map(() => header))
          expect(records.flatMap(part => part.slice(1))).toEqual(all)
          let next = 2
          for (const { firstRow, rows: count, text: content } of parts) {
            expect(firstRow).toBe(next)
            next += count
            expect(count).toBeLessThanOrEqual(maxRows)
            if (count > 1) expect(Buffer.byteLength(content)).toBeLessThanOrEqual(maxBytes)
          }
          expect(next).toBe(all.length + 2)
        },
      ),
    )
  })

  test('keeps CR and LF together where two slices that are read meet', async () => {
    const first = 'x'.repeat(1024 * 1024 - 4)
    const parts = await divided(`a\r\n${first}\r\ny`, { rows: 1, bytes: 10_000_000 })
    expect(parts.map(({ text, firstRow }) => [firstRow, text])).toEqual([
      [2, `a\r\n${first}\r\n`],
      [3, 'a\r\ny'],
    ])
  })

  test('has no parts without rows', async () => {
    expect(await divided('', { rows: 5, bytes: 100 })).toEqual([])
    expect(await divided('bssid,name\r\n', { rows: 5, bytes: 100 })).toEqual([])
  })
})
