/** Creates units from the lines of a fleet file, and generates fleets for brokers without passwords. */
import type { FleetDevice } from '../../server/protocol/fleetFile.ts'
import { initialSettings, pickSettings } from '../../server/protocol/settings.ts'
import { capabilities, idleProtectionDurations, smartFlush, type Capability } from '../../src/domain/device.ts'
import { wallTime } from '../../src/domain/zone.ts'
import { bypassBlend } from './bypass.ts'
import {
  cartridgesFromFleet,
  membraneYears,
  remainingPressureShare,
  type Cartridge,
  type Counters,
  type FittedCartridge,
} from './cartridges.ts'
import { noFeedWater } from './failures.ts'
import { parseFault } from './faultTexts.ts'
import { siteFrom, utcOffsets, type FeedWater } from './feedWater.ts'
import { membraneFrom, membraneOf, membraneTypes } from './membrane.ts'
import { random, seedFrom, type Random } from './random.ts'
import { msPerDay } from '../../src/domain/time.ts'
import { calibration, sensorFactor, temperatureOffset } from './sensors.ts'
import { shutOff } from './tank.ts'
import { effectsOf, remainingFaults, type SlowFault } from './slowFaults.ts'
import { sedimentAt, siteOn, supplyNamed, supplyOf } from './supplies.ts'
import type { FlashMemory, Spec } from './unit.ts'
import { profiles } from './usage.ts'

/** A device of the fleet file without the secret, which the model does not need. */
export type DeviceDescription = Omit<FleetDevice, 'secret'>

/** Residential ranges (docs/simulator.md), for values that are missing in the fleet file. */
const residential = {
  tds: [150, 600],
  pressure: [2.8, 6.9],
  temperature: [6, 28],
  recovery: [20, 66],
  rejection: [90, 98],
  /** l/min of a new membrane at 25 °C. */
  flow: [0.2, 1.6],
  litresADay: [4, 18],
} as const satisfies Record<string, readonly [number, number]>

/** Returns the type of a unit's membrane, which all cartridges of the same rating have; undefined without a membrane. */
function membraneTypeOf(cartridges: readonly Cartridge[]) {
  const membrane = cartridges.find(({ kind }) => kind === 2)
  return membrane && membraneTypes[seedFrom(`membrane ${membrane.resource} ${membrane.ttl}`) % membraneTypes.length]
}

function typicalValue(rng: Random, quantity: keyof typeof residential): number {
  const [min, max] = residential[quantity]
  return rng.between(min, max)
}

/** Returns the litres of feed that a device uses a day; the usual ones where its description does not say them. */
export const feedADay = ({
  litres_a_day = mean(residential.litresADay),
  recovery_rate,
}: Pick<DeviceDescription, 'litres_a_day' | 'recovery_rate'>): number =>
  (litres_a_day / (recovery_rate ?? mean(residential.recovery))) * 100
const mean = ([min, max]: readonly [number, number]) => (min + max) / 2

/** Returns the seed of a device of a fleet. */
export const unitSeedOf = (seed: number, bssid: string): number => seedFrom(`${seed} ${bssid}`)

/** Share of the units on little pressure that have a pump, and of generated units that have a tank (model assumptions). */
const boostedShare = 0.5
const tankShare = 0.1
/** Pressure in bar below which a unit may have a pump. */
const littlePressure = 3.6

/** Returns the slow faults that the description of a device contains. Throws an error for an unknown one. */
const describedFaults = ({ slow_faults = [] }: DeviceDescription, seed: number): SlowFault[] =>
  slow_faults.map(({ fault, began }, index) => {
    const course = parseFault(fault)
    if (course === undefined) throw new Error(`${fault} is not a fault such as fouling:0.3:90d`)
    return { ...course, began: Date.parse(began), seed: seed + index }
  })

/**
 * Returns the unit of a device. At `at` (milliseconds UTC) what its sensors show of its water, its rates and its wear match
 * the description; missing values are derived from the seed and the BSSID.
 */
export function unitFromFleet(
  device: DeviceDescription,
  seed: number,
  at: number,
): { readonly spec: Spec; readonly flashMemory: FlashMemory } {
  const unitSeed = unitSeedOf(seed, device.bssid)
  const rng = random(unitSeed)
  const faults = describedFaults(device, unitSeed)
  const supply = device.water_supply ? supplyNamed(seed, device.water_supply) : undefined
  const profile = rng.weighted([
    [profiles[0], 5],
    [profiles[1], 1],
  ])
  const fallbackOffset = rng.pick(utcOffsets)
  // The zone's current offset; where clocks change, it is an hour off for half of the year.
  const utcOffset = device.time_zone ? wallTime(device.time_zone, at) - at : (supply?.site.utcOffset ?? fallbackOffset)
  const counters: Counters = { feed: device.feed ?? 0, permeate: device.permeate ?? 0 }
  const cartridges = cartridgesFromFleet(
    device.cartridges ?? defaultCartridges(counters, rng, at),
    { sediment: supply ? sedimentAt(supply, unitSeed) : 1, litresADay: feedADay(device) },
    at,
    rng,
  )
  const effects = effectsOf(remainingFaults(faults, cartridges), at)
  const shown = { tds: device.feed_tds, pressure: device.pressure, temperature: device.temperature }
  const water: FeedWater = {
    tds: (shown.tds ?? typicalValue(rng, 'tds')) / sensorFactor(unitSeed, 'feedTds', at, effects),
    // The pressure of a dry pipe does not predict the pressure once water arrives.
    pressure:
      (device.status === noFeedWater || shown.pressure === null ? typicalValue(rng, 'pressure') : shown.pressure) /
      calibration(unitSeed, 'pressure', at),
    temperature: (shown.temperature ?? typicalValue(rng, 'temperature')) - temperatureOffset(unitSeed),
  }
  const rates = {
    recovery: device.recovery_rate ?? typicalValue(rng, 'recovery'),
    rejection: device.rejection_rate ?? typicalValue(rng, 'rejection'),
  }
  const litresADay = Math.max(
    0.5,
    device.litres_a_day ?? typicalValue(rng, 'litresADay') * (profile === 'office' ? 2 : 1),
  )
  const anyType = rng.pick(membraneTypes)
  const kind = membraneOf(membraneTypeOf(cartridges) ?? anyType, rng)
  const plumbing = random(unitSeed ^ seedFrom('plumbing'))
  const chosenBoost = water.pressure < littlePressure && plumbing.chance(boostedShare) ? plumbing.between(1.5, 3) : 0
  const boost = device.boost ?? chosenBoost
  const volume = device.tank ?? 0
  const pressure =
    water.pressure * remainingPressureShare(cartridges, counters, at) * effects.prefilter + boost * effects.pump
  // What the two TDS sensors show, as a share of the true values.
  const shownPassage =
    sensorFactor(unitSeed, 'permeateTds', at, effects) / sensorFactor(unitSeed, 'feedTds', at, effects)
  const membrane = membraneFrom(
    { ...rates, rejection: 100 - (100 - rates.rejection) / shownPassage },
    // The rates of a unit with a tank are those of a run that fills it, on average.
    { ...water, pressure, permeatePressure: volume > 0 ? shutOff.mean * pressure : 0 },
    {
      years: membraneYears(cartridges, at),
      condition: effects,
      blend: bypassBlend(device.bypass, device.bypass_rates),
      flow: typicalValue(rng, 'flow'),
      kind,
    },
  )
  const supplied = { ...water, tds: water.tds / effects.supplyTds, pressure: water.pressure / effects.supplyPressure }
  const swing = rng.between(2, 5)
  return {
    spec: {
      bssid: device.bssid,
      seed: unitSeed,
      site: siteFrom(supplied, at, {
        swing: supply?.site.swing ?? swing,
        utcOffset,
        seed: supply?.site.seed ?? unitSeed,
        own: unitSeed,
      }),
      usage: { profile, litresADay, litresADraw: rng.between(0.5, 2), utcOffset, seed: unitSeed },
      membrane,
      bypassRates: device.bypass_rates,
      boost,
      tank: volume > 0 ? { volume, precharge: plumbing.between(0.35, 0.5) } : undefined,
      faults,
      batteriesChangedAt: rng.between(1, 14),
    },
    flashMemory: {
      settings: {
        locked: device.locked,
        valve_closed: device.valve_closed,
        ...pickSettings(device),
        // Only some durations (minutes) are valid.
        idle_protection: idleProtectionDurations.findLast(minutes => minutes <= device.idle_protection) ?? 0,
      },
      resting: device.status,
      rightedAt: null,
      firmware: device.firmware,
      failedUpdate: null,
      power_mode: device.power_mode,
      battery: device.battery_level,
      counters,
      cartridges,
      draws: rng.integer(0, 4),
    },
  }
}

/** Returns cartridges for a device without any in the fleet file: the usual three, each partly used. */
function defaultCartridges(counters: Counters, rng: Random, at: number): FittedCartridge[] {
  const kinds = [
    { type: 0, resource: 12_000, ttl: 270 },
    { type: 2, resource: 16_000, ttl: 900 },
    { type: 1, resource: 8000, ttl: 365 },
  ] as const
  return kinds.map(kind => {
    const used = rng.between(0.02, 0.95)
    const installed_at = new Date(at - used * kind.ttl * msPerDay).toISOString()
    const litres = used * kind.resource * rng.between(0.3, 1)
    return { ...kind, installed_at, volume_before: (kind.type === 0 ? counters.feed : counters.permeate) - litres }
  })
}

const firmware = ['2.0.1', '2.1.0', '2.2.3'] as const

/** Returns the device at an index (from 0) of a generated fleet, for a broker that needs no passwords. */
export function generateDevice(seed: number, index: number): FleetDevice {
  const rng = random(seedFrom(`${seed} device ${index}`))
  const { supply } = supplyOf(seed, index)
  const water = siteOn(supplyNamed(seed, supply), seedFrom(`${seed} water ${index}`)).mean
  // The serial number is unique within the fleet.
  const serial = (0x100000 + index).toString(16).padStart(6, '0')
  const deviceCapabilities: Capability[] = capabilities.filter(() => rng.chance(0.7))
  const powerMode = rng.weighted<0 | 1 | 2>([
    [0, 80],
    [1, 12],
    [2, 8],
  ])
  return {
    bssid: `7C9EBD${serial}`.toUpperCase().replace(/..(?=.)/g, '$&:'),
    secret: '',
    platform: 'esp32',
    capabilities: deviceCapabilities,
    firmware: rng.pick(firmware),
    status: 0,
    locked: false,
    valve_closed: false,
    ...initialSettings,
    flush: {
      smart: rng.chance(0.6) ? rng.pick(smartFlush) : null,
      mode: rng.pick([0, 1, 2]),
      frequency: rng.pick([2, 5, 10, 20]),
      duration: rng.pick([9, 18, 36]),
      volume: 0,
    },
    idle_protection: deviceCapabilities.includes('idle_protection') ? rng.pick(idleProtectionDurations) : 0,
    bypass: { smart: 0, state: deviceCapabilities.includes('bypass') ? rng.pick([0, 1, 2, 3]) : 0 },
    uv: deviceCapabilities.includes('uv') ? 1 : 0,
    power_mode: powerMode,
    battery_level: powerMode === 2 ? rng.integer(20, 100) : null,
    water_supply: supply,
    feed_tds: water.tds,
    pressure: water.pressure,
    temperature: water.temperature,
    recovery_rate: typicalValue(rng, 'recovery'),
    rejection_rate: typicalValue(rng, 'rejection'),
    ...(rng.chance(tankShare) && { tank: rng.between(8, 14) }),
  }
}
