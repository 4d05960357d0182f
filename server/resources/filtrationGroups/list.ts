/** Lists filtration system groups. */
import type * as z from 'zod/mini'
import {
  filtrationSystemGroups as contract,
  filtrationSystems as systemsContract,
  type FiltrationSystemGroup,
} from '../../../src/api/contract/filtration.ts'
import { groupColumns } from '../../../src/domain/columns/filtration.ts'
import { anyOf } from '../../db/anyOf.ts'
import type { Database } from '../../db/database.ts'
import { filtrationSystemGroups } from '../../db/schema/filtration.ts'
import { handler } from '../../endpoints/handler.ts'
import { listPage } from '../shared/list.ts'
import type { ListDefinition } from '../shared/listDefinition.ts'
import { storedColumns } from '../shared/listColumns.ts'
import { ownGroups } from '../shared/scope.ts'

const groupList: ListDefinition = {
  table: filtrationSystemGroups,
  key: filtrationSystemGroups.id,
  definition: contract.list.columns!,
  columns: storedColumns(filtrationSystemGroups, groupColumns, {}),
}

/** Returns the groups of these keys, in the keys' order; missing ones are left out. */
export async function groupsByKeys(
  db: Database,
  keys: readonly string[],
): Promise<z.input<typeof FiltrationSystemGroup>[]> {
  const rows = await db.select().from(filtrationSystemGroups).where(anyOf(filtrationSystemGroups.id, keys))
  const byKey = new Map(
    rows.map(({ id, name, created_at, updated_at }) => [
      id,
      { _id: id, name, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() },
    ]),
  )
  return keys.flatMap(key => byKey.get(key) ?? [])
}

export const groupLists = [contract.list, systemsContract.groups].map(endpoint =>
  handler(endpoint, async ({ query, caller, services: { db } }) => {
    const { count, keys } = await listPage(db, groupList, ownGroups(caller), query)
    return { count, data: await groupsByKeys(db, keys) }
  }),
)
