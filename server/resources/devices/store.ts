/** Stores new devices with the defaults of their filtration systems. */
import { asc, eq, sql } from 'drizzle-orm'
import { insertMany } from '../../db/bulk.ts'
import type { Database } from '../../db/database.ts'
import { deviceCartridges, devices } from '../../db/schema/devices.ts'
import { cartridgeTypes, filtrationSystemCartridges, filtrationSystems } from '../../db/schema/filtration.ts'
import { storeCredentials, type NewCredential } from '../../devices/gateway/credentials.ts'
import { conflict } from '../../core/errors.ts'

export interface NewDevice {
  readonly bssid: string
  readonly platform: string
  readonly description: string
  readonly vendor_id: string
  readonly model_id: string
  readonly filtration_system_id: string | null
}

const day = 86_400_000

/**
 * Stores new devices as offline, with their credentials and the flush settings and cartridges of their filtration
 * systems, which the transaction must have locked. Throws a 409 where a BSSID was taken meanwhile.
 */
export async function storeDevices(
  tx: Database,
  made: readonly NewDevice[],
  credentials: readonly NewCredential[],
  now: Date,
): Promise<void> {
  const systems = new Map((await tx.select().from(filtrationSystems)).map(system => [system.id, system]))
  const cartridges = Map.groupBy(
    await tx
      .select({
        system: filtrationSystemCartridges.filtration_system_id,
        position: filtrationSystemCartridges.position,
        cartridge_type_id: cartridgeTypes.id,
        ttl: cartridgeTypes.ttl,
      })
      .from(filtrationSystemCartridges)
      .innerJoin(cartridgeTypes, eq(cartridgeTypes.id, filtrationSystemCartridges.cartridge_type_id))
      .orderBy(asc(filtrationSystemCartridges.position)),
    cartridge => cartridge.system,
  )
  const fittedIn = (device: NewDevice) => cartridges.get(device.filtration_system_id ?? '') ?? []

  const rows = made.map(device => {
    const system = systems.get(device.filtration_system_id ?? '')
    const flush = system?.flushing ? system : undefined
    const shortest = Math.min(...fittedIn(device).map(({ ttl }) => ttl))
    return {
      ...device,
      status: 3,
      flush_smart: flush?.flush_smart ?? null,
      flush_mode: flush?.flush_mode ?? 0,
      flush_frequency: flush?.flush_frequency ?? 5,
      flush_duration: flush?.flush_duration ?? 18,
      flush_volume: flush?.flush_volume ?? 0,
      next_replacement_at: shortest === Infinity ? null : new Date(now.getTime() + shortest * day),
      created_at: now,
      updated_at: now,
    }
  })
  const before = await tx.$count(devices)
  await insertMany(tx, devices, rows, sql`on conflict do nothing`)
  if ((await tx.$count(devices)) !== before + rows.length)
    throw conflict('A device in this file was created by someone else in the meantime. Nothing was stored.')
  await storeCredentials(tx, credentials, now)
  await insertMany(
    tx,
    deviceCartridges,
    made.flatMap(device =>
      fittedIn(device).map(({ position, cartridge_type_id }) => ({
        bssid: device.bssid,
        position,
        cartridge_type_id,
        installed_at: now,
      })),
    ),
  )
}
