/** Generates the demo's devices. The row of a device is derived from the seed and its index in the fleet. */
import { smartFlush, statusCodes, type StatusCode } from '../../src/domain/device.ts'
import { temperatureCorrection } from '../../src/domain/normalise.ts'
import { litresToClog, type Turbidity } from '../../simulator/model/cartridges.ts'
import { random, type Random } from '../../simulator/model/random.ts'
import { settingsOfRow } from '../devices/settings.ts'
import { cartridges, companies, firmware, models, systems } from './catalogue.ts'
import { demoId, seedOf } from './random.ts'
import { rounded } from './rounded.ts'
import { demoSediment, demoWater, type DemoWater } from './supplies.ts'
import { hiddenAt, troubleAt, troubledDevices, valuesWithFaults, type Hidden } from './troubles.ts'
import { msPerDay } from '../../src/domain/time.ts'

/** Statuses with their weights. */
const statusWeights: readonly (readonly [StatusCode, number])[] = [
  [0, 56],
  [1, 26],
  [2, 2.5],
  [3, 8],
  ...statusCodes.filter(code => code > 3).map((code): [StatusCode, number] => [code, 0.53]),
]
const rooms = [
  'Kitchen',
  'Staff kitchen',
  'Pantry',
  'Coffee corner',
  'Canteen',
  'Laboratory',
  'Utility room',
  'Basement',
]
const places = [
  'ground floor',
  'first floor',
  'second floor',
  'third floor',
  'annex',
  'house B',
  'east wing',
  'west wing',
]

/** The values that are missing because a sensor has failed, by the status of the device. */
const missingValues: Readonly<Partial<Record<StatusCode, readonly string[]>>> = {
  11: ['recovery_rate'],
  12: ['recovery_rate'],
  13: ['pressure'],
  14: ['temperature'],
  16: ['feed_tds', 'rejection_rate'],
  17: ['permeate_tds', 'rejection_rate'],
}

/** Returns the row of the device at `index` (from 0) of a fleet, and the rows of its cartridges. */
export function demoDevice(seed: number, index: number, now: Date) {
  const rng = random(seedOf(`${seed} device ${index}`))
  const vendor = rng.integer(0, companies.length - 1)
  const model = rng.pick(models.filter(({ vendors }) => vendors.includes(vendor)))
  const trouble = troubleAt(index)
  const system =
    rng.chance(0.93) || trouble !== undefined
      ? rng.pick(systems.filter(candidate => candidate.vendor === vendor))
      : undefined
  // The first sixty devices show every status; the others have statuses as common as in a real fleet.
  const anyStatus =
    index % 3 === 1 && index < statusCodes.length * 3 ? statusCodes[(index - 1) / 3]! : rng.weighted(statusWeights)
  // A trouble that readings reveal takes a device that sends them.
  const status = trouble === undefined ? anyStatus : anyStatus === 1 ? 1 : 0
  const hasCapability = (capability: (typeof model.capabilities)[number]) => model.capabilities.includes(capability)
  const bssid = bssidAt(seed, index)
  const age = trouble === undefined ? rng.between(20, 1500) : rng.between(400, 1500)
  const created = now.getTime() - age * msPerDay
  const minDays = trouble === undefined ? 0 : daysBeforeTrouble
  const planned = (system?.cartridges ?? []).map(type =>
    demoCartridge(rng, { type, created, now: now.getTime(), minDays }),
  )
  const membraneDays = planned.find(({ type }) => cartridges[type]!.type === 2)?.days ?? age
  const supplied = demoWater(seed, index, vendor, trouble?.fault.startsWith('scaling') === true)
  const hidden = hiddenAt(index, vendor, supplied.supply, now.getTime())
  const water = readings(rng, supplied, membraneDays, age)
  const turbidity = { sediment: demoSediment(seed, bssid, supplied.supply), litresADay: water.feed / age }
  const fitted = inTurbidWater(planned, turbidity).map((cartridge, position) => {
    const installed_at = new Date(now.getTime() - cartridge.days * msPerDay)
    const { model, ttl } = cartridges[cartridge.type]!
    return {
      ...cartridge,
      replaceAt: installed_at.getTime() + ttl * msPerDay,
      row: { bssid, position, cartridge_type_id: demoId(`cartridge ${model}`), installed_at },
    }
  })
  const powerMode = rng.weighted<0 | 1 | 2>([
    [0, 80],
    [1, 12],
    [2, 8],
  ])
  const smart = hasCapability('flush') && rng.chance(0.7) ? rng.pick(smartFlush) : null

  const row = {
    bssid,
    platform: model.platform,
    model_id: demoId(`model ${model.name}`),
    filtration_system_id: system === undefined ? null : demoId(`system ${system.model}`),
    vendor_id: demoId(`account ${companies[vendor]!.login}`),
    status,
    locked: hasCapability('lock') && rng.chance(0.03),
    valve_closed: hasCapability('valve') && (status === 4 || rng.chance(0.02)),
    ...water,
    ...(status === 18 ? { pressure: rounded(rng.between(0, 0.4), 2) } : {}),
    ...Object.fromEntries((missingValues[status] ?? []).map(name => [name, null])),
    flush_smart: smart,
    flush_mode: rng.pick([0, 1, 1, 2]),
    flush_frequency: rng.pick([2, 5, 5, 10, 20]),
    flush_duration: rng.pick([9, 18, 18, 36]),
    flush_volume: rounded(rng.between(0.5, 6), 1),
    idle_protection: hasCapability('idle_protection') ? rng.pick([0, 30, 60, 60, 90, 120]) : 0,
    bypass_smart: hasCapability('bypass') ? rng.integer(0, 2) : 0,
    bypass_state: hasCapability('bypass') ? rng.integer(0, 3) : 0,
    uv: hasCapability('uv') && rng.chance(0.8) ? 1 : 0,
    firmware: rng.pick(firmware[model.platform]!),
    last_active: new Date(lastActive(rng, status, now.getTime(), created)),
    water_supply: supplied.supply,
    description: rng.chance(0.72) ? `${rng.pick(rooms)}, ${rng.pick(places)}` : '',
    power_mode: powerMode,
    battery_level: powerMode === 2 ? rng.integer(3, 100) : null,
    time_zone: zoneAt(seed, index, companies[vendor]!.zones),
    next_replacement_at: fitted.length === 0 ? null : new Date(Math.min(...fitted.map(({ replaceAt }) => replaceAt))),
    created_at: new Date(created),
    updated_at: new Date(created + rng.next() * (now.getTime() - created)),
  }
  const fittedRows = fitted.map(cartridge => ({
    ...cartridge.row,
    volume_before: water[cartridge.counter] - cartridge.filteredLitres,
  }))
  if (hidden.slow_faults === undefined) return { row, cartridges: fittedRows, hidden }
  const sound = {
    ...row,
    ...settingsOfRow(row),
    ...water,
    capabilities: model.capabilities,
    bypass_rates: model.rates,
    cartridges: fittedRows.map(({ installed_at, volume_before }, position) => {
      const { type, resource, ttl } = cartridges[fitted[position]!.type]!
      return { type, resource, ttl, installed_at: installed_at.toISOString(), volume_before }
    }),
  }
  const values = valuesWithFaults(sound, hidden, seed, now.getTime())
  return {
    row: {
      ...row,
      recovery_rate: rounded(values.recovery_rate, 1),
      rejection_rate: rounded(values.rejection_rate, 1),
      feed_tds: rounded(values.feed_tds, 0),
      permeate_tds: rounded(values.permeate_tds, 0),
    },
    cartridges: fittedRows,
    hidden,
  }
}

/** A device with a trouble has had its cartridges for longer. */
const daysBeforeTrouble = 120

/** Returns what is hidden in the devices of a fleet, by BSSID; `now` is when the demo was created, milliseconds UTC. */
export const hiddenByBssid = (seed: number, fleet: number, now: number): ReadonlyMap<string, Hidden> =>
  new Map(
    Array.from({ length: Math.min(fleet, troubledDevices) }, (_, index) => {
      const { row, hidden } = demoDevice(seed, index, new Date(now))
      return [row.bssid, hidden]
    }),
  )

/** Returns the time zone of the device; a few have none. */
function zoneAt(seed: number, index: number, zones: readonly string[]): string | null {
  const rng = random(seedOf(`${seed} zone ${index}`))
  return rng.weighted<string | null>([
    ...zones.map((zone, position): [string, number] => [zone, position === 0 ? 7 : 2]),
    [null, 1],
  ])
}

/** Returns the BSSID at `index`: the prefix of one of three manufacturers, and a unique serial number. */
export function bssidAt(seed: number, index: number): string {
  const prefix = ['A41C09', '7C9EBD', '30AEA4'][index % 3]!
  // An odd factor permutes the 24-bit numbers.
  const serial = (Math.imul(Math.floor(index / 3), 0x9e3779b1) + seedOf(`${seed}`)) & 0xffffff
  return (prefix + serial.toString(16).padStart(6, '0')).toUpperCase().replace(/..(?=.)/g, '$&:')
}

interface DemoCartridge {
  /** Its index in the catalogue. */
  readonly type: number
  /** Days since it was installed. */
  readonly days: number
  /** The lifetime volume that it filters. */
  readonly counter: 'feed' | 'permeate'
  readonly filteredLitres: number
}

/** Returns a cartridge of the device; a few have expired. */
function demoCartridge(
  rng: Random,
  { type, created, now, minDays }: { type: number; created: number; now: number; minDays: number },
): DemoCartridge {
  const kind = cartridges[type]!
  const oldest = Math.min(kind.ttl * 1.06, (now - created) / msPerDay)
  const days = rng.between(Math.min(minDays, oldest), oldest)
  return {
    type,
    days,
    counter: kind.type === 0 ? 'feed' : 'permeate',
    filteredLitres: Math.round(Math.min(kind.resource * 1.02, days * rng.between(5, 30))),
  }
}

/** Returns the cartridges with a first pre-filter that people have replaced whenever sediment had clogged it. */
function inTurbidWater(
  planned: readonly DemoCartridge[],
  { sediment, litresADay }: Turbidity,
): readonly DemoCartridge[] {
  const first = planned.findIndex(({ type }) => cartridges[type]!.type === 0)
  const { ttl, resource } = cartridges[planned[first]?.type ?? 0]!
  const life = litresToClog({ resource, sediment }) / litresADay
  if (sediment === 1 || life >= ttl) return planned
  return planned.map((cartridge, position) => {
    const days = (cartridge.days * life) / ttl
    return position === first ? { ...cartridge, days, filteredLitres: Math.round(days * litresADay) } : cartridge
  })
}

/**
 * Returns residential readings (docs/simulator.md) with the water of the supply: recovery 20–66 %, rejection 90–98 %, falling
 * by some 2.5 % a year of the membrane's age.
 */
function readings(rng: Random, supplied: DemoWater, membraneDays: number, age: number) {
  const temperature = supplied.temperature + rng.between(-0.3, 0.3)
  const rejection = Math.max(90, rng.between(96, 98) - 2.5 * (membraneDays / 365))
  const feedTds = supplied.tds * rng.between(0.99, 1.01)
  const recovery = rng.between(20, 66)
  const permeate = age * rng.between(4, 18) * Math.min(1, temperatureCorrection(temperature))
  const feed = permeate / (recovery / 100)
  return {
    rejection_rate: rounded(rejection, 1),
    recovery_rate: rounded(recovery, 1),
    temperature: rounded(temperature, 1),
    pressure: rounded(supplied.pressure + rng.between(-0.1, 0.1), 2),
    feed_tds: rounded(feedTds, 0),
    permeate_tds: rounded(feedTds * (1 - rejection / 100), 0),
    feed: rounded(feed, 1),
    permeate: rounded(permeate, 1),
    waste: rounded(feed - permeate, 1),
  }
}

function lastActive(rng: Random, status: StatusCode, now: number, created: number): number {
  if (status !== 3) return now - rng.between(0, 25_000)
  // Most went offline recently, a few long ago.
  return Math.max(created, now - 120_000 - rng.next() ** 4 * 60 * msPerDay)
}
