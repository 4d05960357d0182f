/** Conditions that depend on time: expiring cartridges and available firmware. */
import { lte, sql, type SQL } from 'drizzle-orm'
import { expiringDays, expiringShare } from '../../../src/domain/filterLife.ts'
import type { Database } from '../../db/database.ts'
import { deviceCartridges, devices } from '../../db/schema/devices.ts'
import { cartridgeTypes } from '../../db/schema/filtration.ts'
import { firmwareVersions } from '../../db/schema/models.ts'
import { deviceAlarms } from '../../db/schema/notifications.ts'
import { deviceTwins } from '../../db/schema/telemetry.ts'
import type { Transition } from './conditions.ts'
import { availableFirmware, cartridgeCondition, dueAt, newestFirmware, type CartridgeCondition } from './rules.ts'
import type { DeviceTransition } from './store.ts'

/** Returns a condition on a column that holds BSSIDs. */
export type DeviceFilter = (bssid: SQL) => SQL

/** Returns the transitions of these devices up to `at`. */
export async function ageingTransitions(db: Database, filter: DeviceFilter, at: Date): Promise<DeviceTransition[]> {
  return [...(await cartridgeChanges(db, filter, at)), ...(await firmwareChanges(db, filter, at))]
}

/** A cartridge and its active condition; either may be missing. */
interface CartridgeRow extends Record<string, unknown> {
  readonly bssid: string
  readonly position: string
  readonly cartridge: string | null
  /** Milliseconds UTC. */
  readonly installed: number
  readonly ttl: number
  readonly resource: number
  readonly used: number
  readonly active: CartridgeCondition | null
}

const days = (count: SQL): SQL => sql`${count} * interval '24 hours'`

/** SQL: the time and the litres from which a cartridge is expired or expiring, as in `lifeStage`. */
export const expiredFrom = { time: sql`installed_at + ${days(sql`ttl`)}`, litres: sql`resource` }
export const expiringFrom = {
  time: sql`installed_at + ${days(sql`greatest(ttl - ${expiringDays}::float8, ttl / 2.0::float8)`)}`,
  litres: sql`resource * ${1 - expiringShare}::float8`,
}

/** Preselects in SQL the cartridges whose condition may have changed; the exact result comes from the rules. */
async function cartridgeChanges(db: Database, filter: DeviceFilter, at: Date): Promise<DeviceTransition[]> {
  const now = sql`${at.toISOString()}::timestamptz`
  const { rows } = await db.execute<CartridgeRow>(sql`
    select coalesce(fitted.bssid, active.bssid) as bssid, coalesce(fitted.position, active.subject) as position,
      cartridge, (extract(epoch from installed_at) * 1000)::float8 as installed, ttl, resource, used, active.type as active
    from (
      select ${deviceCartridges.bssid}, ${deviceCartridges.position}::text as position, ${cartridgeTypes.model} as cartridge,
        ${deviceCartridges.installed_at}, ${cartridgeTypes.ttl}, ${cartridgeTypes.resource},
        case when ${cartridgeTypes.type} = 0 then ${deviceTwins.feed} else ${deviceTwins.permeate} end
          - ${deviceCartridges.volume_before} as used
      from ${deviceCartridges}
      join ${cartridgeTypes} on ${cartridgeTypes.id} = ${deviceCartridges.cartridge_type_id}
      join ${deviceTwins} on ${deviceTwins.bssid} = ${deviceCartridges.bssid}
      where ${filter(sql`${deviceCartridges.bssid}`)}
    ) as fitted
    full join (
      select bssid, subject, type from ${deviceAlarms}
      where ${filter(sql`${deviceAlarms.bssid}`)} and type in ('cartridge_expiring', 'cartridge_expired')
    ) as active on active.bssid = fitted.bssid and active.subject = fitted.position
    where active.type is distinct from case
      when ${expiredFrom.time} <= ${now} or used >= ${expiredFrom.litres} then 'cartridge_expired'
      when ${expiringFrom.time} <= ${now} or used >= ${expiringFrom.litres} then 'cartridge_expiring' end`)
  return rows.flatMap(row => cartridgeTransitions(row, at).map(transition => ({ ...transition, bssid: row.bssid, at })))
}

function cartridgeTransitions(
  { position, cartridge, installed, active, ...row }: CartridgeRow,
  at: Date,
): Transition[] {
  const wear = { ...row, installedAt: installed }
  const now = cartridge === null ? undefined : cartridgeCondition(wear, at.getTime())
  if (now === (active ?? undefined)) return []
  const values = { cartridge: cartridge ?? '', position: Number(position), replace_at: dueAt(wear).toISOString() }
  return [
    ...(now === undefined ? [] : [{ type: now, subject: position, begins: true, values }]),
    ...(active === null ? [] : [{ type: active, subject: position, begins: false }]),
  ]
}

/** A device whose available firmware differs from its active condition. */
interface OutdatedDevice extends Record<string, unknown> {
  readonly bssid: string
  readonly platform: string
  readonly firmware: string
  /** The version of the active condition. */
  readonly active: string | null
}

/** Preselects in the same way the devices whose available firmware may have changed. */
async function firmwareChanges(db: Database, filter: DeviceFilter, at: Date): Promise<DeviceTransition[]> {
  const released = await db.select().from(firmwareVersions).where(lte(firmwareVersions.released_at, at))
  const platforms = Map.groupBy(released, version => version.platform)
  const newest = [...platforms].map(([platform, versions]) => ({
    platform,
    version: newestFirmware(versions)!.version,
  }))
  const { rows } = await db.execute<OutdatedDevice>(sql`
    select ${devices.bssid}, ${devices.platform}, ${devices.firmware}, active.subject as active
    from ${devices}
    left join json_to_recordset(${JSON.stringify(newest)}::json) as newest(platform text, version text)
      on newest.platform = ${devices.platform}
    left join ${deviceAlarms} as active on active.bssid = ${devices.bssid} and active.type = 'firmware_available'
    where ${filter(sql`${devices.bssid}`)} and ${devices.firmware} <> ''
      and active.subject is distinct from case when ${devices.firmware} <> newest.version then newest.version end`)
  return rows.flatMap(row => {
    const now = availableFirmware(platforms.get(row.platform) ?? [], row.firmware)
    if (now === (row.active ?? undefined)) return []
    const base = { type: 'firmware_available', bssid: row.bssid, at } as const
    return [
      ...(now === undefined ? [] : [{ ...base, subject: now, begins: true, values: { version: now } }]),
      ...(row.active === null ? [] : [{ ...base, subject: row.active, begins: false }]),
    ]
  })
}
