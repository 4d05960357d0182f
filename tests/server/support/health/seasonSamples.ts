/** Devices whose membranes follow the seasons otherwise than the usual coefficients say, so that their type is fitted. */
import type { Database } from '../../../../server/db/database.ts'
import { deviceCartridges } from '../../../../server/db/schema/devices.ts'
import { newDevice } from '../devices/readingSamples.ts'
import { storeDays, type Course } from './healthSamples.ts'

/** Days that each device has. */
export const seasonDays = 300

/** °C over a year, and what membranes of the type do beside the usual coefficients, K. */
const season = (index: number) => 14 + 8 * Math.sin((2 * Math.PI * index) / 365)
export const [seasonWater, seasonSalt] = [-400, 300]
const seasonCourse: Course = index => {
  const inverse = 1 / 298 - 1 / (273 + season(index))
  return { a: seasonWater * inverse - (0.09 * index) / 365, b: seasonSalt * inverse + (0.1 * index) / 365 }
}

/** Stores the days of a device from its day `from` to `to`, counted from its first. `change` is added to its course. */
export function storeSeasons(
  db: Database,
  bssid: string,
  { from = 0, to = seasonDays, today, change }: { from?: number; to?: number; today: number; change?: Course },
): Promise<void> {
  return storeDays(db, bssid, {
    days: to - from,
    today: today - seasonDays + to,
    course: index => ({ ...seasonCourse(index + from), ...change?.(index + from) }),
    temperature: index => season(index + from),
  })
}

/** Creates a device with a membrane of a type. */
export async function seasonDevice(db: Database, cartridge_type_id: string): Promise<string> {
  const bssid = await newDevice(db)
  await db.insert(deviceCartridges).values({ bssid, position: 0, cartridge_type_id, installed_at: new Date(0) })
  return bssid
}
