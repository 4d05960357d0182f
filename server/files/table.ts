/** Rows of an uploaded sheet by column name, and validation problems in them. */
import type { UploadColumn } from '../../src/domain/uploads.ts'
import { messages } from '../../src/domain/messages.ts'
import { badRequest } from '../core/errors.ts'
import type { SheetRow } from './sheetLines.ts'

export interface TableRow {
  /** Row number as shown by a spreadsheet: the header is row 1. */
  readonly number: number
  /** Trimmed, well-formed texts; empty if there is none. */
  readonly cells: Readonly<Record<string, string>>
}

/** Collects validation problems by row. */
export interface Problems {
  add(row: Pick<TableRow, 'number'>, message: string): void
  /** Throws a 400 with the first hundred messages and the number of others, if there are any. */
  throwIfAny(): void
}
const maxMessages = 100

/** Returns an empty collection of problems; it keeps the messages that it shows, and a few more. */
export function collectProblems(): Problems {
  let entries: { number: number; message: string }[] = []
  let count = 0
  // Sorted by row, because each check runs over all rows.
  const first = () => entries.toSorted((a, b) => a.number - b.number).slice(0, maxMessages)
  return {
    add: ({ number }, message) => {
      count++
      entries.push({ number, message })
      if (entries.length >= 10 * maxMessages) entries = first()
    },
    throwIfAny: () => {
      if (count === 0) return
      const lines = first().map(({ number, message }) => `Row ${number}: ${message}`)
      const more = count - lines.length
      throw badRequest(more === 0 ? lines : [...lines, `and ${more} more`])
    },
  }
}

/** Returns a header for comparison: without case, spaces, dashes and underscores. */
const plainName = (header: string) => header.toLowerCase().replace(/[\s_-]+/g, '')

/** Error values of spreadsheet formulas, which are also saved as CSV. */
const formulaError =
  /^#(NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|N\/A|GETTING_DATA|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|BUSY!|PYTHON!|EXTERNAL!)$/

/** Rows share one copy of a text of at most so many characters, for at most so many texts. */
const maxSharedLength = 100
const maxShared = 1000

/** Returns a function that returns the same copy of equal texts, such as the vendor's name in thousands of rows. */
function openPool(): (text: string) => string {
  const pool = new Map<string, string>()
  return text => {
    if (text.length > maxSharedLength) return text
    const known = pool.get(text)
    if (known === undefined && pool.size < maxShared) pool.set(text, text)
    return known ?? text
  }
}

/**
 * Returns the rows below the header without blank ones, numbered from `firstRow`. Throws a 400 for missing, repeated or
 * unknown columns, for a `refused` one, and for a file without rows. Adds missing required values, cells outside the
 * columns, and formula errors and texts with NUL, which PostgreSQL cannot store (both become empty), to `problems`.
 */
export async function parseTable(
  sheet: AsyncIterable<readonly SheetRow[]>,
  columns: readonly UploadColumn[],
  problems: Problems,
  { refused, firstRow = 2 }: { readonly refused?: string | undefined; readonly firstRow?: number } = {},
): Promise<TableRow[]> {
  const rows: TableRow[] = []
  let parse: ((row: SheetRow) => TableRow) | undefined
  for await (const batch of sheet)
    for (const row of batch) {
      if (parse !== undefined) rows.push(parse({ ...row, number: row.number + firstRow - 2 }))
      // A blank first line has no names.
      else parse = rowParser(row.number === 1 ? row.cells : [], columns, problems, refused)
    }
  if (parse === undefined) throw noHeader()
  if (rows.length === 0) throw badRequest('The file has no rows below its header')
  return rows
}

const noHeader = () => badRequest('The file is empty')

/** Checks the header, and returns the function that parses the rows below it. */
function rowParser(
  names: readonly string[],
  columns: readonly UploadColumn[],
  problems: Problems,
  refused: string | undefined,
): (row: SheetRow) => TableRow {
  const header = names.map(cell => cell.trim())
  if (refused !== undefined && header.some(cell => cell.toLowerCase() === refused))
    throw badRequest(`The ${refused} column is not allowed`)
  const columnNames = header.map(cell => columns.find(column => plainName(column.name) === plainName(cell))?.name)
  checkHeader(header, columnNames, columns)
  const places = columns.map(column => ({ ...column, place: columnNames.indexOf(column.name), share: openPool() }))
  return ({ number, cells: line }) => {
    const report = (message: string) => problems.add({ number }, message)
    const cells: Record<string, string> = {}
    for (const { name, required, place, share } of places) {
      const text = line[place]?.trim().toWellFormed() ?? ''
      const isError = formulaError.test(text)
      const hasNul = text.includes('\0')
      if (isError) report(`${name} is the error ${text}`)
      else if (hasNul) report(`${name} must not contain NUL characters`)
      else if (required && text === '') report(messages.required(name))
      cells[name] = isError || hasNul ? '' : share(text)
    }
    // Reported, because it is usually the rest of an unquoted text that contains a comma.
    const surplus = line.find((cell, index) => columnNames[index] === undefined && cell.trim() !== '')
    if (surplus !== undefined) report(`${surplus.trim().replaceAll('\0', '').toWellFormed()} is not in any column`)
    return { number, cells }
  }
}

function checkHeader(
  header: readonly string[],
  columnNames: readonly (string | undefined)[],
  columns: readonly UploadColumn[],
): void {
  if (header.every(cell => cell === '')) throw noHeader()
  const expected = `The columns are ${columns.map(column => column.name).join(', ')}`
  const errors = [
    ...header.flatMap((cell, index) =>
      cell !== '' && columnNames[index] === undefined ? [`Unknown column: ${cell}`] : [],
    ),
    ...columns.flatMap(({ name, required }) => {
      const count = columnNames.filter(columnLabel => columnLabel === name).length
      if (count > 1) return [`Column ${name} occurs more than once`]
      return required && count === 0 ? [`Column ${name} is missing`] : []
    }),
  ]
  if (errors.length > 0) throw badRequest([...errors.slice(0, maxMessages), expected])
}
