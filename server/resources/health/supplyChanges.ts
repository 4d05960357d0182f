/** Endpoint of the changes of feed water and feed pressure that devices of a supply share. */
import { and, desc, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { health as contract } from '../../../src/api/contract/health/endpoints.ts'
import { shownChangeDays } from '../../../src/api/contract/health/fleet.ts'
import { msPerDay } from '../../../src/domain/time.ts'
import { lowered } from '../../db/caseFold.ts'
import { deterministicId } from '../../db/id.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceHealth } from '../../db/schema/health.ts'
import { supplyChanges } from '../../db/schema/supplies.ts'
import { handler, type Caller } from '../../endpoints/handler.ts'
import { ownDevices, ownSupplyChanges } from '../shared/scope.ts'

const maxChanges = 100
/** Devices that a change names at most. */
const maxNamed = 1000

export const newestSupplyChanges = handler(contract.incidents, async ({ caller, services: { db, now } }) => {
  const shownSince = new Date(now().getTime() - shownChangeDays * msPerDay)
  const rows = await db
    .select({ change: supplyChanges, company: accounts.company_name, findsOthers: isAlsoOfOthers(caller) })
    .from(supplyChanges)
    .innerJoin(accounts, eq(accounts.id, supplyChanges.vendor_id))
    .where(and(ownSupplyChanges(caller), or(isNull(supplyChanges.ended_at), gt(supplyChanges.ended_at, shownSince))))
    // Lasting ones before ended ones.
    .orderBy(sql`${supplyChanges.ended_at} is not null`, desc(supplyChanges.began_at))
    .limit(maxChanges)
  const named = rows.flatMap(({ change, findsOthers }) =>
    change.water_supply === null || findsOthers ? change.supply_key : [],
  )
  const { rows: members } = await db.execute<{ supply: string; bssids: string[] | null }>(sql`
    select supply, (select json_agg(bssid) from (
        select ${devices.bssid} as bssid from ${deviceHealth} join ${devices} on ${devices.bssid} = ${deviceHealth.bssid}
        where ${deviceHealth.supply_key} = supply and ${ownDevices(caller) ?? sql`true`}
        order by ${deviceHealth.bssid} limit ${maxNamed}) as members) as bssids
    from unnest(${sql.param(named)}::text[]) as supply`)
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
    bssids: bssidsOf.get(change.supply_key) ?? null,
  }))
})

/** Returns the condition that a search for the label of a supply would also find devices of other vendors. */
const isAlsoOfOthers = ({ vendor }: Caller) =>
  vendor !== null
    ? sql<boolean>`false`
    : sql<boolean>`exists (select 1 from ${devices} where ${devices.water_supply_key} = ${lowered(supplyChanges.water_supply)}
        and ${devices.vendor_id} <> ${supplyChanges.vendor_id})`
