/** Stores new devices with the defaults of their filtration systems. */
import { asc, eq } from 'drizzle-orm'
import { insertMany } from '../../db/bulk.ts'
import { sqlState, uniqueViolation } from '../../db/retry.ts'
import type { Database } from '../../db/database.ts'
import { deviceCartridges, devices } from '../../db/schema/devices.ts'
import { cartridgeTypes, filtrationSystemCartridges, filtrationSystems } from '../../db/schema/filtration.ts'
import { storeCredentials, type NewCredential } from '../../devices/gateway/credentials.ts'
import { flatMapLazily } from '../../core/batches.ts'
import { conflict } from '../../core/errors.ts'
import { msPerDay } from '../../../src/domain/time.ts'

export interface NewDevice {
  readonly bssid: string
  readonly platform: string
  readonly description: string
  readonly water_supply: string | null
  readonly vendor_id: string
  readonly model_id: string
  readonly filtration_system_id: string | null
}

/**
 * Stores new devices as offline, with their credentials and the flush settings and cartridges of their filtration
 * systems, which the transaction must have locked. Throws a 409 if another transaction has added one of the BSSIDs.
 */
export async function storeDevices(
  tx: Database,
  newDevices: readonly NewDevice[],
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
  const cartridgesOf = (device: NewDevice) => cartridges.get(device.filtration_system_id ?? '') ?? []

  // The rows of a whole file are several times as large as the file, so each is made when it is inserted.
  const deviceRows = (device: NewDevice) => {
    const system = systems.get(device.filtration_system_id ?? '')
    const flush = system?.flushing ? system : undefined
    const minTtl = Math.min(...cartridgesOf(device).map(({ ttl }) => ttl))
    const row = {
      ...device,
      flush_smart: flush?.flush_smart ?? null,
      flush_mode: flush?.flush_mode ?? 0,
      flush_frequency: flush?.flush_frequency ?? 5,
      flush_duration: flush?.flush_duration ?? 18,
      flush_volume: flush?.flush_volume ?? 0,
      next_replacement_at: minTtl === Infinity ? null : new Date(now.getTime() + minTtl * msPerDay),
      created_at: now,
      updated_at: now,
    }
    return [row]
  }
  const cartridgeRows = (device: NewDevice) =>
    cartridgesOf(device).map(({ position, cartridge_type_id }) => ({
      bssid: device.bssid,
      position,
      cartridge_type_id,
      installed_at: now,
    }))
  try {
    await insertMany(tx, devices, flatMapLazily(newDevices, deviceRows))
  } catch (error) {
    if (sqlState(error) !== uniqueViolation) throw error
    throw conflict('A device in this file was created by someone else in the meantime. No device was created.')
  }
  await storeCredentials(tx, credentials, now)
  await insertMany(tx, deviceCartridges, flatMapLazily(newDevices, cartridgeRows))
}
