/** What a list's search means in SQL: one operator, one column, one text. */
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { Operator } from '../../../src/api/contract/endpoint.ts'
import { attributeName } from '../../../src/api/contract/issues.ts'
import type { ColumnKind } from '../../../src/domain/columns/column.ts'
import { messages } from '../../../src/domain/messages.ts'
import { badRequest } from '../../core/errors.ts'

/** Where a column's value is found. */
export interface Searched {
  /** The value; of a text column the key it is compared by, in the case that `fold` gives. */
  readonly value: SQLWrapper
  readonly fold?: 'lower' | 'upper'
  /** How a person's spelling becomes the stored one. */
  readonly normalise?: (search: string) => string
  /** How a part of it may be stored, each way. */
  readonly parts?: (part: string, where: (typeof places)[Partial]) => readonly string[]
  /** For a value that stands in other rows: holds where one that passes the test belongs to this row. */
  readonly among?: (test: SQL) => SQL
}

/** Where in a text a part of it is looked for. */
const places = { co: 'within', sw: 'start', ew: 'end' } as const
type Partial = keyof typeof places
type Comparison = Exclude<Operator, Partial | 'ne'>
const isPartial = (operator: Operator): operator is Partial => operator in places

/**
 * The condition under which a row is found. Rows without a value are found by `ne` only.
 * Throws a 400 that names what is expected where the text is no value of the column's kind.
 */
export function searchCondition(
  name: string,
  kind: ColumnKind,
  column: Searched,
  operator: Operator,
  search: string,
): SQL {
  const among = column.among ?? ((test: SQL) => test)
  if (isPartial(operator)) return among(reads(kind, column, operator, search))
  if (operator === 'ne') return sql`(${among(compares(name, kind, column, 'eq', search))}) is not true`
  return among(compares(name, kind, column, operator, search))
}

/** `co`, `sw`, `ew`: what the value reads as. */
function reads(kind: ColumnKind, { value, fold, parts }: Searched, operator: Partial, search: string): SQL {
  switch (kind.kind) {
    case 'text': {
      const spellings = parts?.(search, places[operator]) ?? [search]
      // One by one, so that each may use the index.
      const tests = spellings.map(part => sql`${value} like ${folded(likePattern(operator, part), fold)}`)
      return sql`(${sql.join(tests, sql` or `)})`
    }
    case 'number':
      // The shortest digits that give the number, without an exponent.
      return sql`${value}::float8::text::numeric::text like ${likePattern(operator, search)}`
    case 'time':
      return sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') like ${likePattern(operator, search.toUpperCase())}`
    case 'choice':
    case 'flag': {
      const needle = search.toLowerCase()
      const codes = choices(kind).filter(choice => readsAs[operator](choice.name.toLowerCase(), needle))
      return codes.length === 0 ? sql`false` : sql`${value} in ${codes.map(choice => choice.code)}`
    }
  }
}

const readsAs: Record<Partial, (text: string, needle: string) => boolean> = {
  co: (text, needle) => text.includes(needle),
  sw: (text, needle) => text.startsWith(needle),
  ew: (text, needle) => text.endsWith(needle),
}

function likePattern(operator: Partial, search: string): string {
  const literal = search.replace(/[\\%_]/g, '\\$&')
  return { co: `%${literal}%`, sw: `${literal}%`, ew: `%${literal}` }[operator]
}

/** The same mapping as the stored keys have, and their collation, without which no index applies. */
const folded = (text: string, fold: 'lower' | 'upper' = 'lower') =>
  sql`(${sql.raw(fold)}(${text}::text collate "pg_c_utf8") collate "C")`

/** Values as such. */
function compares(name: string, kind: ColumnKind, column: Searched, operator: Comparison, search: string): SQL {
  const { value } = column
  const against = (least: SQL, most: SQL = least): SQL =>
    ({
      eq: least === most ? sql`${value} = ${least}` : sql`${value} between ${least} and ${most}`,
      gt: sql`${value} > ${most}`,
      ge: sql`${value} >= ${least}`,
      lt: sql`${value} < ${least}`,
      le: sql`${value} <= ${most}`,
    })[operator]

  switch (kind.kind) {
    case 'text':
      return against(folded(column.normalise?.(search) ?? search, column.fold))
    case 'number': {
      const [least, most] = numbersIn(name, search)
      return against(sql`${least}::float8`, sql`${most}::float8`)
    }
    case 'time': {
      const [least, most] = timesIn(name, search)
      return against(sql`${least}::timestamptz`, sql`${most}::timestamptz`)
    }
    case 'choice':
    case 'flag':
      return against(sql`${codeIn(name, choices(kind), search)}`)
  }
}

/** The ends of a range, `15.5..15.6`; of a number alone it itself. */
function numbersIn(name: string, search: string): [least: number, most: number] {
  const [least = NaN, most = least, ...others] = search.split('..').map(end => numberIn(end.trim()))
  if (least <= most && others.length === 0) return [least, most]
  throw badRequest(messages.number(attributeName([name])))
}

const numberIn = (given: string): number =>
  /^[+-]?(\d+\.?\d*|\.\d+)$/.test(given) && Number.isFinite(Number(given)) ? Number(given) : NaN

/** The first and last millisecond that a text names: a date alone is its whole day in UTC. */
function timesIn(name: string, search: string): [string, string] {
  const given = search.trim().toUpperCase()
  const from = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(given)
    ? Date.parse(given)
    : NaN
  const year = new Date(from).getUTCFullYear()
  const day = given.slice(0, 10)
  // `NaN` fails both comparisons; PostgreSQL knows no year 0. The 30th of February is read as one of March.
  if (!(year >= 1 && year <= 9999) || new Date(day).toISOString().slice(0, 10) !== day)
    throw badRequest(
      `${attributeName([name])} must be an ISO 8601 date or time, such as 2026-01-31 or 2026-01-31T12:00:00Z`,
    )
  const until = given.includes('T') ? from : from + 86_399_999
  return [new Date(from).toISOString(), new Date(until).toISOString()]
}

interface Choice {
  readonly code: string | number | boolean
  readonly name: string
}

/** The values of an enumeration as they are stored, with a person's name for each. */
function choices(
  kind: Extract<ColumnKind, { kind: 'choice' }> | { readonly kind: 'text' | 'number' | 'time' | 'flag' },
) {
  const names = 'names' in kind ? kind.names : { true: 'Yes', false: 'No' }
  return Object.entries(names).map(([code, name]): Choice => ({ code: stored(code), name }))
}
const booleans: Readonly<Record<string, boolean>> = { true: true, false: false }
const stored = (code: string): Choice['code'] => booleans[code] ?? (/^\d+$/.test(code) ? Number(code) : code)

function codeIn(name: string, among: readonly Choice[], search: string): Choice['code'] {
  const needle = search.trim().toLowerCase()
  const found = among.find(choice => String(choice.code) === needle || choice.name.toLowerCase() === needle)
  if (found) return found.code
  throw badRequest(
    messages.oneOf(
      attributeName([name]),
      among.map(choice => choice.name),
    ),
  )
}
