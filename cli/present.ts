/** Prints what calls return: lists as tables, objects line by line, or everything as JSON. */
import * as z from 'zod/mini'
import type { SearchColumns } from '../src/api/contract/endpoint.ts'
import type { Column } from '../src/domain/columns/column.ts'
import { headingOf } from '../src/domain/exportTable.ts'
import { textOf, valueReader } from '../src/domain/columns/values.ts'
import { formatNumber } from '../src/domain/format.ts'
import { defaultUnits, unitOf } from '../src/domain/units.ts'
import type { Terminal } from './terminal.ts'
import { printable, printableJson } from './printable.ts'
import { tableLines } from './table.ts'

export interface Presentation {
  readonly terminal: Terminal
  readonly isJson: boolean
}

/** Prints rows of a list: its columns that the console shows at first, or one row a line as JSON. */
export function showRows(rows: readonly unknown[], { kinds }: SearchColumns, { terminal, isJson }: Presentation): void {
  if (isJson) return rows.forEach(row => terminal.print(printableJson(row)))
  const shown = Object.entries<Column>(kinds).filter(([, { hidden }]) => !hidden)
  // Calls take the id, which the console does not show.
  const hasId = rows.some(row => typeof row === 'object' && row !== null && '_id' in row)
  const columns = [...(hasId ? [['_id', idColumn] as const] : []), ...shown].map(([id, column]) => ({
    column,
    read: valueReader(id, column),
  }))
  const headings = columns.map(({ column: { label, unit, quantity, kind, align } }) => ({
    label: headingOf({ name: label, unit: (quantity ? unitOf(quantity, defaultUnits).symbol : unit) ?? '' }, ''),
    alignEnd: align === 'end' || (align === undefined && kind === 'number'),
  }))
  const texts = rows.map(row => columns.map(({ column, read }) => textOf(column, read(row), defaultUnits)))
  for (const line of tableLines(headings, texts, terminal.width)) terminal.print(line)
}

const idColumn: Column = { label: 'Id', kind: 'text', width: 0 }

/** Prints how much of a list was shown, for people. */
export function showCount(shown: number, offset: number, count: number, { terminal, isJson }: Presentation): void {
  if (isJson || !terminal.isInteractive) return
  const range = shown === 0 ? 'none' : `${formatNumber(offset + 1, 0)}–${formatNumber(offset + shown, 0)}`
  const rest = shown < count ? ': --all shows all of them' : ''
  terminal.say(`${range} of ${formatNumber(count, 0)}${rest}`)
}

/** The page of a list whose rows have no columns. */
const Page = z.object({ count: z.number(), data: z.array(z.unknown()) })

/** Prints the data of any other call. */
export function showData(data: unknown, { terminal, isJson }: Presentation): void {
  const page = z.safeParse(Page, data)
  const rows: unknown = page.success ? page.data.data : data
  if (Array.isArray(rows)) {
    return isJson ? rows.forEach(row => terminal.print(printableJson(row))) : showObjects(rows, terminal)
  }
  if (isJson) return terminal.print(printableJson(data))
  const entries = Object.entries(data ?? {})
  if (entries.length === 0) return terminal.say('Done')
  // Nothing of an object is cut: it may have a secret, which no other call returns.
  const values = entries.filter(([, value]) => !isTable(value))
  const width = Math.max(...values.map(([name]) => name.length))
  for (const [name, value] of values) terminal.print(`${printable(name).padEnd(width)}  ${cellOf(value)}`)
  for (const [name, value] of entries) {
    if (!isTable(value)) continue
    terminal.print(printable(name))
    showObjects(value, { ...terminal, width: Infinity })
  }
}

const isTable = (value: unknown): value is readonly object[] =>
  Array.isArray(value) && value.length > 0 && value.every(one => typeof one === 'object' && one !== null)

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return '–'
  return typeof value === 'object' ? printableJson(value) : printable(String(value as string | number | boolean))
}

/** Prints objects as a table of all their properties. */
function showObjects(rows: readonly unknown[], terminal: Terminal): void {
  const objects = rows.map(row => (typeof row === 'object' && row !== null ? row : { value: row }))
  const names = [...new Set(objects.flatMap(row => Object.keys(row)))]
  const texts = objects.map(row => names.map(name => cellOf((row as Record<string, unknown>)[name])))
  for (const line of tableLines(
    names.map(label => ({ label })),
    texts,
    terminal.width,
  ))
    terminal.print(line)
}
