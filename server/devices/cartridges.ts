/** Cartridges fitted in devices, and their next replacement. */
import { eq, isNull, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { deviceCartridges, devices } from '../db/schema/devices.ts'
import { cartridgeTypes, filtrationSystemCartridges } from '../db/schema/filtration.ts'
import { keptForecasts } from '../db/schema/forecasts.ts'
import { deviceHealth } from '../db/schema/health.ts'
import { deviceTwins } from '../db/schema/telemetry.ts'

/** Returns a condition for devices with a cartridge of this type. */
export const withCartridgeType = (type: string): SQL =>
  sql`${devices.bssid} in (select ${deviceCartridges.bssid} from ${deviceCartridges}
    where ${eq(deviceCartridges.cartridge_type_id, type)})`

/**
 * Updates `next_replacement_at` of the devices that match `where`, writing only rows that change. Their forecasts and findings
 * follow with a step that is due now.
 */
export async function refreshReplacement(tx: Database, where: SQL, now: Date): Promise<void> {
  await tx.execute(sql`
    update ${devices} set next_replacement_at = due.at
    from (
      select ${devices.bssid} as bssid,
        -- A day is 24 hours, regardless of daylight saving time.
        min(${deviceCartridges.installed_at} + ${cartridgeTypes.ttl} * interval '24 hours') as at
      from ${devices}
      left join ${deviceCartridges} on ${eq(deviceCartridges.bssid, devices.bssid)}
      left join ${cartridgeTypes} on ${eq(cartridgeTypes.id, deviceCartridges.cartridge_type_id)}
      where ${where}
      group by ${devices.bssid}
    ) as due
    where ${devices.bssid} = due.bssid and ${devices.next_replacement_at} is distinct from due.at`)
  // A step holds the row of its device here before that in `devices`, so this does not wait for it.
  await tx.execute(sql`
    update ${deviceHealth} set due_at = ${now.toISOString()}::timestamptz
    where bssid in (
      select bssid from ${deviceHealth} where due_at > ${now.toISOString()}::timestamptz
        and bssid in (select ${devices.bssid} from ${devices} where ${where})
      for update skip locked)`)
}

/** Lifetime litres that count for a cartridge type: feed for pre-filters, permeate for membranes and post-filters. */
export const filteredVolume = sql`case when ${cartridgeTypes.type} = 0 then ${deviceTwins.feed} else ${deviceTwins.permeate} end`

/** Replaces all cartridges of these devices with new ones of the filtration system; removes them if it is null. */
export async function fitCartridges(
  tx: Database,
  bssids: readonly string[],
  system: string | null,
  now: Date,
): Promise<void> {
  const anyBssid = sql`any(${sql.param(bssids)}::text[])`
  await tx.delete(deviceCartridges).where(sql`${deviceCartridges.bssid} = ${anyBssid}`)
  if (system !== null)
    await tx.execute(sql`
      insert into ${deviceCartridges} (bssid, position, cartridge_type_id, installed_at, volume_before)
      select ${devices.bssid}, ${filtrationSystemCartridges.position}, ${filtrationSystemCartridges.cartridge_type_id},
        ${now.toISOString()}::timestamptz, ${filteredVolume}
      from ${devices} cross join ${filtrationSystemCartridges}
      join ${deviceTwins} on ${eq(deviceTwins.bssid, devices.bssid)}
      join ${cartridgeTypes} on ${eq(cartridgeTypes.id, filtrationSystemCartridges.cartridge_type_id)}
      where ${devices.bssid} = ${anyBssid} and ${eq(filtrationSystemCartridges.filtration_system_id, system)}`)
  await refreshReplacement(tx, sql`${devices.bssid} = ${anyBssid}`, now)
}

/** Added to the positions of new cartridges while the old ones are still stored. */
const positionOffset = 1000

/**
 * Updates the cartridges of all devices of a filtration system after its list of cartridges changed. A cartridge whose
 * type was fitted before keeps its age and litres; others are new.
 */
export async function refitCartridges(tx: Database, system: string, now: Date): Promise<void> {
  const devicesOfSystem = sql`${devices.filtration_system_id} = ${system}`
  const cartridgesOfSystem = sql`${deviceCartridges.bssid} in (select ${devices.bssid} from ${devices} where ${devicesOfSystem})`
  await tx.execute(sql`
    with previous as (
      select bssid, cartridge_type_id, installed_at, volume_before,
        row_number() over (partition by bssid, cartridge_type_id order by position) as nth
      from ${deviceCartridges} where ${cartridgesOfSystem}
    ), target as (
      select position, cartridge_type_id, row_number() over (partition by cartridge_type_id order by position) as nth
      from ${filtrationSystemCartridges} where ${eq(filtrationSystemCartridges.filtration_system_id, system)}
    )
    insert into ${deviceCartridges} (bssid, position, cartridge_type_id, installed_at, volume_before)
    select ${devices.bssid}, target.position + ${positionOffset}::smallint, target.cartridge_type_id,
      coalesce(previous.installed_at, ${now.toISOString()}::timestamptz), coalesce(previous.volume_before, ${filteredVolume})
    from ${devices} cross join target
    join ${deviceTwins} on ${eq(deviceTwins.bssid, devices.bssid)}
    join ${cartridgeTypes} on ${eq(cartridgeTypes.id, sql`target.cartridge_type_id`)}
    left join previous on previous.bssid = ${devices.bssid} and previous.cartridge_type_id = target.cartridge_type_id
      and previous.nth = target.nth
    where ${devicesOfSystem}`)
  await tx
    .delete(deviceCartridges)
    .where(sql`${cartridgesOfSystem} and ${deviceCartridges.position} < ${positionOffset}`)
  await tx
    .update(deviceCartridges)
    .set({ position: sql`${deviceCartridges.position} - ${positionOffset}::smallint` })
    .where(cartridgesOfSystem)
  // Cartridges may have other positions now, so open forecasts could be judged by the end of another cartridge.
  await tx.execute(sql`
    delete from ${keptForecasts} where ${isNull(keptForecasts.ended_at)}
      and bssid in (select ${devices.bssid} from ${devices} where ${devicesOfSystem})`)
  await refreshReplacement(tx, devicesOfSystem, now)
}
