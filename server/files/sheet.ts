/** Worker that converts an uploaded file into rows of text, isolated from the server because files may be malicious. */
import { parentPort, workerData } from 'node:worker_threads'
import { read, type CellObject } from '@e965/xlsx'
import { parse } from 'csv-parse/sync'
import { maxUploadRows } from '../../src/api/contract/uploads.ts'
import { unpacksWithin } from './zip.ts'

export interface SheetRequest {
  readonly kind: 'csv' | 'xlsx'
  readonly bytes: Uint8Array
}
/**
 * All rows of the sheet, so that a row's index is its number in the spreadsheet minus one; or the error message.
 */
export type SheetResult = { readonly rows: string[][] } | { readonly problem: string }

/** Maximum columns that are read: more than any upload has, so that surplus columns are reported. */
const maxColumns = 50
/** Bytes: ten times the size of a workbook of 50,000 rows. */
const maxUnpackedBytes = 200 * 1024 * 1024
/** Maximum lines that are read: the header, the maximum rows, and one more to detect surplus rows. */
const maxLines = maxUploadRows + 2

/** All line endings, longest first. By default the parser applies the ending of the first line to the whole file. */
const lineEnds = ['\r\n', '\n', '\r']

function readCsv(bytes: Buffer): SheetResult {
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

/** Returns the more frequent delimiter of the header line; Excel uses the list separator of the region. */
function delimiterOf(text: string): ';' | ',' {
  const header = text.slice(0, text.search(/[\r\n]|$/))
  return header.split(';').length > header.split(',').length ? ';' : ','
}

function readXlsx(bytes: Buffer): SheetResult {
  try {
    if (!unpacksWithin(bytes, maxUnpackedBytes)) return { problem: 'The file is too large when unpacked' }
    const book = read(bytes, {
      dense: true,
      sheetRows: maxLines,
      cellFormula: false,
      cellHTML: false,
      cellDates: true,
      // For dates in the region's format, which the file does not contain.
      dateNF: 'yyyy-mm-dd',
    })
    const lines = book.Sheets[book.SheetNames[0] ?? '']?.['!data'] ?? []
    return { rows: Array.from(lines, (line: readonly CellObject[] | undefined) => textsOf(line ?? [])) }
  } catch {
    return { problem: 'The file is not a readable .xlsx workbook' }
  }
}

/** Returns the texts of a line, starting with its first column. A sparse line may be as wide as a sheet can be. */
function textsOf(line: readonly (CellObject | undefined)[]): string[] {
  const texts = Array.from(line.slice(0, maxColumns), textOf)
  if (line.length <= maxColumns) return texts
  const beyond = Object.entries(line).find(([index, cell]) => Number(index) >= maxColumns && textOf(cell).trim() !== '')
  return beyond === undefined ? texts : [...texts, textOf(beyond[1])]
}

/** Returns the formatted text of dates and errors, and otherwise the value: formatted numbers may be rounded. */
const textOf = (cell: CellObject | undefined) => String((cell?.t === 'd' || cell?.t === 'e' ? cell.w : cell?.v) ?? '')

const { kind, bytes } = workerData as SheetRequest
const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const result = kind === 'csv' ? readCsv(buffer) : readXlsx(buffer)
parentPort?.postMessage(result satisfies SheetResult)
