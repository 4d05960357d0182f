/** Translates a list search (column, operator and text) into SQL. */
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { Operator } from '../../../src/domain/lists/query.ts'
import { attributeName } from '../../../src/domain/lib/issues.ts'
import type { ColumnKind } from '../../../src/domain/columns/column.ts'
import { messages } from '../../../src/domain/messages.ts'
import { badRequest } from '../../core/errors.ts'

/** How a column is searched. */
export interface SearchableValue {
  /** The value; for a text column its sort key, in the case of `fold`. */
  readonly value: SQLWrapper
  readonly fold?: 'lower' | 'upper'
  /** Converts a search text to the stored spelling. */
  readonly normalise?: (search: string) => string
  /** Returns all stored spellings that a partial search text may match. */
  readonly parts?: (part: string, position: (typeof matchPositions)[Partial]) => readonly string[]
  /** For a value in other rows: returns the condition that one of these rows passes the test. */
  readonly inAnyRow?: (test: SQL) => SQL
}

/** The partial operators, with the position of the match in the text. */
const matchPositions = { co: 'within', sw: 'start', ew: 'end' } as const
type Partial = keyof typeof matchPositions
type Comparison = Exclude<Operator, Partial | 'ne'>
const isPartial = (operator: Operator): operator is Partial => operator in matchPositions

/**
 * Returns the condition of a search. Rows without a value match `ne` only.
 * Throws a 400 if the text is not a valid value for the column.
 */
export function searchCondition(
  name: string,
  kind: ColumnKind,
  column: SearchableValue,
  operator: Operator,
  search: string,
): SQL {
  const inAnyRow = column.inAnyRow ?? ((test: SQL) => test)
  if (isPartial(operator)) return inAnyRow(matchesText(kind, column, operator, search))
  if (operator === 'ne') return sql`(${inAnyRow(comparesValue(name, kind, column, 'eq', search))}) is not true`
  return inAnyRow(comparesValue(name, kind, column, operator, search))
}

/** Returns the condition for `co`, `sw` and `ew`, which match the value's text. */
function matchesText(
  kind: ColumnKind,
  { value, fold, parts }: SearchableValue,
  operator: Partial,
  search: string,
): SQL {
  switch (kind.kind) {
    case 'text': {
      const spellings = parts?.(search, matchPositions[operator]) ?? [search]
      // Separate conditions, so that each can use the index.
      const tests = spellings.map(part => {
        const searched = operator === 'co' && part.length < trigramLength ? sql`(${value} || '')` : value
        return sql`${searched} like ${folded(likePattern(operator, part), fold)}`
      })
      return sql`(${sql.join(tests, sql` or `)})`
    }
    case 'number':
      // Shortest exact decimal notation, without an exponent.
      return sql`${value}::float8::text::numeric::text like ${likePattern(operator, search)}`
    case 'time':
      return sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') like ${likePattern(operator, search.toUpperCase())}`
    case 'choice':
    case 'flag': {
      const needle = search.toLowerCase()
      const codes = choices(kind).filter(choice => textTests[operator](choice.name.toLowerCase(), needle))
      return codes.length === 0 ? sql`false` : sql`${value} in ${codes.map(choice => choice.code)}`
    }
  }
}

/**
 * Characters of a trigram; the search indexes store trigrams. For a shorter part PostgreSQL reads such an index as a whole
 * and then every row, and does not see that reading the keys of another index costs less.
 */
const trigramLength = 3

const textTests: Record<Partial, (text: string, needle: string) => boolean> = {
  co: (text, needle) => text.includes(needle),
  sw: (text, needle) => text.startsWith(needle),
  ew: (text, needle) => text.endsWith(needle),
}

function likePattern(operator: Partial, search: string): string {
  const literal = search.replace(/[\\%_]/g, '\\$&')
  return { co: `%${literal}%`, sw: `${literal}%`, ew: `%${literal}` }[operator]
}

/** Returns a text mapped like the sort keys and with their collation, as the indexes require. */
const folded = (text: string, fold: 'lower' | 'upper' = 'lower') =>
  sql`(${sql.raw(fold)}(${text}::text collate "pg_c_utf8") collate "C")`

/** Returns the condition of a comparison by value. */
function comparesValue(
  name: string,
  kind: ColumnKind,
  column: SearchableValue,
  operator: Comparison,
  search: string,
): SQL {
  const { value } = column
  const compareTo = (min: SQL, max: SQL = min): SQL =>
    ({
      eq: min === max ? sql`${value} = ${min}` : sql`${value} between ${min} and ${max}`,
      gt: sql`${value} > ${max}`,
      ge: sql`${value} >= ${min}`,
      lt: sql`${value} < ${min}`,
      le: sql`${value} <= ${max}`,
    })[operator]

  switch (kind.kind) {
    case 'text':
      return compareTo(folded(column.normalise?.(search) ?? search, column.fold))
    case 'number': {
      const [min, max] = numbersIn(name, search)
      return compareTo(sql`${min}::float8`, sql`${max}::float8`)
    }
    case 'time': {
      const [min, max] = timesIn(name, search)
      return compareTo(sql`${min}::timestamptz`, sql`${max}::timestamptz`)
    }
    case 'choice':
    case 'flag':
      return compareTo(sql`${codeOf(name, choices(kind), search)}`)
  }
}

/** Returns the bounds of a range such as `15.5..15.6`; for a single number both are equal. */
function numbersIn(name: string, search: string): [min: number, max: number] {
  const [min = NaN, max = min, ...rest] = search.split('..').map(end => numberIn(end.trim()))
  if (min <= max && rest.length === 0) return [min, max]
  throw badRequest(messages.number(attributeName([name])))
}

const numberIn = (text: string): number =>
  /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) && Number.isFinite(Number(text)) ? Number(text) : NaN

/** Returns the first and last millisecond of a time; a date without time is its whole day in UTC. */
function timesIn(name: string, search: string): [string, string] {
  const text = search.trim().toUpperCase()
  const from = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(text) ? Date.parse(text) : NaN
  const year = new Date(from).getUTCFullYear()
  const day = text.slice(0, 10)
  // `NaN` fails both comparisons; PostgreSQL has no year 0. `Date` turns 30 February into a day in March.
  if (!(year >= 1 && year <= 9999) || new Date(day).toISOString().slice(0, 10) !== day)
    throw badRequest(
      `${attributeName([name])} must be an ISO 8601 date or time, such as 2026-01-31 or 2026-01-31T12:00:00Z`,
    )
  const last = text.includes('T') ? from : from + 86_399_999
  return [new Date(from).toISOString(), new Date(last).toISOString()]
}

interface Choice {
  readonly code: string | number | boolean
  readonly name: string
}

/** Returns the stored values of an enumeration with their display names. */
function choices(
  kind: Extract<ColumnKind, { kind: 'choice' }> | { readonly kind: 'text' | 'number' | 'time' | 'flag' },
) {
  const names = 'names' in kind ? kind.names : { true: 'Yes', false: 'No' }
  return Object.entries(names).map(([code, name]): Choice => ({ code: parseCode(code), name }))
}
const booleans: Readonly<Record<string, boolean>> = { true: true, false: false }
const parseCode = (code: string): Choice['code'] => booleans[code] ?? (/^\d+$/.test(code) ? Number(code) : code)

function codeOf(name: string, options: readonly Choice[], search: string): Choice['code'] {
  const needle = search.trim().toLowerCase()
  const match = options.find(choice => String(choice.code) === needle || choice.name.toLowerCase() === needle)
  if (match) return match.code
  throw badRequest(
    messages.oneOf(
      attributeName([name]),
      options.map(choice => choice.name),
    ),
  )
}
