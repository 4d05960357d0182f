/** Devices with a post-filter that is due by its litres, and the outcomes of a vendor's forecasts. */
import { eq } from 'drizzle-orm'
import type { Database } from '../../../../server/db/database.ts'
import { deviceCartridges } from '../../../../server/db/schema/devices.ts'
import { cartridgeTypes } from '../../../../server/db/schema/filtration.ts'
import { forecastScores, keptForecasts } from '../../../../server/db/schema/forecasts.ts'
import { deviceHealth } from '../../../../server/db/schema/health.ts'
import { deviceTwins } from '../../../../server/db/schema/telemetry.ts'
import { storeDays } from './healthSamples.ts'
import { newDevice } from '../devices/readingSamples.ts'

const msPerDay = 86_400_000
/** Litres a day of the devices. */
export const litresADay = 40

/** Creates a device with a post-filter that has so many days of litres left on the UTC day `today`. */
export async function deviceWithFilter(
  db: Database,
  today: number,
  daysLeft: number,
  values: { readonly vendor_id?: string } = {},
): Promise<string> {
  const bssid = await newDevice(db, values)
  const [type] = await db.select().from(cartridgeTypes).where(eq(cartridgeTypes.type, 1)).limit(1)
  await storeDays(db, bssid, { days: 10, today })
  const installed_at = new Date((today - 100) * msPerDay)
  await db
    .insert(deviceCartridges)
    .values({ bssid, position: 0, cartridge_type_id: type!.id, installed_at, volume_before: 0 })
  await setFiltered(db, bssid, today, type!.resource - daysLeft * litresADay)
  return bssid
}

/** Sets the lifetime litres of a device, of which it has used `litresADay` in each of the last weeks. */
export async function setFiltered(db: Database, bssid: string, today: number, permeate: number): Promise<void> {
  await db
    .update(deviceTwins)
    .set({ permeate, feed: 2 * permeate })
    .where(eq(deviceTwins.bssid, bssid))
  const volumes = Array.from({ length: 9 }, (_, index) => {
    const day = today - 56 + 7 * index
    const litres = permeate - (today - day) * litresADay
    return { day, feed: 2 * litres, permeate: litres }
  })
  await db.update(deviceHealth).set({ volumes }).where(eq(deviceHealth.bssid, bssid))
}

/** Stores outcomes of a vendor's forecasts of a kind by litres: their scores are in multiples of the typical width. */
export async function storeScores(
  db: Database,
  vendor_id: string,
  scores: readonly number[],
  values: Partial<typeof forecastScores.$inferInsert> = {},
): Promise<void> {
  await db.insert(forecastScores).values({
    vendor_id,
    kind: 1,
    basis: 'litres',
    outcomes: scores.length,
    inside: scores.length,
    scores: [...scores],
    level: 0.2,
    ...values,
  })
}

/** Returns the kept forecasts of a device. */
export const keptOf = (db: Database, bssid: string) =>
  db.select().from(keptForecasts).where(eq(keptForecasts.bssid, bssid)).orderBy(keptForecasts.made_at)
