/** Names as they are compared: by the database's mapping to lower case, which is not quite JavaScript's. */
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { Database } from './database.ts'

/** What a text is sorted and searched by where no stored key holds it: lower case, byte by byte. */
export const lowered = (text: SQLWrapper): SQL => sql`(lower(${text} collate "pg_c_utf8") collate "C")`

/** The key by which names are told apart, for each of these texts. */
export async function nameKeys(db: Database, texts: readonly string[]): Promise<(text: string) => string> {
  const { rows } = await db.execute<{ text: string; key: string }>(
    sql`select text, ${lowered(sql`text`)} as key from unnest(${sql.param([...new Set(texts)])}::text[]) as text`,
  )
  const keys = new Map(rows.map(({ text, key }) => [text, key]))
  return text => keys.get(text) ?? text
}
