/** Rows of an uploaded sheet by the names of its columns, and what is wrong with them. */
import type { UploadColumn } from '../../src/api/contract/uploads.ts'
import { messages } from '../../src/domain/messages.ts'
import { badRequest } from '../core/errors.ts'

export interface TableRow {
  /** As the spreadsheet shows it: the header is row 1. */
  readonly number: number
  /** Trimmed and valid Unicode; the empty text where there is none. */
  readonly cells: Readonly<Record<string, string>>
}

/** Collects what is wrong, row by row; nothing is stored while it has something to say. */
export interface Problems {
  add(row: Pick<TableRow, 'number'>, message: string): void
  /** Throws a 400 with the first hundred messages and a count of the rest. */
  throwIfAny(): void
}
const maxMessages = 100

export function problems(): Problems {
  const entries: { number: number; message: string }[] = []
  return {
    add: ({ number }, message) => entries.push({ number, message }),
    throwIfAny: () => {
      if (entries.length === 0) return
      // Checks run one after another over all rows; a person mends the file from top to bottom.
      const lines = entries
        .toSorted((one, other) => one.number - other.number)
        .slice(0, maxMessages)
        .map(({ number, message }) => `Row ${number}: ${message}`)
      const more = entries.length - lines.length
      throw badRequest(more === 0 ? lines : [...lines, `and ${more} more`])
    },
  }
}

/** A header as it is compared: case, spaces, dashes and underscores do not matter. */
const plainName = (header: string) => header.toLowerCase().replace(/[\s_-]+/g, '')

/** What a spreadsheet shows, and saves as CSV, where a formula has no value. */
const formulaError =
  /^#(NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|N\/A|GETTING_DATA|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|BUSY!|PYTHON!|EXTERNAL!)$/

/**
 * The rows below the header; blank ones are left out. Throws a 400 for a header that lacks, repeats or adds columns,
 * and for a file without rows. Missing values of required columns, errors of formulas, which are left empty, and what
 * stands in no column are added to `found`.
 */
export function tableOf(sheet: readonly (readonly string[])[], columns: readonly UploadColumn[], found: Problems) {
  const header = (sheet[0] ?? []).map(cell => cell.trim())
  const places = header.map(cell => columns.find(column => plainName(column.name) === plainName(cell))?.name)
  checkHeader(header, places, columns)
  const rows = sheet.slice(1).flatMap((line, at): TableRow[] => {
    if (line.every(cell => cell.trim() === '')) return []
    const number = at + 2
    const report = (message: string) => found.add({ number }, message)
    const cells = columns.map(({ name, required }): [string, string] => {
      const text = line[places.indexOf(name)]?.trim().toWellFormed() ?? ''
      const isError = formulaError.test(text)
      if (isError) report(`${name} is the error ${text}`)
      else if (required && text === '') report(messages.required(name))
      return [name, isError ? '' : text]
    })
    // Not left out: it is most often the rest of a text that holds a comma and was not put in quotes.
    const surplus = line.find((cell, place) => places[place] === undefined && cell.trim() !== '')
    if (surplus !== undefined) report(`${surplus.trim().toWellFormed()} stands in no column`)
    return [{ number, cells: Object.fromEntries(cells) }]
  })
  if (rows.length === 0) throw badRequest('The file has no rows below its header')
  return rows
}

function checkHeader(
  header: readonly string[],
  places: readonly (string | undefined)[],
  columns: readonly UploadColumn[],
): void {
  if (header.every(cell => cell === '')) throw badRequest('The file is empty')
  const expected = `The columns are ${columns.map(column => column.name).join(', ')}`
  const errors = [
    ...header.flatMap((cell, at) => (cell !== '' && places[at] === undefined ? [`Unknown column: ${cell}`] : [])),
    ...columns.flatMap(({ name, required }) => {
      const times = places.filter(place => place === name).length
      if (times > 1) return [`Column ${name} occurs more than once`]
      return required && times === 0 ? [`Column ${name} is missing`] : []
    }),
  ]
  if (errors.length > 0) throw badRequest([...errors.slice(0, maxMessages), expected])
}
