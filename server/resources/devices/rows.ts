/** Devices as the wire has them. */
import { eq, getTableColumns, sql, type SQL } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { Device, type Cartridge } from '../../../src/api/contract/devices.ts'
import type { Database } from '../../db/database.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { deviceCartridges, devices } from '../../db/schema/devices.ts'
import { cartridgeTypes, filtrationSystems } from '../../db/schema/filtration.ts'
import { deviceModels } from '../../db/schema/models.ts'
import { settingsOfRow } from '../../devices/settings.ts'

export type DeviceRow = z.input<typeof Device>
type Stored = typeof devices.$inferSelect
/** A stored row as it comes in JSON, with the names it refers to. */
type Read = Omit<Stored, 'last_active' | 'created_at' | 'updated_at'> & {
  readonly last_active: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly model: string
  readonly system: string | null
  readonly company: string
}

const day = 86_400_000

/** ISO 8601 in UTC to the millisecond. The database leaves out zeros at the end; nearly always it speaks UTC. */
function utc(time: string): string {
  if (!time.endsWith('+00:00')) return new Date(time).toISOString()
  return `${time.slice(0, 19)}.${time.slice(20, -6).padEnd(3, '0')}Z`
}

/**
 * The devices of these keys, in the keys' order; absent ones are left out. Whether they may be seen is the caller's
 * matter. Rows come as one JSON text each query: decoding a thousand rows value by value takes three times as long.
 */
export async function devicesByKeys(db: Database, keys: readonly string[]): Promise<DeviceRow[]> {
  if (keys.length === 0) return []
  const found = await jsonRows<Read>(
    db,
    sql`select ${devices}.*, ${deviceModels.name} as model, ${filtrationSystems.model} as system,
          ${accounts.company_name} as company
        from ${devices}
        join ${deviceModels} on ${eq(deviceModels.id, devices.model_id)}
        join ${accounts} on ${eq(accounts.id, devices.vendor_id)}
        left join ${filtrationSystems} on ${eq(filtrationSystems.id, devices.filtration_system_id)}
        where ${devices.bssid} = any(${sql.param(keys)}::text[])`,
  )
  // After it, not beside it: inside a transaction there is one connection.
  const cartridges = await cartridgesOf(db, keys)
  const rows = new Map(found.map(read => [read.bssid, toWire(read, cartridges.get(read.bssid) ?? [])]))
  return keys.flatMap(key => rows.get(key) ?? [])
}

/** What a cartridge has filtered: feed before the membrane, permeate from there on. Whole litres, never below none. */
function worn({ volumeBefore, ...cartridge }: Fitted, device: Read): Cartridge {
  const litres = cartridge.type === 0 ? device.feed : device.permeate
  return { ...cartridge, total: Math.max(0, Math.round(litres - volumeBefore)) }
}

type StoredField = keyof Stored & keyof DeviceRow
const storedFields = Object.keys(getTableColumns(devices)).filter(name => name in Device.shape) as StoredField[]

/** What is stored as the contract has it, under the same name. */
function stored(read: Read): Pick<Read, StoredField> {
  const fields: Record<string, unknown> = {}
  for (const name of storedFields) fields[name] = read[name]
  return fields as Pick<Read, StoredField>
}

function toWire(read: Read, cartridges: readonly Fitted[]): DeviceRow {
  return {
    ...stored(read),
    model: { _id: read.model_id, name: read.model },
    filtration_system:
      read.filtration_system_id === null ? null : { _id: read.filtration_system_id, model: read.system ?? '' },
    vendor: { _id: read.vendor_id, company_name: read.company },
    ...settingsOfRow(read),
    cartridges: cartridges.map(cartridge => worn(cartridge, read)),
    last_active: read.last_active === null ? null : utc(read.last_active),
    created_at: utc(read.created_at),
    updated_at: utc(read.updated_at),
  }
}

type Fitted = Omit<Cartridge, 'total'> & { readonly volumeBefore: number }

/** A type of cartridge, once, with where it is fitted: so many devices have the same few. */
interface FittedType extends Omit<Cartridge, 'installed_at' | 'replace_at' | 'total'> {
  readonly fitted: readonly [bssid: string, position: number, installed_at: string, volumeBefore: number][]
}

/** What is fitted in each device, with the device's lifetime litres when that was installed in place of a total. */
async function cartridgesOf(db: Database, keys: readonly string[]): Promise<Map<string, Fitted[]>> {
  const types = await jsonRows<FittedType>(
    db,
    sql`select ${cartridgeTypes.id} as _id, ${cartridgeTypes.model}, ${cartridgeTypes.type},
          ${cartridgeTypes.resource}, ${cartridgeTypes.ttl},
          json_agg(json_build_array(${deviceCartridges.bssid}, ${deviceCartridges.position},
            ${deviceCartridges.installed_at}, ${deviceCartridges.volume_before})) as fitted
        from ${deviceCartridges}
        join ${cartridgeTypes} on ${eq(cartridgeTypes.id, deviceCartridges.cartridge_type_id)}
        where ${deviceCartridges.bssid} = any(${sql.param(keys)}::text[])
        group by ${cartridgeTypes.id}`,
  )
  const placed = types.flatMap(({ fitted, ...type }) =>
    fitted.map(([bssid, position, installed_at, volumeBefore]) => {
      const replaceAt = new Date(Date.parse(installed_at) + type.ttl * day)
      const cartridge = { ...type, installed_at: utc(installed_at), replace_at: replaceAt.toISOString(), volumeBefore }
      return { bssid, position, cartridge }
    }),
  )
  placed.sort((one, other) => one.position - other.position)
  const found = new Map<string, Fitted[]>()
  for (const { bssid, cartridge } of placed) {
    const fitted = found.get(bssid)
    if (fitted) fitted.push(cartridge)
    else found.set(bssid, [cartridge])
  }
  return found
}

/** The rows of a query, read as one JSON text. */
async function jsonRows<Row>(db: Database, query: SQL): Promise<Row[]> {
  const { rows } = await db.execute<{ found: string | null }>(
    sql`select json_agg(row_to_json(row))::text as found from (${query}) as row`,
  )
  return JSON.parse(rows[0]?.found ?? '[]') as Row[]
}
