/** The audit log as JSON Lines: one entry a line, oldest first, with its links of the chain. */
import { sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'

/** Entries per query. */
const pageSize = 1000

/** Yields a line for each entry. It takes several queries: in a repeatable read, the lines are those of one moment. */
export async function* auditLines(db: Database): AsyncGenerator<string> {
  for (let after = '0', isLast = false; !isLast;) {
    const { rows }: { rows: { id: string; line: string }[] } = await db.execute<{ id: string; line: string }>(sql`
      select a.id::text as id, (to_jsonb(a) - 'counting' || jsonb_build_object('links', (
        select coalesce(jsonb_agg(to_jsonb(l) - 'entry' order by l.position), '[]') from audit_links l where l.entry = a.id
      )))::text as line
      from audit a where a.id > ${after}::bigint order by a.id limit ${pageSize}`)
    for (const { line } of rows) yield `${line}\n`
    after = rows.at(-1)?.id ?? after
    isLast = rows.length < pageSize
  }
}
