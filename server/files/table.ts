/** Rows of an uploaded sheet by column name, and validation problems in them. */
import type { UploadColumn } from '../../src/api/contract/uploads.ts'
import { messages } from '../../src/domain/messages.ts'
import { badRequest } from '../core/errors.ts'

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

/** Returns an empty collection of problems. */
export function collectProblems(): Problems {
  const entries: { number: number; message: string }[] = []
  return {
    add: ({ number }, message) => entries.push({ number, message }),
    throwIfAny: () => {
      if (entries.length === 0) return
      // Sorted by row, because each check runs over all rows.
      const lines = entries
        .toSorted((a, b) => a.number - b.number)
        .slice(0, maxMessages)
        .map(({ number, message }) => `Row ${number}: ${message}`)
      const more = entries.length - lines.length
      throw badRequest(more === 0 ? lines : [...lines, `and ${more} more`])
    },
  }
}

/** Returns a header for comparison: without case, spaces, dashes and underscores. */
const plainName = (header: string) => header.toLowerCase().replace(/[\s_-]+/g, '')

/** Error values of spreadsheet formulas, which are also saved as CSV. */
const formulaError =
  /^#(NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|N\/A|GETTING_DATA|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|BUSY!|PYTHON!|EXTERNAL!)$/

/**
 * Returns the rows below the header without blank ones. Throws a 400 for missing, repeated or unknown columns, and for
 * a file without rows. Adds missing required values, formula errors (which become empty) and cells outside the columns
 * to `problems`.
 */
export function parseTable(
  sheet: readonly (readonly string[])[],
  columns: readonly UploadColumn[],
  problems: Problems,
) {
  const header = (sheet[0] ?? []).map(cell => cell.trim())
  const columnNames = header.map(cell => columns.find(column => plainName(column.name) === plainName(cell))?.name)
  checkHeader(header, columnNames, columns)
  const rows = sheet.slice(1).flatMap((line, index): TableRow[] => {
    if (line.every(cell => cell.trim() === '')) return []
    const number = index + 2
    const report = (message: string) => problems.add({ number }, message)
    const cells = columns.map(({ name, required }): [string, string] => {
      const text = line[columnNames.indexOf(name)]?.trim().toWellFormed() ?? ''
      const isError = formulaError.test(text)
      if (isError) report(`${name} is the error ${text}`)
      else if (required && text === '') report(messages.required(name))
      return [name, isError ? '' : text]
    })
    // Reported, because it is usually the rest of an unquoted text that contains a comma.
    const surplus = line.find((cell, index) => columnNames[index] === undefined && cell.trim() !== '')
    if (surplus !== undefined) report(`${surplus.trim().toWellFormed()} is not in any column`)
    return [{ number, cells: Object.fromEntries(cells) }]
  })
  if (rows.length === 0) throw badRequest('The file has no rows below its header')
  return rows
}

function checkHeader(
  header: readonly string[],
  columnNames: readonly (string | undefined)[],
  columns: readonly UploadColumn[],
): void {
  if (header.every(cell => cell === '')) throw badRequest('The file is empty')
  const expected = `The columns are ${columns.map(column => column.name).join(', ')}`
  const errors = [
    ...header.flatMap((cell, index) =>
      cell !== '' && columnNames[index] === undefined ? [`Unknown column: ${cell}`] : [],
    ),
    ...columns.flatMap(({ name, required }) => {
      const count = columnNames.filter(columnName => columnName === name).length
      if (count > 1) return [`Column ${name} occurs more than once`]
      return required && count === 0 ? [`Column ${name} is missing`] : []
    }),
  ]
  if (errors.length > 0) throw badRequest([...errors.slice(0, maxMessages), expected])
}
