/** Reads devices in the form of the contract. */
import { eq, getTableColumns, inArray, sql, type SQL } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { Device, type Cartridge } from '../../../src/api/contract/devices.ts'
import type { Database } from '../../db/database.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { deviceCartridges, devices } from '../../db/schema/devices.ts'
import { deviceValues } from '../../db/schema/deviceValues.ts'
import { deviceHealth, type ShownHealth } from '../../db/schema/health.ts'
import { cartridgeTypes, filtrationSystems } from '../../db/schema/filtration.ts'
import { deviceModels } from '../../db/schema/models.ts'
import { deviceAlarms } from '../../db/schema/notifications.ts'
import { prepareStatement } from '../../db/prepared.ts'
import { settingColumns, settingsOfRow } from '../../devices/settings.ts'
import { isScoreUnsure } from '../../../src/domain/health/score.ts'
import { sensorFaults } from '../../../src/domain/health/types/sensors.ts'
import { msPerDay } from '../../../src/domain/time.ts'

export type DeviceRow = z.input<typeof Device>
type StoredRow = typeof devices.$inferSelect & typeof deviceValues.$inferSelect
/** A device's row with its values as JSON, with the names of the rows that it refers to. */
type JsonRow = Omit<StoredRow, 'last_active' | 'created_at' | 'updated_at' | 'due_at'> & {
  readonly due_at: string | null
  readonly last_active: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly model: string
  readonly system: string | null
  readonly company: string
  readonly shown: ShownHealth | null
  readonly has_unsure_score: boolean
}

/**
 * Returns a time in ISO 8601 in UTC with milliseconds. PostgreSQL's JSON omits trailing zeros, and is nearly always in
 * UTC.
 */
function isoTime(time: string): string {
  if (!time.endsWith('+00:00')) return new Date(time).toISOString()
  return `${time.slice(0, 19)}.${time.slice(20, -6).padEnd(3, '0')}Z`
}

const storedColumns = { ...getTableColumns(deviceValues), ...getTableColumns(devices) }
type StoredField = keyof StoredRow & keyof DeviceRow
/** The fields that are stored as in the contract, under the same name. */
const storedFields = Object.keys(storedColumns).filter(name => name in Device.shape) as StoredField[]

/** Columns from which other fields are made. */
const sources: readonly (keyof StoredRow)[] = [
  'model_id',
  'filtration_system_id',
  'vendor_id',
  'health_score',
  'health_state',
  'health_cause',
  'due_at',
]
const selected = sql.join(
  [...new Set([...storedFields, ...sources, ...settingColumns])].map(name => storedColumns[name]),
  sql`, `,
)

const unsureFaults = sensorFaults.filter(fault => isScoreUnsure([fault]))

/**
 * Reads the devices of a page. Planning the join of six tables with many indexes takes five times longer than executing it,
 * so the plan is kept.
 */
const readRows = prepareJson<JsonRow>(
  'read_devices',
  sql`select ${selected}, ${deviceModels.name} as model, ${filtrationSystems.model} as system,
        ${accounts.company_name} as company, ${deviceHealth.shown} - 'learned' as shown,
        exists (select from ${deviceAlarms} where ${deviceAlarms.bssid} = ${devices.bssid}
          and ${inArray(deviceAlarms.type, unsureFaults)}) as has_unsure_score
      from ${devices}
      join ${deviceHealth} on ${eq(deviceHealth.bssid, devices.bssid)}
      join ${deviceValues} on ${eq(deviceValues.bssid, devices.bssid)}
      join ${deviceModels} on ${eq(deviceModels.id, devices.model_id)}
      join ${accounts} on ${eq(accounts.id, devices.vendor_id)}
      left join ${filtrationSystems} on ${eq(filtrationSystems.id, devices.filtration_system_id)}
      where ${devices.bssid} = any(${sql.placeholder('keys')}::text[])`,
)

/** Returns the devices of these keys, in the keys' order; missing ones are left out. Does not check access. */
export async function devicesByKeys(db: Database, keys: readonly string[]): Promise<DeviceRow[]> {
  if (keys.length === 0) return []
  const rows = await readRows(db, keys)
  // Not concurrent with the first query, because a transaction has a single connection.
  const cartridges = await cartridgesOf(db, keys)
  const byKey = new Map(rows.map(row => [row.bssid, toDevice(row, cartridges.get(row.bssid) ?? [])]))
  return keys.flatMap(key => byKey.get(key) ?? [])
}

/**
 * Returns a cartridge with the whole litres that it has filtered: feed for a pre-filter, otherwise permeate. At least
 * 0.
 */
function withTotal({ volumeBefore, ...cartridge }: FittedCartridge, device: JsonRow): Cartridge {
  const litres = cartridge.type === 0 ? device.feed : device.permeate
  return { ...cartridge, total: Math.max(0, Math.round(litres - volumeBefore)) }
}

/** Returns the fields that are stored as in the contract, under the same name. */
function pickStoredFields(row: JsonRow): Pick<JsonRow, StoredField> {
  const fields: Record<string, unknown> = {}
  for (const name of storedFields) fields[name] = row[name]
  return fields as Pick<JsonRow, StoredField>
}

/** Returns a probability in whole %. */
const percentOf = (share: number | null | undefined) => (typeof share === 'number' ? Math.round(share * 100) : null)

function toDevice(row: JsonRow, cartridges: readonly FittedCartridge[]): DeviceRow {
  return {
    ...pickStoredFields(row),
    model: { _id: row.model_id, name: row.model },
    filtration_system:
      row.filtration_system_id === null ? null : { _id: row.filtration_system_id, model: row.system ?? '' },
    vendor: { _id: row.vendor_id, company_name: row.company },
    ...settingsOfRow(row),
    cartridges: cartridges.map(cartridge => withTotal(cartridge, row)),
    health: {
      score: row.health_score,
      unsure: row.health_score !== null && (row.has_unsure_score || row.shown?.stale === true),
      state: row.health_state,
      cause: row.health_cause,
      confidence: percentOf(row.shown?.confidence),
      since: row.shown?.since ?? null,
      worst: row.shown?.worst ?? null,
      due_at: row.due_at === null ? null : isoTime(row.due_at),
      due_early: row.shown?.due_early ?? null,
      due_late: row.shown?.due_late ?? null,
    },
    last_active: row.last_active === null ? null : isoTime(row.last_active),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  }
}

/** A fitted cartridge, with the device's lifetime litres when it was installed instead of the total. */
type FittedCartridge = Omit<Cartridge, 'total'> & { readonly volumeBefore: number }

/** A cartridge type with all places where it is fitted, so that each type is transferred once for many devices. */
interface FittedType extends Omit<Cartridge, 'installed_at' | 'replace_at' | 'total'> {
  readonly fitted: readonly [bssid: string, position: number, installed_at: string, volumeBefore: number][]
}

const readCartridges = prepareJson<FittedType>(
  'read_cartridges',
  sql`select ${cartridgeTypes.id} as _id, ${cartridgeTypes.model}, ${cartridgeTypes.type},
        ${cartridgeTypes.resource}, ${cartridgeTypes.ttl},
        json_agg(json_build_array(${deviceCartridges.bssid}, ${deviceCartridges.position},
          ${deviceCartridges.installed_at}, ${deviceCartridges.volume_before})) as fitted
      from ${deviceCartridges}
      join ${cartridgeTypes} on ${eq(cartridgeTypes.id, deviceCartridges.cartridge_type_id)}
      where ${deviceCartridges.bssid} = any(${sql.placeholder('keys')}::text[])
      group by ${cartridgeTypes.id}`,
)

/** Returns the cartridges of each device, in order of position. */
async function cartridgesOf(db: Database, keys: readonly string[]): Promise<Map<string, FittedCartridge[]>> {
  const types = await readCartridges(db, keys)
  const fittedCartridges = types.flatMap(({ fitted, ...type }) =>
    fitted.map(([bssid, position, installed_at, volumeBefore]) => {
      const replaceAt = new Date(Date.parse(installed_at) + type.ttl * msPerDay)
      const cartridge = {
        ...type,
        installed_at: isoTime(installed_at),
        replace_at: replaceAt.toISOString(),
        volumeBefore,
      }
      return { bssid, position, cartridge }
    }),
  )
  fittedCartridges.sort((a, b) => a.position - b.position)
  const byDevice = new Map<string, FittedCartridge[]>()
  for (const { bssid, cartridge } of fittedCartridges) {
    const deviceCartridges = byDevice.get(bssid)
    if (deviceCartridges) deviceCartridges.push(cartridge)
    else byDevice.set(bssid, [cartridge])
  }
  return byDevice
}

/**
 * Returns a function that reads the rows of a query for keys. They are transferred as one JSON text, because decoding a thousand
 * rows value by value takes three times as long.
 */
function prepareJson<Row>(name: string, query: SQL): (db: Database, keys: readonly string[]) => Promise<Row[]> {
  const statement = prepareStatement<{ json: string | null }>(
    name,
    sql`select json_agg(row_to_json(row))::text as json from (${query}) as row`,
  )
  return async (db, keys) => {
    const [row] = await statement(db, { keys }, { keepPlan: true })
    return JSON.parse(row?.json ?? '[]') as Row[]
  }
}
