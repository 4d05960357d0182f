/** Formats rows as comma- or tab-separated values (RFC 4180). */
import type { ExportCell } from './exportTable.ts'

/** Characters that start a formula in a cell of a spreadsheet. */
const formulaStart = /^[=+\-@\t\r]/

/** Returns the text with a leading `'` if a spreadsheet would run it as a formula. */
export const escapeFormula = (text: string): string => (formulaStart.test(text) ? `'${text}` : text)

type Separator = ',' | '\t'

/**
 * Matches where a formula would start in a cell of a file with this separator. A spreadsheet with another list separator, such as
 * the `;` of Excel in many languages, splits a cell at it, and does not see a quote that is not at the start of a cell: so it begins
 * a row at a line break.
 */
const formulaStarts: Readonly<Record<Separator, RegExp>> = {
  ',': /^(?=[=+\-@\t\r])|(?<=[;\t\r\n])(?="*[=+\-@])/g,
  '\t': /^(?=[=+\-@\t\r])|(?<=[,;\r\n])(?="*[=+\-@])/g,
}

/** Matches texts in which a formula may start. This test takes a tenth of the time of a replacement, which few texts need. */
const mayHaveFormulas = /^[=+\-@\t\r]|[,;\t\r\n]"*[=+\-@]/

/** Returns a cell's text with a `'` wherever a spreadsheet with any list separator would begin a formula. */
export const escapeFormulas = (text: string, separator: Separator): string =>
  mayHaveFormulas.test(text) ? text.replaceAll(formulaStarts[separator], "'") : text

const quote = (text: string) => (/[",\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const formatCell = (cell: ExportCell, separator: Separator) =>
  cell === null ? '' : typeof cell === 'number' ? String(cell) : quote(escapeFormulas(cell, separator))

/** Formats rows of cells as lines; null is an empty cell, and formulas are escaped. */
export const formatRows = (rows: readonly (readonly ExportCell[])[], separator: Separator): string =>
  rows.map(row => `${row.map(cell => formatCell(cell, separator)).join(separator)}\r\n`).join('')

export const toCsv = (rows: readonly (readonly ExportCell[])[]): string => formatRows(rows, ',')
