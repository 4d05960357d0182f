/** Writes the fleet file, which the simulator reads, from the devices in the database. */
import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { eq, sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { deviceCartridges, devices } from '../db/schema/devices.ts'
import { cartridgeTypes } from '../db/schema/filtration.ts'
import { deviceModels } from '../db/schema/models.ts'
import type { FleetDevice } from '../protocol/fleetFile.ts'
import { settingsOfRow } from './settings.ts'

/** Devices that one query reads. */
const slice = 1000
const day = 86_400_000

/** Yields each device that has a secret, ordered by bssid; `secrets` is by bssid. Devices that do not exist are left out. */
export async function* fleetDevices(
  db: Database,
  secrets: ReadonlyMap<string, string>,
  now = new Date(),
): AsyncGenerator<FleetDevice> {
  const bssids = [...secrets.keys()].toSorted()
  for (let from = 0; from < bssids.length; from += slice) {
    const rows = await db
      .select({ device: devices, capabilities: deviceModels.capabilities })
      .from(devices)
      .innerJoin(deviceModels, eq(deviceModels.id, devices.model_id))
      .where(sql`${devices.bssid} = any(${sql.param(bssids.slice(from, from + slice))}::text[])`)
      .orderBy(devices.bssid)
    const fitted = await cartridgesOf(
      db,
      rows.map(row => row.device.bssid),
    )
    for (const { device, capabilities } of rows) {
      const days = (now.getTime() - device.created_at.getTime()) / day
      yield {
        bssid: device.bssid,
        secret: secrets.get(device.bssid)!,
        platform: device.platform,
        capabilities,
        firmware: device.firmware,
        status: device.status,
        locked: device.locked,
        valve_closed: device.valve_closed,
        ...settingsOfRow(device),
        power_mode: device.power_mode,
        battery_level: device.battery_level,
        time_zone: device.time_zone,
        feed_tds: device.feed_tds,
        pressure: device.pressure,
        temperature: device.temperature,
        recovery_rate: device.recovery_rate,
        rejection_rate: device.rejection_rate,
        feed: device.feed,
        permeate: device.permeate,
        ...(days > 1 ? { litres_a_day: device.permeate / days } : {}),
        cartridges: fitted.get(device.bssid) ?? [],
      }
    }
  }
}

/** Returns the cartridges of each device, in order of position. */
async function cartridgesOf(db: Database, bssids: readonly string[]) {
  const rows = await db
    .select({ fitted: deviceCartridges, kind: cartridgeTypes })
    .from(deviceCartridges)
    .innerJoin(cartridgeTypes, eq(cartridgeTypes.id, deviceCartridges.cartridge_type_id))
    .where(sql`${deviceCartridges.bssid} = any(${sql.param(bssids)}::text[])`)
    .orderBy(deviceCartridges.bssid, deviceCartridges.position)
  const byDevice = Map.groupBy(rows, ({ fitted }) => fitted.bssid)
  return new Map(
    [...byDevice].map(([bssid, its]) => [
      bssid,
      its.map(({ fitted, kind }) => ({
        type: kind.type,
        resource: kind.resource,
        ttl: kind.ttl,
        installed_at: fitted.installed_at.toISOString(),
        volume_before: fitted.volume_before,
      })),
    ]),
  )
}

/** Returns a device's line of the file. */
export const line = (device: FleetDevice): string => `${JSON.stringify(device)}\n`

/** Writes the fleet file. */
export async function writeFleetFile(db: Database, path: string, secrets: ReadonlyMap<string, string>): Promise<void> {
  await writeSecretFile(path, Readable.from(fleetDevices(db, secrets)).map(line))
}

/** Writes a file whole or not at all; only its owner may read it. */
export async function writeSecretFile(path: string, lines: AsyncIterable<string>): Promise<void> {
  const unfinished = `${path}.${process.pid}`
  await pipeline(lines, createWriteStream(unfinished, { mode: 0o600 }))
  await rename(unfinished, path)
}
