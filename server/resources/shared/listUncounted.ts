/** Reads a page of a list without counting all matches. */
import { and, getTableName, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { SortOrder } from './listDefinition.ts'
import { partsOf, readSlice, type ListContext } from './listSlice.ts'

/** Maximum rows that are skipped to reach a page without counting all matches. */
const maxSkip = 10_000

/** Returns the keys of a full page near the start, or near one read before; `undefined` if matches must be counted for it. */
export async function pageWithoutCount(context: ListContext, order: SortOrder): Promise<string[] | undefined> {
  const { offset, limit } = context.query
  const read = async () => {
    if (!('by' in order)) return offset > maxSkip ? undefined : pageByName(context, order)
    const [firstPart] = partsOf(order)
    return readSlice(context, { run: { ...firstPart, count: Infinity }, start: offset, take: limit }, maxSkip)
  }
  const keys = await read()
  return keys?.length === limit ? keys : undefined
}

/** Reads a page by names from the start of the list: the rows of one name after another until there are enough. */
async function pageByName(
  { db, list, from, scope, where, query: { offset, limit, direction } }: ListContext,
  { reference, names }: Extract<SortOrder, { reference: PgColumn }>,
): Promise<string[]> {
  const order = sql.raw(direction)
  // Only names that rows of the caller use: each other name would cost a lookup without a result.
  const listName = sql.identifier(getTableName(list.table))
  const ofCaller =
    list.tally && scope
      ? sql` where ${names.id} in (select ${reference} from ${list.tally.table} as ${listName} where ${scope})`
      : sql``
  const { rows } = await db.execute<{ key: string }>(sql`
    select key
    from (select ${names.id} as id, ${names.name} as name from ${names.table}${ofCaller}
          order by name ${order}, id ${order} offset 0) as names
    cross join lateral (
      select ${list.key} as key from ${from.tables} where ${and(where, sql`${reference} = names.id`)}
      order by key ${order} limit ${offset + limit}) as matches
    order by name ${order}, id ${order}, key ${order} limit ${limit} offset ${offset}`)
  return rows.map(row => row.key)
}
