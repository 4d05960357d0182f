/** Lists filtration systems. */
import { eq, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { filtrationSystems as contract, type FiltrationSystem } from '../../../src/api/contract/filtration.ts'
import { searchable } from '../../../src/domain/columns/column.ts'
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
import { listPage, type Listed } from '../shared/list.ts'
import { company, named, storedColumns } from '../shared/listColumns.ts'
import { ownSystems } from '../shared/scope.ts'

const typesOfSystem = sql`${filtrationSystemCartridges}
  join ${cartridgeTypes} on ${eq(cartridgeTypes.id, filtrationSystemCartridges.cartridge_type_id)}`

const listed: Listed = {
  table: filtrationSystems,
  key: filtrationSystems.id,
  definition: contract.list.columns!,
  columns: storedColumns(filtrationSystems, searchable(filtrationSystemColumns), {
    group: named(
      filtrationSystems.group_id,
      filtrationSystemGroups,
      filtrationSystemGroups.id,
      filtrationSystemGroups.name_key,
    ),
    cartridges: {
      value: cartridgeTypes.model_key,
      among: test =>
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
  const these = sql`any(${sql.param(keys)}::text[])`
  const found = await db
    .select({ system: filtrationSystems, group: filtrationSystemGroups.name, company: accounts.company_name })
    .from(filtrationSystems)
    .leftJoin(filtrationSystemGroups, eq(filtrationSystemGroups.id, filtrationSystems.group_id))
    .leftJoin(accounts, eq(accounts.id, filtrationSystems.vendor_id))
    .where(sql`${filtrationSystems.id} = ${these}`)
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
      .where(sql`${filtrationSystemCartridges.filtration_system_id} = ${these}`)
      .orderBy(filtrationSystemCartridges.position),
    cartridge => cartridge.system,
  )
  const rows = new Map(
    found.map(({ system, group, company: companyName }): [string, SystemRow] => [
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
  return keys.flatMap(key => rows.get(key) ?? [])
}

export const list = handler(contract.list, async ({ query, caller, services: { db } }) => {
  const { count, keys } = await listPage(db, listed, ownSystems(caller), query)
  return { count, data: await systemsByKeys(db, keys) }
})
