/** Endpoint of the labels of water supplies that are in use. */
import { and, gt, isNotNull, sql } from 'drizzle-orm'
import { devices as contract } from '../../../src/api/contract/devices.ts'
import { lowered } from '../../db/caseFold.ts'
import { devices } from '../../db/schema/devices.ts'
import { handler } from '../../endpoints/handler.ts'
import { ownDevices } from '../shared/scope.ts'

/**
 * Returns each label once, in one spelling. The index is read from one label to the next, because reading it whole would
 * cost as much as there are devices.
 */
export const waterSupplies = handler(contract.waterSupplies, async ({ query, caller, services: { db } }) => {
  const { water_supply: label, water_supply_key: key } = devices
  const first = (condition: ReturnType<typeof gt>) =>
    db
      .select({ label, key })
      .from(devices)
      .where(and(ownDevices(caller), condition))
      .orderBy(key, devices.bssid)
      .limit(1)
  const { rows } = await db.execute<{ label: string }>(sql`
    with recursive labels(label, key) as (
      (${first(isNotNull(key))})
      union all
      select next.* from labels cross join lateral (${first(gt(key, sql`labels.key`))}) as next
    )
    select label from labels where position(${lowered(sql`${query.search}::text`)} in key) > 0 limit ${query.limit}`)
  return rows.map(row => row.label)
})
