/** Case folding by the database's mapping to lower case, which differs from JavaScript's. */
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { Database } from './database.ts'

/** Returns the expression by which a text without a stored sort key is sorted and searched: lower case, bytewise. */
export const lowered = (text: SQLWrapper): SQL => sql`(lower(${text} collate "pg_c_utf8") collate "C")`

/** Returns a function that maps each of these texts to the key by which names are compared. */
export async function nameKeys(db: Database, texts: readonly string[]): Promise<(text: string) => string> {
  const { rows } = await db.execute<{ text: string; key: string }>(
    sql`select text, ${lowered(sql`text`)} as key from unnest(${sql.param([...new Set(texts)])}::text[]) as text`,
  )
  const keys = new Map(rows.map(({ text, key }) => [text, key]))
  return text => keys.get(text) ?? text
}
