/** Endpoint of the changes of feed water and feed pressure that devices of a supply share. */
import { desc, eq, sql } from 'drizzle-orm'
import { health as contract } from '../../../src/api/contract/health/endpoints.ts'
import { deterministicId } from '../../db/id.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceHealth } from '../../db/schema/health.ts'
import { supplyChanges } from '../../db/schema/supplies.ts'
import { handler } from '../../endpoints/handler.ts'
import { ownDevices, ownSupplyChanges } from '../shared/scope.ts'

const maxChanges = 100
/** Devices that a change names at most. */
const maxNamed = 1000

export const newestSupplyChanges = handler(contract.incidents, async ({ caller, services: { db } }) => {
  const rows = await db
    .select({ change: supplyChanges, company: accounts.company_name })
    .from(supplyChanges)
    .innerJoin(accounts, eq(accounts.id, supplyChanges.vendor_id))
    .where(ownSupplyChanges(caller))
    .orderBy(desc(supplyChanges.began_at))
    .limit(maxChanges)
  const unlabelled = rows.flatMap(({ change }) => (change.water_supply === null ? change.supply_key : []))
  const { rows: members } = await db.execute<{ supply: string; bssids: string[] | null }>(sql`
    select supply, (select json_agg(bssid) from (
        select ${devices.bssid} as bssid from ${deviceHealth} join ${devices} on ${devices.bssid} = ${deviceHealth.bssid}
        where ${deviceHealth.supply_key} = supply and ${ownDevices(caller) ?? sql`true`}
        order by ${deviceHealth.bssid} limit ${maxNamed}) as named) as bssids
    from unnest(${sql.param(unlabelled)}::text[]) as supply`)
  const bssidsOf = new Map(members.map(({ supply, bssids }) => [supply, bssids ?? []]))
  return rows.map(({ change, company }) => ({
    // Supplies without a label may differ in nothing that the response has.
    _id: deterministicId(`${change.supply_key} ${change.cause} ${change.began_at.toISOString()}`),
    vendor: { _id: change.vendor_id, company_name: company },
    water_supply: change.water_supply,
    cause: change.cause,
    began_at: change.began_at.toISOString(),
    ended_at: change.ended_at?.toISOString() ?? null,
    change: Math.round((Math.exp(change.value) - 1) * 100),
    devices: change.devices,
    told_at: change.told_at.toISOString(),
    bssids: bssidsOf.get(change.supply_key) ?? [],
  }))
})
