/** Endpoint of the audit log. */
import { getTableColumns, inArray, sql } from 'drizzle-orm'
import { audit as contract, maxAuditIds } from '../../../src/api/contract/audit.ts'
import { auditColumns } from '../../../src/domain/columns/audit.ts'
import { lowered } from '../../db/caseFold.ts'
import { audit } from '../../db/schema/audit.ts'
import { handler, type Handler } from '../../endpoints/handler.ts'
import { listPage } from '../shared/list.ts'
import type { ListDefinition } from '../shared/listDefinition.ts'
import { folded, storedColumns } from '../shared/listColumns.ts'
import { auditTitles, titleOf } from './titles.ts'

const titles = sql`${JSON.stringify(Object.fromEntries(auditTitles))}::jsonb`
/** The same as `titleOf`. */
const title = sql`coalesce(${titles} ->> (${audit.action} || ' ' || (${audit.values} ->> 'factor')),
  ${titles} ->> ${audit.action}, ${audit.action})`

/** The name of the API key that the call was made with. */
const key = sql<string | null>`(${audit.values} -> 'api_key' ->> 'name')`

/** The ids that the call named, and those that it created. */
const allIds = sql`(${audit.ids} || ${audit.created_ids})`

const columns = storedColumns(audit, auditColumns, {
  /** A search matches the title, or method and path. */
  action: {
    value: lowered(sql`one.text`),
    inAnyRow: test => sql`exists (select 1 from unnest(array[${title}, ${audit.action}]) as one (text) where ${test})`,
    order: { by: lowered(title) },
  },
  call: folded(audit.action),
  key: { value: lowered(key), order: { by: lowered(key), nullable: true } },
  /** A search matches any of the ids; sorted by the first one. */
  ids: {
    value: lowered(sql`one.id`),
    inAnyRow: test => sql`exists (select 1 from unnest(${allIds}) as one (id) where ${test})`,
    order: { by: sql`${allIds}[1] collate "C"`, nullable: true },
  },
})
const { created_ids: _created, ended_at: _ended, counting: _counting, ...shownColumns } = getTableColumns(audit)
const auditList: ListDefinition = { table: audit, key: audit.id, definition: contract.list.columns!, columns }

const list = handler(contract.list, async ({ query, services: { db } }) => {
  // Newest first by default.
  const sorted = query.sort ? query : { ...query, sort: 'at', direction: 'desc' as const }
  const { count, keys } = await listPage(db, auditList, undefined, sorted)
  // A bigint is text in one driver and a number in the other.
  const ids = keys.map(Number)
  const rows = await db
    .select({
      ...shownColumns,
      key,
      // A bulk call may have a thousand ids.
      ids: sql<string[]>`${allIds}[1:${sql.raw(String(maxAuditIds))}]`,
      ids_count: sql<number>`cardinality${allIds}`,
    })
    .from(audit)
    .where(inArray(audit.id, ids))
  const byId = new Map(rows.map(row => [row.id, row]))
  const data = ids.flatMap(key => {
    const row = byId.get(key)
    if (!row) return []
    const { id, at, account_id: account, ...rest } = row
    return [{ ...rest, _id: String(id), at: at.toISOString(), account, title: titleOf(rest.action, rest.values) }]
  })
  return { count, data }
})

export const auditHandlers: readonly Handler[] = [list]
