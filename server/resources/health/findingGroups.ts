/** Endpoint of findings that belong together: one cause at many devices of a water supply. */
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { health as contract } from '../../../src/api/contract/health/endpoints.ts'
import { minGroupDevices, minGroupShare, type FindingGroup } from '../../../src/api/contract/health/fleet.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { devices } from '../../db/schema/devices.ts'
import { healthFindings } from '../../db/schema/health.ts'
import { handler } from '../../endpoints/handler.ts'
import { ownFindings } from '../shared/scope.ts'

const maxGroups = 100
/** Findings and devices that a group names at most. */
const maxNamed = 1000

export const findingGroups = handler(contract.findingGroups, async ({ caller, services: { db } }) => {
  const open = and(
    eq(healthFindings.state, 'open'),
    ownFindings(caller),
    isNotNull(devices.water_supply_key),
    // Findings keep a copy of the vendor; the devices of the supply are counted by the device's own.
    eq(devices.vendor_id, healthFindings.vendor_id),
  )
  const named = (column: string) =>
    sql`to_json((array_agg(${sql.identifier(column)} order by bssid))[1:${sql.raw(String(maxNamed))}])`
  const { rows } = await db.execute<GroupRow>(sql`
    with found as (
      select ${healthFindings.id} as id, ${healthFindings.bssid} as bssid, ${healthFindings.cause} as cause,
        ${healthFindings.detected_at} as detected_at, ${healthFindings.vendor_id} as vendor_id,
        ${devices.water_supply_key} as supply, ${devices.water_supply} as label
      from ${healthFindings} join ${devices} on ${devices.bssid} = ${healthFindings.bssid} where ${open}
    ),
    -- The first finding after a break of more than a day begins another group.
    marked as (
      select *, detected_at - lag(detected_at) over same <= interval '1 day' as follows
      from found window same as (partition by vendor_id, supply, cause order by detected_at, id)
    ),
    numbered as (
      select *, count(*) filter (where follows is not true)
        over (partition by vendor_id, supply, cause order by detected_at, id) as part
      from marked
    ),
    grouped as (
      select vendor_id, supply, min(label) as water_supply, cause, min(detected_at) as found_from, max(detected_at) as found_to,
        count(*)::integer as devices, ${named('id')} as findings, ${named('bssid')} as bssids
      from numbered group by vendor_id, supply, cause, part having count(*) >= ${minGroupDevices}::integer
    ),
    measured as (
      select *, (select count(*)::integer from ${devices} where ${devices.vendor_id} = grouped.vendor_id
        and ${devices.water_supply_key} = grouped.supply) as of
      from grouped
    )
    select measured.*, ${accounts.company_name} as company from measured
    join ${accounts} on ${accounts.id} = measured.vendor_id
    where devices >= ${minGroupShare}::float8 * of
    order by found_to desc, devices desc, cause limit ${maxGroups}`)
  return rows.map(
    ({ vendor_id, company, water_supply, cause, found_from, found_to, devices: n, of, findings, bssids }) => ({
      vendor: { _id: vendor_id, company_name: company },
      water_supply,
      cause,
      found_from: new Date(found_from).toISOString(),
      found_to: new Date(found_to).toISOString(),
      devices: n,
      of,
      findings,
      bssids,
    }),
  )
})

type GroupRow = Omit<FindingGroup, 'vendor'> & { readonly vendor_id: string; readonly company: string } & Record<
    string,
    unknown
  >
