/** Reads CSV files. */
import { once } from 'node:events'
import { parse } from 'csv-parse'
import { maxCellLength, SheetProblem, type Lines } from './sheetLines.ts'
import { sliceSize, slicesOf } from './slices.ts'

/** All line endings, longest first. By default the parser applies the ending of the first line to the whole file. */
const lineEnds = ['\r\n', '\n', '\r']
/** Maximum cells of a line: Excel's columns, since it writes separators for all that were ever used. */
const maxLineCells = 16_384

/** Passes on the lines of a CSV file. @throws SheetProblem */
export async function readCsv(bytes: Buffer, lines: Lines): Promise<void> {
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(bytes),
    record_delimiter: lineEnds,
    relax_column_count: true,
    skip_empty_lines: false,
    max_record_size: maxCellLength,
    cast: (value, { index }) => {
      lines.countCell()
      if (index >= maxLineCells) throw new SheetProblem('The file has too many columns')
      return value
    },
    // Lines are not collected here.
    on_record: (line: string[]) => {
      lines.add(line)
      return undefined
    },
  })
  // The end and errors come only to a stream that is read.
  const ended = once(parser.resume(), 'end')
  ended.catch(() => undefined)
  try {
    for (const slice of textSlices(bytes)) {
      if (!parser.write(slice)) await Promise.race([once(parser, 'drain'), ended])
      await lines.passOn()
    }
    parser.end()
    await ended
  } catch (error) {
    if (error instanceof SheetProblem) throw error
    throw new SheetProblem(`The file is not valid CSV: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Returns the slices of a text in UTF-8. @throws SheetProblem if it is none. */
function* textSlices(bytes: Buffer): Generator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for (const slice of slicesOf(bytes, sliceSize)) {
      decoder.decode(slice, { stream: true })
      yield slice
    }
    decoder.decode()
  } catch {
    throw new SheetProblem('The file is not UTF-8 text. In Excel, save it as “CSV UTF-8”.')
  }
}

/** Returns the more frequent delimiter of the header line; Excel uses the list separator of the region. */
function delimiterOf(bytes: Buffer): ';' | ',' {
  // A hostile file may be one line of millions of separators.
  const [header = ''] = bytes.toString('utf8', 0, maxLineCells).split(/[\r\n]/, 1)
  return header.split(';').length > header.split(',').length ? ';' : ','
}
