/** The worker that turns an uploaded file into rows of text: whatever a file does to it, the server goes on. */
import { parentPort, workerData } from 'node:worker_threads'
import { read, type CellObject } from '@e965/xlsx'
import { parse } from 'csv-parse/sync'
import { maxUploadRows } from '../../src/api/contract/uploads.ts'
import { unpacksWithin } from './zip.ts'

export interface SheetRequest {
  readonly kind: 'csv' | 'xlsx'
  readonly bytes: Uint8Array
}
/** Rows from the first on, so that a row's place is its number in a spreadsheet less one; or what is wrong. */
export type SheetAnswer = { readonly rows: string[][] } | { readonly problem: string }

/** No upload has as many columns; of what stands beyond, one is enough to tell that it is too much. */
const maxColumns = 50
/** What a workbook of 50,000 rows unpacks to is a tenth of it. */
const maxUnpackedBytes = 200 * 1024 * 1024
/** One more than is allowed, below the header, so that too many are seen as such. */
const maxLines = maxUploadRows + 2

/** Of all systems, and any in one file: left alone, the parser takes the first line's for all. The longest comes first. */
const lineEnds = ['\r\n', '\n', '\r']

function readCsv(bytes: Buffer): SheetAnswer {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return { problem: 'The file is not UTF-8 text. In Excel, save it as “CSV UTF-8”.' }
  }
  try {
    return {
      rows: parse(text, {
        delimiter: delimiterOf(text),
        record_delimiter: lineEnds,
        relax_column_count: true,
        skip_empty_lines: false,
        to: maxLines,
      }),
    }
  } catch (error) {
    return { problem: `The file is not valid CSV: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/** Excel writes what the region's list separator is; in the header line one of the two does not occur. */
function delimiterOf(text: string): ';' | ',' {
  const header = text.slice(0, text.search(/[\r\n]|$/))
  return header.split(';').length > header.split(',').length ? ';' : ','
}

function readXlsx(bytes: Buffer): SheetAnswer {
  try {
    if (!unpacksWithin(bytes, maxUnpackedBytes)) return { problem: 'The file is too large when unpacked' }
    const book = read(bytes, {
      dense: true,
      sheetRows: maxLines,
      cellFormula: false,
      cellHTML: false,
      cellDates: true,
      // Where Excel shows a date as the region writes it, which the file does not tell.
      dateNF: 'yyyy-mm-dd',
    })
    const lines = book.Sheets[book.SheetNames[0] ?? '']?.['!data'] ?? []
    return { rows: Array.from(lines, (line: readonly CellObject[] | undefined) => textsOf(line ?? [])) }
  } catch {
    return { problem: 'The file is not a readable .xlsx workbook' }
  }
}

/** The texts of a line, from its first column on. It may hold one cell and be as wide as a sheet can be. */
function textsOf(line: readonly (CellObject | undefined)[]): string[] {
  const texts = Array.from(line.slice(0, maxColumns), textOf)
  if (line.length <= maxColumns) return texts
  const beyond = Object.entries(line).find(([at, cell]) => Number(at) >= maxColumns && textOf(cell).trim() !== '')
  return beyond === undefined ? texts : [...texts, textOf(beyond[1])]
}

/** What Excel shows, of dates and errors; of all else the value, for Excel may show less of a number than there is. */
const textOf = (cell: CellObject | undefined) => String((cell?.t === 'd' || cell?.t === 'e' ? cell.w : cell?.v) ?? '')

const { kind, bytes } = workerData as SheetRequest
const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const answer = kind === 'csv' ? readCsv(buffer) : readXlsx(buffer)
parentPort?.postMessage(answer satisfies SheetAnswer)
