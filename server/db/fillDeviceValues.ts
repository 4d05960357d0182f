/** Which values `device_values` copies from device twins, and filling it after a crash of PostgreSQL, which empties it. */
import { sql, type SQL } from 'drizzle-orm'
import { largeTable, withoutIndexes } from './bulk.ts'
import type { Database } from './database.ts'

const copied = ['rejection_rate', 'recovery_rate', 'temperature', 'pressure', 'feed_tds', 'permeate_tds'] as const
/** Rounded to millilitres, because floating-point sums have long tails of digits. */
const rounded = ['feed', 'permeate', 'waste'] as const

export const valueNames = [...copied, ...rounded]

/** Returns the values of a twin as `device_values` has them, in the order of `valueNames`. */
export const valuesOf = (twin: SQL): SQL =>
  sql.join(
    [
      ...copied.map(name => sql`${twin}.${sql.identifier(name)}`),
      ...rounded.map(name => sql`round(${twin}.${sql.identifier(name)}::numeric, 3)::float8`),
    ],
    sql`, `,
  )

/** Returns whether `device_values` has a row of each device. */
export async function areDeviceValuesFilled(db: Database): Promise<boolean> {
  return (await db.execute(sql`select from device_values_filled`)).rows.length > 0
}

/**
 * Fills `device_values` from the twins if a crash has emptied it. Of several connections one does so, and the others wait.
 * Takes seconds for 100,000 devices and a minute for a million.
 */
export async function fillDeviceValues(db: Database): Promise<void> {
  if (await areDeviceValuesFilled(db)) return
  await db.transaction(async tx => {
    await tx.execute(sql`lock table device_values_filled in exclusive mode`)
    if (await areDeviceValuesFilled(tx)) return
    const fill = async () => {
      await tx.execute(sql`
        insert into device_values (bssid, vendor_id, last_active, status, ${sql.raw(valueNames.join(', '))})
        select twin.bssid, device.vendor_id, twin.heard_at,
          case when twin.offline_at is null then coalesce(twin.reported_status, 0) else 3 end, ${valuesOf(sql`twin`)}
        from device_twins as twin join devices as device using (bssid) order by twin.bssid
        on conflict do nothing`)
    }
    const { rows } = await tx.execute<{ devices: number }>(sql`select count(*)::integer as devices from devices`)
    await (rows[0]!.devices < largeTable ? fill() : withoutIndexes(tx, 'device_values', fill))
    await tx.execute(sql`insert into device_values_filled default values`)
  })
}
