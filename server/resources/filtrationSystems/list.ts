/** Lists filtration systems. */
import { eq, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { filtrationSystems as contract, type FiltrationSystem } from '../../../src/api/contract/filtration.ts'
import { searchableColumns } from '../../../src/domain/columns/column.ts'
import { filtrationSystemColumns } from '../../../src/domain/columns/filtration.ts'
import type { Database } from '../../db/database.ts'
import { accounts } from '../../db/schema/accounts.ts'
import {
  cartridgeTypes,
  filtrationSystemCartridges,
  filtrationSystemGroups,
  filtrationSystems,
} from '../../db/schema/filtration.ts'
import { handler } from '../../endpoints/handler.ts'
import { listPage } from '../shared/list.ts'
import type { ListDefinition } from '../shared/listDefinition.ts'
import { company, referencedName, storedColumns } from '../shared/listColumns.ts'
import { ownSystems } from '../shared/scope.ts'

const typesOfSystem = sql`${filtrationSystemCartridges}
  join ${cartridgeTypes} on ${eq(cartridgeTypes.id, filtrationSystemCartridges.cartridge_type_id)}`

const systemList: ListDefinition = {
  table: filtrationSystems,
  key: filtrationSystems.id,
  definition: contract.list.columns!,
  columns: storedColumns(filtrationSystems, searchableColumns(filtrationSystemColumns), {
    group: referencedName(
      filtrationSystems.group_id,
      filtrationSystemGroups,
      filtrationSystemGroups.id,
      filtrationSystemGroups.name_key,
    ),
    cartridges: {
      value: cartridgeTypes.model_key,
      inAnyRow: test =>
        sql`${filtrationSystems.id} in (select ${filtrationSystemCartridges.filtration_system_id}
          from ${typesOfSystem} where ${test})`,
      order: {
        by: sql`(select string_agg(${cartridgeTypes.model_key}, ' ' order by ${filtrationSystemCartridges.position})
          from ${typesOfSystem} where ${eq(filtrationSystemCartridges.filtration_system_id, filtrationSystems.id)})`,
        nullable: true,
      },
    },
    vendor: company(filtrationSystems.vendor_id),
  }),
}

type SystemRow = z.input<typeof FiltrationSystem>

/** Returns the filtration systems of these keys, in the keys' order; missing ones are left out. */
async function systemsByKeys(db: Database, keys: readonly string[]): Promise<SystemRow[]> {
  const anyKey = sql`any(${sql.param(keys)}::text[])`
  const rows = await db
    .select({ system: filtrationSystems, group: filtrationSystemGroups.name, company: accounts.company_name })
    .from(filtrationSystems)
    .leftJoin(filtrationSystemGroups, eq(filtrationSystemGroups.id, filtrationSystems.group_id))
    .leftJoin(accounts, eq(accounts.id, filtrationSystems.vendor_id))
    .where(sql`${filtrationSystems.id} = ${anyKey}`)
  const cartridges = Map.groupBy(
    await db
      .select({
        system: filtrationSystemCartridges.filtration_system_id,
        _id: cartridgeTypes.id,
        model: cartridgeTypes.model,
        type: cartridgeTypes.type,
      })
      .from(filtrationSystemCartridges)
      .innerJoin(cartridgeTypes, eq(cartridgeTypes.id, filtrationSystemCartridges.cartridge_type_id))
      .where(sql`${filtrationSystemCartridges.filtration_system_id} = ${anyKey}`)
      .orderBy(filtrationSystemCartridges.position),
    cartridge => cartridge.system,
  )
  const byKey = new Map(
    rows.map(({ system, group, company: companyName }): [string, SystemRow] => [
      system.id,
      {
        _id: system.id,
        model: system.model,
        group: system.group_id === null ? null : { _id: system.group_id, name: group ?? '' },
        cartridges: (cartridges.get(system.id) ?? []).map(({ _id, model, type }) => ({ _id, model, type })),
        vendor: system.vendor_id === null ? null : { _id: system.vendor_id, company_name: companyName ?? '' },
        flushing: system.flushing,
        flush: {
          smart: system.flush_smart,
          mode: system.flush_mode,
          frequency: system.flush_frequency,
          duration: system.flush_duration,
          volume: system.flush_volume,
        },
        created_at: system.created_at.toISOString(),
        updated_at: system.updated_at.toISOString(),
      },
    ]),
  )
  return keys.flatMap(key => byKey.get(key) ?? [])
}

export const list = handler(contract.list, async ({ query, caller, services: { db } }) => {
  const { count, keys } = await listPage(db, systemList, ownSystems(caller), query)
  return { count, data: await systemsByKeys(db, keys) }
})
