/** Comma-separated values (RFC 4180), as spreadsheets read them. */

/** What a spreadsheet takes for the beginning of a formula. */
const formula = /^[=+\-@\t\r]/

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Rows of cells as one text. Formulas are neutralised: a `'` before them makes them text. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map(row => `${row.map(cell => quoted(formula.test(cell) ? `'${cell}` : cell)).join(',')}\r\n`).join('')
