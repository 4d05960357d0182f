/** Formats rows as comma- or tab-separated values (RFC 4180). */
import type { ExportCell } from './exportTable.ts'

/** Characters that start a formula in a spreadsheet. */
const formulaStart = /^[=+\-@\t\r]/

/** Returns the text with a leading `'` if a spreadsheet would run it as a formula. */
export const escapeFormula = (text: string): string => (formulaStart.test(text) ? `'${text}` : text)

const quote = (text: string) => (/[",\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const formatCell = (cell: ExportCell) =>
  cell === null ? '' : typeof cell === 'number' ? String(cell) : quote(escapeFormula(cell))

/** Formats rows of cells as lines; null is an empty cell, and formulas are escaped. */
export const formatRows = (rows: readonly (readonly ExportCell[])[], separator: ',' | '\t'): string =>
  rows.map(row => `${row.map(formatCell).join(separator)}\r\n`).join('')

export const toCsv = (rows: readonly (readonly ExportCell[])[]): string => formatRows(rows, ',')
