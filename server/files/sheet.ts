/** The worker that turns an uploaded file into rows of text: whatever a file does to it, the server goes on. */
import { parentPort, workerData } from 'node:worker_threads'
import { read, utils } from '@e965/xlsx'
import { parse } from 'csv-parse/sync'
import { mostUploadRows } from '../../src/api/contract/uploads.ts'
import { unpacksWithin } from './zip.ts'

export interface SheetRequest {
  readonly kind: 'csv' | 'xlsx'
  readonly bytes: Uint8Array
}
/** Rows from the first on, so that a row's place is its number in a spreadsheet less one; or what is wrong. */
export type SheetAnswer = { readonly rows: string[][] } | { readonly problem: string }

/** Columns beyond are not read: no upload has as many. */
const mostColumns = 50
/** What a workbook of 50,000 rows unpacks to is a tenth of it. */
const mostUnpacked = 200 * 1024 * 1024
/** One more than is allowed, below the header, so that too many are seen as such. */
const mostLines = mostUploadRows + 2

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
        to: mostLines,
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
    if (!unpacksWithin(bytes, mostUnpacked)) return { problem: 'The file is too large when unpacked' }
    const book = read(bytes, {
      dense: true,
      sheetRows: mostLines,
      cellFormula: false,
      cellHTML: false,
      cellText: false,
    })
    const sheet = book.Sheets[book.SheetNames[0] ?? '']
    if (sheet?.['!ref'] === undefined) return { rows: [] }
    const { e: end } = utils.decode_range(sheet['!ref'])
    const range = { s: { r: 0, c: 0 }, e: { r: Math.min(end.r, mostLines), c: Math.min(end.c, mostColumns) } }
    const cells = utils.sheet_to_json<unknown[]>(sheet, { header: 1, range, raw: true, defval: '', blankrows: true })
    return { rows: cells.map(row => row.map(String)) }
  } catch {
    return { problem: 'The file is not a readable .xlsx workbook' }
  }
}

const { kind, bytes } = workerData as SheetRequest
const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const answer = kind === 'csv' ? readCsv(buffer) : readXlsx(buffer)
parentPort?.postMessage(answer satisfies SheetAnswer)
