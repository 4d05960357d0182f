/**
 * Writes an Excel workbook (.xls, BIFF8, [MS-XLS]) while its rows arrive. Written rows are kept as blobs, which the
 * browser may move out of memory. SheetJS, which reads these files, needs minutes and gigabytes to write a fleet.
 */
import { escapeFormula } from '../domain/csv.ts'
import { headingOf, type ExportCell, type ExportHead } from '../domain/exportTable.ts'
import { bookRecords } from './bookRecords.ts'
import { createByteWriter, type ByteWriter } from './byteWriter.ts'
import { compoundFile, minStreamSize } from './compoundFile.ts'
import { createSharedStrings, writeRecord } from './records.ts'
import { createStyles, styles } from './styles.ts'
import type { Writer } from './writer.ts'

/** BIFF8 limits: rows of a sheet including the heading, and characters of a cell. */
const maxRows = 65_536
const maxCharacters = 32_767
/** Returns a valid sheet name: Excel allows 31 characters and none of `[]:*?/\'`. */
const sheetName = (title: string, number: number) => {
  const after = number === 1 ? '' : ` ${number}`
  return `${title.replace(/[[\]:*?/\\']/g, ' ').slice(0, 31 - after.length)}${after}`
}

interface Sheet {
  readonly name: string
  readonly parts: BlobPart[]
  bytes: number
  rows: number
}

const recordTypes = { beginOf: 0x0809, endOf: 0x000a, number: 0x0203, text: 0x00fd, window: 0x023e, pane: 0x0041 }

/** Returns a writer of an .xls file. Rows beyond a sheet's limit continue on another sheet. */
export function workbookWriter(head: ExportHead): Writer {
  const strings = createSharedStrings()
  const formats = createStyles()
  const bytes = createByteWriter()
  const sheets: Sheet[] = []
  const columns = head.columns.map(({ times }) => ({ times: times ?? false }))
  const headings = head.columns.map(column => headingOf(column, head.zone))

  const flush = (sheet: Sheet) => {
    sheet.bytes += bytes.length
    sheet.parts.push(new Blob([bytes.toBytes()]))
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
    const index = strings.indexOf(escapeFormula(cell).slice(0, maxCharacters))
    writeRecord(bytes, recordTypes.text, row, column, style, index & 0xffff, index >>> 16)
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
    const next = open(sheetName(head.title, sheets.length + 1))
    addRow(next, headings, styles.heading)
    return next
  }

  return {
    type: 'application/vnd.ms-excel',
    add(rows) {
      sheet ??= openNext()
      for (const row of rows) {
        if (sheet.rows === maxRows) {
          flush(sheet)
          sheet = openNext()
        }
        addRow(sheet, row, styles.text)
      }
      flush(sheet)
    },
    end(notes) {
      sheet ??= openNext()
      flush(sheet)
      // The notes come last: Excel opens the first sheet, and other programs often read only that.
      const about = open('About')
      addRow(about, [head.title], styles.heading)
      for (const note of notes) addRow(about, [note], styles.text)
      flush(about)
      return fileOf(sheets, head.columns.length, formats.records(), strings.end())
    },
  }
}

function addNumber(bytes: ByteWriter, row: number, column: number, style: number, value: number): void {
  bytes.u16(recordTypes.number)
  bytes.u16(14)
  bytes.u16(row)
  bytes.u16(column)
  bytes.u16(style)
  bytes.f64(value)
}

/** Assembles the file. Its headers contain offsets and sizes that are known only once all sheets are written. */
function fileOf(
  sheets: readonly Sheet[],
  columns: number,
  formats: (bytes: ByteWriter) => void,
  strings: Uint8Array<ArrayBuffer>,
): BlobPart[] {
  const framed = sheets.map((sheet, index) => {
    const about = index === sheets.length - 1
    const { before, after } = sheetFrame(sheet.rows, about ? 1 : columns, { first: index === 0, frozen: !about })
    return {
      name: sheet.name,
      parts: [before, ...sheet.parts, after],
      bytes: before.length + sheet.bytes + after.length,
    }
  })
  const book = bookRecords(framed, formats, strings)
  const contentLength = framed.reduce(
    (sum, { bytes }) => sum + bytes,
    book.reduce((sum, part) => sum + part.length, 0),
  )
  const stream = Math.max(minStreamSize, Math.ceil(contentLength / 512) * 512)
  const { before, after } = compoundFile('Workbook', stream)
  return [before, ...book, ...framed.flatMap(({ parts }) => parts), new Uint8Array(stream - contentLength), after]
}

/** Returns the records before and after a sheet's cells. */
function sheetFrame(rows: number, columns: number, { first, frozen }: { first: boolean; frozen: boolean }) {
  const before = createByteWriter(256)
  writeRecord(before, recordTypes.beginOf, 0x0600, 0x0010, 0x0dbb, 0x07cc, 0xc1, 0, 6, 3)
  // Columns wide enough for a time, in 1/256 of a character.
  writeRecord(before, 0x007d, 0, Math.max(0, columns - 1), (frozen ? 20 : 80) * 256, styles.number, 0, 0)
  writeRecord(before, 0x0200, 0, 0, rows & 0xffff, rows >>> 16, 0, columns, 0)
  const after = createByteWriter(256)
  // Show gridlines, headings and zeros; freeze the heading row.
  writeRecord(
    after,
    recordTypes.window,
    0x00b6 | (first ? 0x0600 : 0) | (frozen ? 0x0108 : 0),
    0,
    0,
    0x40,
    0,
    0,
    0,
    0,
    0,
  )
  if (frozen) {
    after.u16(recordTypes.pane)
    after.u16(10)
    for (const word of [0, 1, 1, 0, 2]) after.u16(word)
  }
  writeRecord(after, recordTypes.endOf)
  return { before: before.toBytes(), after: after.toBytes() }
}
