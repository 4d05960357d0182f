/** Endpoint of the servers on this database. */
import { getTableColumns, inArray, sql } from 'drizzle-orm'
import { servers as contract } from '../../../src/api/contract/servers.ts'
import { serverColumns, type ServerState } from '../../../src/domain/columns/servers.ts'
import { servers } from '../../db/schema/servers.ts'
import { handler, type Handler } from '../../endpoints/handler.ts'
import { isRunning } from '../../servers/lease.ts'
import { listPage } from '../shared/list.ts'
import type { ListDefinition } from '../shared/listDefinition.ts'
import { storedColumns } from '../shared/listColumns.ts'

const state = sql<ServerState>`case when ${isRunning} then 'running' else 'silent' end`

const serverList: ListDefinition = {
  table: servers,
  key: servers.id,
  definition: contract.list.columns!,
  columns: storedColumns(servers, serverColumns, {
    roles: {
      value: sql`role`,
      inAnyRow: test => sql`exists (select from unnest(${servers.roles}) as role where ${test})`,
      order: { by: sql`array_to_string(${servers.roles}, ' ')` },
    },
    state: { value: state, order: { by: state } },
  }),
}

const { id, ...shownColumns } = getTableColumns(servers)

const list = handler(contract.list, async ({ query, services: { db } }) => {
  // By name, unless sorted otherwise.
  const sorted = query.sort ? query : { ...query, sort: 'name', direction: 'asc' as const }
  const { count, keys } = await listPage(db, serverList, undefined, sorted)
  const rows = await db
    .select({ _id: id, ...shownColumns, state })
    .from(servers)
    .where(inArray(servers.id, [...keys]))
  const byId = new Map(rows.map(row => [row._id, row]))
  const data = keys.flatMap(key => {
    const row = byId.get(key)
    return row ? [{ ...row, started_at: row.started_at.toISOString(), seen_at: row.seen_at.toISOString() }] : []
  })
  return { count, data }
})

export const serverHandlers: readonly Handler[] = [list]
