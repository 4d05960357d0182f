/**
 * Endpoint of findings that belong together: one cause at many devices of a water supply. Devices without a label are on one supply
 * if the daily step compares them with each other, because their feed water is alike (`supplyKey` of `steppingDevice.ts`).
 */
import { and, eq, sql } from 'drizzle-orm'
import { health as contract } from '../../../src/api/contract/health/endpoints.ts'
import { minGroupDevices, minGroupShare, type FindingGroup } from '../../../src/api/contract/health/fleet.ts'
import type { Database } from '../../db/database.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceHealth, healthFindings } from '../../db/schema/health.ts'
import { deterministicId } from '../../db/id.ts'
import { handler, type Caller } from '../../endpoints/handler.ts'
import { ownFindings } from '../shared/scope.ts'

/** That the daily step knows the feed water of a device: its key ends with the band of its TDS. */
const hasKnownWater = sql`${deviceHealth.supply_key} ~ ' -?[0-9]+$'`

const maxGroups = 100
/** Findings and devices that a group names at most. */
const maxNamed = 1000

export const findingGroups = handler(contract.findingGroups, ({ caller, services: { db } }) => readGroups(db, caller))

/** Returns the groups of findings that the caller may see, the newest first. */
export async function readGroups(db: Database, caller: Caller): Promise<FindingGroup[]> {
  const open = and(
    eq(healthFindings.state, 'open'),
    ownFindings(caller),
    // Findings keep a copy of the vendor; the devices of the supply are counted by the device's own.
    eq(devices.vendor_id, healthFindings.vendor_id),
  )
  const named = (column: string) =>
    sql`to_json((array_agg(${sql.identifier(column)} order by bssid))[1:${sql.raw(String(maxNamed))}])`
  const { rows } = await db.execute<GroupRow>(sql`
    with found as (
      select ${healthFindings.id} as id, ${healthFindings.bssid} as bssid, ${healthFindings.cause} as cause,
        ${healthFindings.detected_at} as detected_at, ${healthFindings.vendor_id} as vendor_id,
        ${devices.water_supply_key} as label_key, ${devices.water_supply} as label,
        coalesce(${devices.water_supply_key}, ${deviceHealth.supply_key}) as supply
      from ${healthFindings} join ${devices} on ${devices.bssid} = ${healthFindings.bssid}
      left join ${deviceHealth} on ${deviceHealth.bssid} = ${devices.bssid} where ${open}
        and (${devices.water_supply_key} is not null or ${hasKnownWater})
    ),
    -- The first finding after a break of more than a day begins another group.
    marked as (
      select *, detected_at - lag(detected_at) over same <= interval '1 day' as follows
      from found window same as (partition by vendor_id, label_key, supply, cause order by detected_at, id)
    ),
    numbered as (
      select *, count(*) filter (where follows is not true)
        over (partition by vendor_id, label_key, supply, cause order by detected_at, id) as part
      from marked
    ),
    grouped as (
      select vendor_id, label_key, supply, min(label) as water_supply, cause, min(detected_at) as found_from, max(detected_at) as found_to,
        count(*)::integer as devices, ${named('id')} as findings, ${named('bssid')} as bssids
      from numbered group by vendor_id, label_key, supply, cause, part having count(*) >= ${minGroupDevices}::integer
    ),
    measured as (
      select *, (case when label_key is null then (
          select count(*) from ${deviceHealth} join ${devices} on ${devices.bssid} = ${deviceHealth.bssid}
          where ${deviceHealth.supply_key} = grouped.supply and ${devices.vendor_id} = grouped.vendor_id
            and ${devices.water_supply_key} is null
        ) else (
          select count(*) from ${devices}
          where ${devices.vendor_id} = grouped.vendor_id and ${devices.water_supply_key} = grouped.label_key
        ) end)::integer as of
      from grouped
    )
    select measured.*, ${accounts.company_name} as company from measured
    join ${accounts} on ${accounts.id} = measured.vendor_id
    where devices >= ${minGroupShare}::float8 * of
    order by found_to desc, devices desc, cause limit ${maxGroups}`)
  return rows.map(
    ({
      vendor_id,
      company,
      label_key,
      supply,
      water_supply,
      cause,
      found_from,
      found_to,
      devices: n,
      of,
      findings,
      bssids,
    }) => ({
      // Stays the same while the group grows.
      _id: deterministicId(
        `findings ${vendor_id} ${label_key} ${supply} ${cause} ${new Date(found_from).toISOString()}`,
      ),
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
}

type GroupRow = Omit<FindingGroup, '_id' | 'vendor'> & {
  readonly vendor_id: string
  readonly company: string
  readonly label_key: string | null
  readonly supply: string
} & Record<string, unknown>
