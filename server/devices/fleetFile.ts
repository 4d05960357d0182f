/** Writes the fleet file, which the simulator reads, from the devices in the database. */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { eq } from 'drizzle-orm'
import { renameDurably } from '../core/durableMove.ts'
import { anyOf } from '../db/anyOf.ts'
import type { Database } from '../db/database.ts'
import { deviceCartridges, devices } from '../db/schema/devices.ts'
import { deviceValues } from '../db/schema/deviceValues.ts'
import { cartridgeTypes } from '../db/schema/filtration.ts'
import { deviceModels } from '../db/schema/models.ts'
import type { FleetDevice } from '../protocol/fleetFile.ts'
import { settingsOfRow } from './settings.ts'
import { msPerDay } from '../../src/domain/time.ts'

/** What a device that has never reported says of itself: the simulator would take it for one that is switched off. */
const whenNew = { status: 0, firmware: '1.0.0' } as const

/** Devices per query. */
const batchSize = 1000

/** Yields the devices of `secrets` (by BSSID) in order of BSSID, without those that do not exist. */
export async function* fleetDevices(
  db: Database,
  secrets: ReadonlyMap<string, string>,
  now = new Date(),
): AsyncGenerator<FleetDevice> {
  const bssids = [...secrets.keys()].toSorted()
  for (let from = 0; from < bssids.length; from += batchSize) {
    const rows = await db
      .select({
        device: devices,
        values: deviceValues,
        capabilities: deviceModels.capabilities,
        bypass_rates: deviceModels.bypass_flow_rates,
      })
      .from(devices)
      .innerJoin(deviceValues, eq(deviceValues.bssid, devices.bssid))
      .innerJoin(deviceModels, eq(deviceModels.id, devices.model_id))
      .where(anyOf(devices.bssid, bssids.slice(from, from + batchSize)))
      .orderBy(devices.bssid)
    const cartridges = await cartridgesOf(
      db,
      rows.map(row => row.device.bssid),
    )
    for (const { device, values, capabilities, bypass_rates } of rows) {
      const days = (now.getTime() - device.created_at.getTime()) / msPerDay
      yield {
        bssid: device.bssid,
        secret: secrets.get(device.bssid)!,
        platform: device.platform,
        capabilities,
        bypass_rates,
        ...(device.firmware === '' ? whenNew : { status: values.status, firmware: device.firmware }),
        locked: device.locked,
        valve_closed: device.valve_closed,
        ...settingsOfRow(device),
        power_mode: device.power_mode,
        battery_level: device.battery_level,
        time_zone: device.time_zone,
        water_supply: device.water_supply,
        feed_tds: values.feed_tds,
        pressure: values.pressure,
        temperature: values.temperature,
        recovery_rate: values.recovery_rate,
        rejection_rate: values.rejection_rate,
        feed: values.feed,
        permeate: values.permeate,
        ...(days > 1 ? { litres_a_day: values.permeate / days } : {}),
        cartridges: cartridges.get(device.bssid) ?? [],
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
    .where(anyOf(deviceCartridges.bssid, bssids))
    .orderBy(deviceCartridges.bssid, deviceCartridges.position)
  const byDevice = Map.groupBy(rows, ({ fitted }) => fitted.bssid)
  return new Map(
    [...byDevice].map(([bssid, rows]) => [
      bssid,
      rows.map(({ fitted, kind }) => ({
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
export const fleetLine = (device: FleetDevice): string => `${JSON.stringify(device)}\n`

/**
 * Writes the fleet file of these devices; `secrets` is by BSSID. `hidden` is what the simulator knows of some of them and the
 * database does not.
 */
export async function writeFleetFile(
  db: Database,
  path: string,
  secrets: ReadonlyMap<string, string>,
  hidden: ReadonlyMap<string, Partial<FleetDevice>> = new Map(),
): Promise<void> {
  const lines = Readable.from(fleetDevices(db, secrets)).map((device: FleetDevice) =>
    fleetLine({ ...device, ...hidden.get(device.bssid) }),
  )
  await writeSecretFile(path, lines)
}

/** Writes a file atomically and to the disk; only its owner may read it. */
export async function writeSecretFile(path: string, lines: AsyncIterable<string>): Promise<void> {
  const temporary = `${path}.${process.pid}`
  await pipeline(lines, createWriteStream(temporary, { mode: 0o600, flush: true }))
  await renameDurably(temporary, path)
}
