/** Lists device models. A vendor must not learn, even by search or sort, which other vendors a model is offered to. */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { models as contract, type DeviceModel } from '../../../src/api/contract/models.ts'
import { searchableColumns } from '../../../src/domain/columns/column.ts'
import { modelColumns } from '../../../src/domain/columns/models.ts'
import type { Database } from '../../db/database.ts'
import { lowered } from '../../db/caseFold.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { deviceModels, deviceModelVendors } from '../../db/schema/models.ts'
import { handler, type Caller } from '../../endpoints/handler.ts'
import { listPage } from '../shared/list.ts'
import type { ListDefinition } from '../shared/listDefinition.ts'
import { company, storedColumns } from '../shared/listColumns.ts'
import { ownModels, ownOffers } from '../shared/scope.ts'

const companyKey = lowered(accounts.company_name)

function modelList(caller: Caller): ListDefinition {
  const offers = (where: SQL | undefined, selection: SQL) => sql`(select ${selection} from ${deviceModelVendors}
    join ${accounts} on ${eq(accounts.id, deviceModelVendors.vendor_id)} where ${and(where, ownOffers(caller))})`
  return {
    table: deviceModels,
    key: deviceModels.id,
    definition: contract.list.columns!,
    columns: storedColumns(deviceModels, searchableColumns(modelColumns), {
      company_name: company(deviceModels.owner_id),
      capabilities: {
        value: sql`capability`,
        inAnyRow: test => sql`exists (select from unnest(${deviceModels.capabilities}) as capability where ${test})`,
        order: { by: sql`array_to_string(${deviceModels.capabilities}, ' ')` },
      },
      vendors: {
        value: companyKey,
        inAnyRow: test => sql`${deviceModels.id} in ${offers(test, sql`${deviceModelVendors.model_id}`)}`,
        order: {
          by: offers(
            eq(deviceModelVendors.model_id, deviceModels.id),
            sql`string_agg(${companyKey}, ' ' order by ${companyKey})`,
          ),
          nullable: true,
        },
      },
    }),
  }
}

type ModelRow = z.input<typeof DeviceModel>

/** Returns the models of these keys as visible to the caller, in the keys' order; missing ones are left out. */
async function modelsByKeys(db: Database, caller: Caller, keys: readonly string[]): Promise<ModelRow[]> {
  const anyKey = sql`any(${sql.param(keys)}::text[])`
  const rows = await db
    .select({ model: deviceModels, company: accounts.company_name })
    .from(deviceModels)
    .leftJoin(accounts, eq(accounts.id, deviceModels.owner_id))
    .where(sql`${deviceModels.id} = ${anyKey}`)
  const vendors = Map.groupBy(
    await db
      .select({ model: deviceModelVendors.model_id, _id: accounts.id, company_name: accounts.company_name })
      .from(deviceModelVendors)
      .innerJoin(accounts, eq(accounts.id, deviceModelVendors.vendor_id))
      .where(and(sql`${deviceModelVendors.model_id} = ${anyKey}`, ownOffers(caller)))
      .orderBy(companyKey, accounts.id),
    vendor => vendor.model,
  )
  const byKey = new Map(
    rows.map(({ model, company: owner }): [string, ModelRow] => [
      model.id,
      {
        _id: model.id,
        platform: model.platform,
        name: model.name,
        company_name: owner ?? '',
        capabilities: model.capabilities,
        bypass_flow_rates: model.bypass_flow_rates,
        vendors: (vendors.get(model.id) ?? []).map(({ _id, company_name }) => ({ _id, company_name })),
        created_at: model.created_at.toISOString(),
        updated_at: model.updated_at.toISOString(),
      },
    ]),
  )
  return keys.flatMap(key => byKey.get(key) ?? [])
}

export const list = handler(contract.list, async ({ query, caller, services: { db } }) => {
  const { count, keys } = await listPage(db, modelList(caller), ownModels(caller), query)
  return { count, data: await modelsByKeys(db, caller, keys) }
})
