/** Passes rows to SQL as one array parameter per column. Integers are twice as fast as decimals in PGlite. */
import { sql, type SQL } from 'drizzle-orm'

/**
 * A column. Keys must not contain quotes, commas or backslashes, as texts may; amounts are rounded to a millionth; times
 * are milliseconds UTC.
 */
export interface ColumnOf<Row> {
  readonly name: string
  readonly type: keyof typeof types
  readonly value: (row: Row) => string | number | boolean | null
}

const name = (column: { readonly name: string }) => sql.identifier(column.name)
type NamedColumn = Parameters<typeof name>[0]

/** The type of each array parameter, and the expression that converts its elements. */
const types = {
  key: { transfer: 'text', convert: (column: NamedColumn) => name(column) },
  text: { transfer: 'text', convert: (column: NamedColumn) => name(column) },
  json: { transfer: 'text', convert: (column: NamedColumn) => sql`${name(column)}::jsonb as ${name(column)}` },
  truth: { transfer: 'boolean', convert: (column: NamedColumn) => name(column) },
  whole: { transfer: 'integer', convert: (column: NamedColumn) => name(column) },
  amount: {
    transfer: 'bigint',
    convert: (column: NamedColumn) => sql`${name(column)} / 1e6::float8 as ${name(column)}`,
  },
  time: {
    transfer: 'bigint',
    convert: (column: NamedColumn) =>
      sql`to_timestamp(${name(column)} / 1e3::float8)::timestamptz(3) as ${name(column)}`,
  },
} as const

/** Returns a subquery named `input` with these rows, for a `from` clause. */
export const inputRows = <Row>(columns: readonly ColumnOf<Row>[], rows: readonly Row[]): SQL =>
  subquery(columns, column => sql`${arrayLiteral(column, rows)}`)

/** Returns the same subquery for a prepared statement, whose values `inputValues` returns. */
export const preparedInput = <Row>(input: string, columns: readonly ColumnOf<Row>[]): SQL =>
  subquery(columns, column => sql`${sql.placeholder(placeholderOf(input, column))}`)

/** Returns the values of a prepared subquery's placeholders for these rows. */
export const inputValues = <Row>(
  input: string,
  columns: readonly ColumnOf<Row>[],
  rows: readonly Row[],
): Record<string, string> =>
  Object.fromEntries(columns.map(column => [placeholderOf(input, column), arrayLiteral(column, rows)]))

/** Returns the name of a column's placeholder. `input` is unique in its statement. */
const placeholderOf = (input: string, column: { readonly name: string }) => `${input}.${column.name}`

function subquery<Row>(columns: readonly ColumnOf<Row>[], arrayOf: (column: ColumnOf<Row>) => SQL): SQL {
  // As text, because array parameters differ between the drivers and are slower.
  const arrays = columns.map(column => sql`${arrayOf(column)}::text::${sql.raw(types[column.type].transfer)}[]`)
  const converted = columns.map(column => types[column.type].convert(column))
  return sql`(select ${sql.join(converted, sql`, `)}
    from unnest(${sql.join(arrays, sql`, `)}) as raw(${sql.join(columns.map(name), sql`, `)})) as input`
}

/** Returns a column of the rows as an array literal. */
function arrayLiteral<Row>({ type, value }: ColumnOf<Row>, rows: readonly Row[]): string {
  const element = (row: Row) => {
    const cell = value(row)
    if (cell === null) return 'null'
    if (type === 'amount') return Math.round(Number(cell) * 1e6)
    return type === 'text' || type === 'json' ? quoted(String(cell)) : cell
  }
  return `{${rows.map(element).join(',')}}`
}

/** Returns a text as an element of an array literal. */
const quoted = (text: string) => `"${text.replaceAll(/[\\"]/g, '\\$&')}"`
