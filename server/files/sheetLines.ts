/** What readers of sheets have in common: the limits, and rows that are passed on as they are read. */
import { maxUploadRows } from '../../src/domain/uploads.ts'

/** A file that is not read; the message is for the person who uploaded it. */
export class SheetProblem extends Error {}

/** Maximum columns that are read: more than any upload has, so that surplus columns are reported. */
export const maxColumns = 50
/** Maximum cells that are read, empty ones too, and characters of all texts. */
const maxCells = 1_000_000
export const maxCharacters = 12_000_000
/** Maximum characters of a cell; Excel allows 32,767. */
export const maxCellLength = 100_000
/** Rows and characters of a batch: the server handles other calls between two. */
export const maxBatchRows = 500
export const maxBatchCharacters = 256 * 1024

/** A row that is not blank. */
export interface SheetRow {
  /** Row number as shown by a spreadsheet: the first one is row 1. */
  readonly number: number
  readonly cells: readonly string[]
}

/** Receives the lines of a sheet in their order. */
export interface Lines {
  /** Adds a line; cells beyond `maxColumns` are left out, but for the first one that is not blank. */
  add(cells: readonly string[]): void
  /** Adds empty lines until the next one has this place, which is its number in the spreadsheet minus one. */
  skipTo(place: number): void
  /** Counts a cell that is read. @throws SheetProblem if there are too many. */
  countCell(): void
  /** Passes on full batches. Readers wait for it before they read on. */
  passOn(): Promise<void>
  /** Passes on all lines. */
  end(): Promise<void>
}

/** Returns lines whose rows are passed on in batches, each when `send` of the one before has resolved. */
export function openLines(send: (rows: SheetRow[]) => Promise<void>): Lines {
  const batches: SheetRow[][] = []
  let batch: SheetRow[] = []
  let batchCharacters = 0
  let length = 0
  let cellCount = 0
  let characters = 0
  const closeBatch = () => {
    if (batch.length > 0) batches.push(batch)
    batch = []
    batchCharacters = 0
  }
  const growTo = (newLength: number) => {
    // The header is a line, too.
    if (newLength > maxUploadRows + 1) throw new SheetProblem(`The file has more than ${maxUploadRows} rows`)
    length = newLength
  }
  const passOn = async () => {
    for (let next = batches.shift(); next !== undefined; next = batches.shift()) await send(next)
  }
  return {
    add: line => {
      growTo(length + 1)
      const cells = withinColumns(line)
      for (const text of cells) {
        characters += text.length
        batchCharacters += text.length
      }
      if (characters > maxCharacters) throw new SheetProblem('The file has too much text')
      if (cells.every(text => text.trim() === '')) return
      batch.push({ number: length, cells })
      if (batch.length >= maxBatchRows || batchCharacters >= maxBatchCharacters) closeBatch()
    },
    skipTo: place => growTo(Math.max(place, length)),
    countCell: () => {
      cellCount++
      if (cellCount > maxCells) throw new SheetProblem(`The file has more than ${maxCells.toLocaleString('en')} cells`)
    },
    passOn,
    end: () => {
      closeBatch()
      return passOn()
    },
  }
}

function withinColumns(cells: readonly string[]): readonly string[] {
  if (cells.length <= maxColumns) return cells
  const beyond = cells.slice(maxColumns).find(text => text.trim() !== '')
  return [...cells.slice(0, maxColumns), ...(beyond === undefined ? [] : [beyond])]
}
