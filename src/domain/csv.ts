/** Separated values (RFC 4180, or the same with tabs), as spreadsheets read them. */
import type { ExportCell } from './exportTable.ts'

/** What a spreadsheet takes for the beginning of a formula. */
const formula = /^[=+\-@\t\r]/

/** Text that no spreadsheet runs: a `'` before what it would take for a formula. Numbers are no text. */
export const escapeFormula = (text: string): string => (formula.test(text) ? `'${text}` : text)

const quoted = (text: string) => (/[",\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const written = (cell: ExportCell) =>
  cell === null ? '' : typeof cell === 'number' ? String(cell) : quoted(escapeFormula(cell))

/** Rows of cells as one text, each row with its line end; null is an empty cell. Formulas are disarmed. */
export const separated = (rows: readonly (readonly ExportCell[])[], separator: ',' | '\t'): string =>
  rows.map(row => `${row.map(written).join(separator)}\r\n`).join('')

export const csvOf = (rows: readonly (readonly ExportCell[])[]): string => separated(rows, ',')
