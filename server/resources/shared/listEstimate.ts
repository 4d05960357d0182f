/** Estimates how many rows of a large table match a search, from a sample of its rows. */
import { getTableName, sql, type SQL } from 'drizzle-orm'
import { listMemoryOf } from './listMemory.ts'
import { defaultFewMatches, idOf, type ListContext } from './listSlice.ts'
import type { Source } from './listSource.ts'

/** Rows of a table up to which all matches are counted; a list may have another number. */
const defaultCountedRows = 50_000
/** The caller's rows in a sample, all rows that are read for it at most, and matches from which an estimate is good. */
const sampledRows = 5_000
const maxReadRows = 10_000
const enoughMatches = 50

/** Remembers how many rows a list's condition matched. */
export const rememberCount = ({ db, where }: ListContext, count: number): void =>
  listMemoryOf(db).addCount(idOf(sql`${where}`), count)

/**
 * Returns the number of matches: as it was counted a short time ago, or estimated from a sample in two significant digits.
 * Returns `undefined` if they are better counted, because the table is not large or few of its rows match.
 */
export async function estimateMatches(
  { db, list, scope, where }: ListContext,
  from: Source,
  test: SQL,
): Promise<number | undefined> {
  const { tally, table, countedRows = defaultCountedRows, fewMatches = defaultFewMatches } = list
  if (tally === undefined) return undefined
  const name = sql.identifier(getTableName(table))
  const counted = sql`${name}.${sql.identifier(tally.count.name)}`
  const inScope = scope ?? sql`true`
  const { rows: totals } = await db.execute<{ rows: number; own: number }>(sql`
    select coalesce(sum(${counted}), 0)::integer as rows, coalesce(sum(${counted}) filter (where ${inScope}), 0)::integer as own
    from ${tally.table} as ${name}`)
  const { rows, own: ownRows } = totals[0]!
  // Counting what a small vendor has reads less than a sample.
  if (rows <= countedRows || ownRows <= Math.min(countedRows, sampledRows)) return undefined
  const known = listMemoryOf(db).countOf(idOf(sql`${where}`))
  if (known !== undefined) return known <= fewMatches ? undefined : known
  const sampled = from.sample(100 * Math.min(1, sampledRows / ownRows, maxReadRows / rows))
  const { rows: samples } = await db.execute<{ found: number; own: number }>(sql`
    select (select count(*) from ${sampled} where ${inScope} and ${test})::integer as found,
      (select count(*) from ${sampled} where ${inScope})::integer as own`)
  const sample = samples[0]!
  if (sample.found < enoughMatches) return undefined
  return Number(((ownRows * sample.found) / sample.own).toPrecision(2))
}
