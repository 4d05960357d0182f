/** Devices whose cartridges are due at chosen times, as if their health had been computed. */
import { eq, inArray, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { deviceCartridges, devices } from '../../../server/db/schema/devices.ts'
import { cartridgeTypes } from '../../../server/db/schema/filtration.ts'
import { cartridgeForecasts } from '../../../server/db/schema/forecasts.ts'
import { deviceHealth } from '../../../server/db/schema/health.ts'
import { callerFor, newDevices } from './api.ts'
import type { WorkerServer } from './fixtures.ts'

const msPerDay = 86_400_000

/** Creates devices of the vendor `vendor` on a water supply, each with a cartridge that is due then, give or take five days. */
export async function newDueDevices(server: WorkerServer, supply: string, dues: readonly Date[]): Promise<string[]> {
  const ids = await newDevices(await callerFor(server.url, 'admin'), dues.length)
  const db = drizzle(server.databaseUrl)
  try {
    // No step of these devices, which would replace the forecasts.
    await db
      .update(deviceHealth)
      .set({ due_at: new Date(Date.now() + 400 * msPerDay) })
      .where(inArray(deviceHealth.bssid, ids))
    await db.update(devices).set({ water_supply: supply }).where(inArray(devices.bssid, ids))
    const [type] = await db.select().from(cartridgeTypes).orderBy(cartridgeTypes.model).limit(1)
    for (const [index, bssid] of ids.entries()) {
      const due = dues[index]!
      const at = (days: number) => new Date(due.getTime() + days * msPerDay)
      await db
        .insert(deviceCartridges)
        .values({ bssid, position: 0, cartridge_type_id: type!.id, installed_at: at(-300) })
        .onConflictDoUpdate({
          target: [deviceCartridges.bssid, deviceCartridges.position],
          set: { cartridge_type_id: sql`excluded.cartridge_type_id` },
        })
      await db.insert(cartridgeForecasts).values({
        bssid,
        position: 0,
        made_at: new Date(),
        due_at: due,
        early_at: at(-5),
        late_at: at(5),
        basis: 'litres',
        typical: true,
      })
      await db.update(devices).set({ due_at: due }).where(eq(devices.bssid, bssid))
    }
  } finally {
    await db.$client.end()
  }
  return ids
}
