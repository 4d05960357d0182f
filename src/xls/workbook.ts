/**
 * An Excel workbook (.xls, BIFF8), written as its rows arrive: of what has been written only bytes are kept, whose
 * parts the browser holds. Written by hand because the library that reads such files takes minutes, and gigabytes,
 * for those of a fleet. Formats: [MS-XLS].
 */
import { escapeFormula } from '../domain/csv.ts'
import { headingOf, type ExportCell, type ExportHead } from '../domain/exportTable.ts'
import { bookRecords } from './bookRecords.ts'
import { createBytes, type Bytes } from './bytes.ts'
import { compoundFile, minStreamSize } from './compoundFile.ts'
import { createSharedStrings, record } from './records.ts'
import { createStyles, styles } from './styles.ts'
import type { Writer } from './writer.ts'

/** The most rows of a sheet, its heading among them; and the most characters of a cell. */
const maxRows = 65_536
const maxCharacters = 32_767
/** Excel allows no more in a sheet's name, and none of these in it. */
const nameOf = (title: string, number: number) => {
  const after = number === 1 ? '' : ` ${number}`
  return `${title.replace(/[[\]:*?/\\']/g, ' ').slice(0, 31 - after.length)}${after}`
}

interface Sheet {
  readonly name: string
  readonly parts: BlobPart[]
  bytes: number
  rows: number
}

const types = { beginOf: 0x0809, endOf: 0x000a, number: 0x0203, text: 0x00fd, window: 0x023e, pane: 0x0041 }

export function workbookWriter(head: ExportHead): Writer {
  const strings = createSharedStrings()
  const formats = createStyles()
  const bytes = createBytes()
  const sheets: Sheet[] = []
  const columns = head.columns.map(({ times }) => ({ times: times ?? false }))
  const headings = head.columns.map(column => headingOf(column, head.zone))

  const keep = (sheet: Sheet) => {
    sheet.bytes += bytes.length
    sheet.parts.push(new Blob([bytes.taken()]))
    bytes.clear()
  }
  const addCell = (row: number, column: number, cell: ExportCell, style: number) => {
    if (cell === null || cell === '') return
    if (typeof cell === 'number') {
      if (Number.isFinite(cell)) addNumber(bytes, row, column, styles.number, cell)
      return
    }
    const time = columns[column]?.times === true && style !== styles.heading ? formats.timeOf(cell) : undefined
    if (time) return addNumber(bytes, row, column, time.style, time.serial)
    const place = strings.placeOf(escapeFormula(cell).slice(0, maxCharacters))
    record(bytes, types.text, row, column, style, place & 0xffff, place >>> 16)
  }
  const open = (name: string): Sheet => {
    const sheet = { name, parts: [], bytes: 0, rows: 0 }
    sheets.push(sheet)
    return sheet
  }
  const addRow = (sheet: Sheet, cells: readonly ExportCell[], style: number) => {
    for (const [column, cell] of cells.entries()) addCell(sheet.rows, column, cell, style)
    sheet.rows++
  }
  let sheet: Sheet | undefined
  const openNext = (): Sheet => {
    const next = open(nameOf(head.title, sheets.length + 1))
    addRow(next, headings, styles.heading)
    return next
  }

  return {
    type: 'application/vnd.ms-excel',
    add(rows) {
      sheet ??= openNext()
      for (const row of rows) {
        if (sheet.rows === maxRows) {
          keep(sheet)
          sheet = openNext()
        }
        addRow(sheet, row, styles.text)
      }
      keep(sheet)
    },
    end(notes) {
      sheet ??= openNext()
      keep(sheet)
      // Behind the rows, so that they are what is seen first and what other programs read.
      const about = open('About')
      addRow(about, [head.title], styles.heading)
      for (const note of notes) addRow(about, [note], styles.text)
      keep(about)
      return fileOf(sheets, head.columns.length, formats.records(), strings.end())
    },
  }
}

function addNumber(bytes: Bytes, row: number, column: number, style: number, value: number): void {
  bytes.u16(types.number)
  bytes.u16(14)
  bytes.u16(row)
  bytes.u16(column)
  bytes.u16(style)
  bytes.f64(value)
}

/** The whole file: what is known only at its end stands at its beginning. */
function fileOf(
  sheets: readonly Sheet[],
  columns: number,
  formats: (bytes: Bytes) => void,
  strings: Uint8Array<ArrayBuffer>,
): BlobPart[] {
  const framed = sheets.map((sheet, at) => {
    const about = at === sheets.length - 1
    const { before, after } = sheetFrame(sheet.rows, about ? 1 : columns, { first: at === 0, frozen: !about })
    return {
      name: sheet.name,
      parts: [before, ...sheet.parts, after],
      bytes: before.length + sheet.bytes + after.length,
    }
  })
  const book = bookRecords(framed, formats, strings)
  const written = framed.reduce(
    (sum, { bytes }) => sum + bytes,
    book.reduce((sum, part) => sum + part.length, 0),
  )
  const stream = Math.max(minStreamSize, Math.ceil(written / 512) * 512)
  const { before, after } = compoundFile('Workbook', stream)
  return [before, ...book, ...framed.flatMap(({ parts }) => parts), new Uint8Array(stream - written), after]
}

/** What stands before and after a sheet's cells. */
function sheetFrame(rows: number, columns: number, { first, frozen }: { first: boolean; frozen: boolean }) {
  const before = createBytes(256)
  record(before, types.beginOf, 0x0600, 0x0010, 0x0dbb, 0x07cc, 0xc1, 0, 6, 3)
  // Columns wide enough for a time, in 1/256 of a character.
  record(before, 0x007d, 0, Math.max(0, columns - 1), (frozen ? 20 : 80) * 256, styles.number, 0, 0)
  record(before, 0x0200, 0, 0, rows & 0xffff, rows >>> 16, 0, columns, 0)
  const after = createBytes(256)
  // Gridlines, headings, zeros; the heading row stays when one scrolls.
  record(after, types.window, 0x00b6 | (first ? 0x0600 : 0) | (frozen ? 0x0108 : 0), 0, 0, 0x40, 0, 0, 0, 0, 0)
  if (frozen) {
    after.u16(types.pane)
    after.u16(10)
    for (const word of [0, 1, 1, 0, 2]) after.u16(word)
  }
  record(after, types.endOf)
  return { before: before.taken(), after: after.taken() }
}
