/** Makes units from the lines of a fleet file, and invents fleets for brokers without one. */
import type { FleetDevice } from '../../server/protocol/fleetFile.ts'
import { initialSettings, pickSettings } from '../../server/protocol/settings.ts'
import { capabilities, idleProtectionDurations, smartFlush, type Capability } from '../../src/domain/device.ts'
import { wallTime } from '../../src/domain/zone.ts'
import { bypassShare } from './bypass.ts'
import { membraneYears, fromFleet, type Counters, type FittedCartridge } from './cartridges.ts'
import { dry } from './failures.ts'
import { siteFrom, zones, type FeedWater } from './feedWater.ts'
import { membraneFrom } from './membrane.ts'
import { random, seedFrom, type Random } from './random.ts'
import { msPerDay } from '../../src/domain/time.ts'
import type { Memory, Spec } from './unit.ts'
import { profiles } from './usage.ts'

/** The part of a fleet file's line that the model needs: all but the secret. */
export type Described = Omit<FleetDevice, 'secret'>

/** Residential ranges (docs/api.md); a unit gets values from them where the line has none. */
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

function typical(dice: Random, what: keyof typeof residential): number {
  const [least, most] = residential[what]
  return dice.between(least, most)
}

/**
 * Returns the unit that a line describes, at a moment: its water, rates and wear match the line's at that moment, and
 * what the line leaves out follows from the seed and the bssid.
 */
export function describedUnit(
  line: Described,
  seed: number,
  at: number,
): { readonly spec: Spec; readonly memory: Memory } {
  const own = seedFrom(`${seed} ${line.bssid}`)
  const dice = random(own)
  const profile = dice.weighted([
    [profiles[0], 5],
    [profiles[1], 1],
  ])
  const somewhere = dice.pick(zones)
  // The zone's present offset: with summer time it is an hour off for half of the year.
  const ahead = line.time_zone ? wallTime(line.time_zone, at) - at : somewhere
  const water: FeedWater = {
    tds: line.feed_tds ?? typical(dice, 'tds'),
    // The pressure of a dry pipe says nothing about its pressure once water arrives.
    pressure: line.status === dry || line.pressure === null ? typical(dice, 'pressure') : line.pressure,
    temperature: line.temperature ?? typical(dice, 'temperature'),
  }
  const rates = {
    recovery: line.recovery_rate ?? typical(dice, 'recovery'),
    rejection: line.rejection_rate ?? typical(dice, 'rejection'),
  }
  const litresADay = Math.max(0.5, line.litres_a_day ?? typical(dice, 'litresADay') * (profile === 'office' ? 2 : 1))
  const counters: Counters = { feed: line.feed ?? 0, permeate: line.permeate ?? 0 }
  const cartridges = (line.cartridges ?? usualCartridges(counters, dice, at)).map(one => fromFleet(one, at, dice))
  const membrane = membraneFrom(rates, water, {
    years: membraneYears(cartridges, at),
    blend: bypassShare(line.bypass),
    flow: typical(dice, 'flow'),
  })
  return {
    spec: {
      bssid: line.bssid,
      seed: own,
      site: siteFrom(water, at, { swing: dice.between(2, 5), ahead, seed: own }),
      usage: { profile, litresADay, litresADraw: dice.between(0.5, 2), ahead, seed: own },
      membrane,
      batteriesChangedAt: dice.between(1, 14),
    },
    memory: {
      settings: {
        locked: line.locked,
        valve_closed: line.valve_closed,
        ...pickSettings(line),
        // Minutes that a unit can report.
        idle_protection: idleProtectionDurations.findLast(minutes => minutes <= line.idle_protection) ?? 0,
      },
      resting: line.status,
      rightedAt: null,
      firmware: line.firmware,
      failedUpdate: null,
      power_mode: line.power_mode,
      battery: line.battery_level,
      counters,
      cartridges,
      draws: dice.whole(0, 4),
    },
  }
}

/** Returns the cartridges of a unit whose line has none: the usual three, each some way through its life. */
function usualCartridges(counters: Counters, dice: Random, at: number): FittedCartridge[] {
  const kinds = [
    { type: 0, resource: 12_000, ttl: 270 },
    { type: 2, resource: 16_000, ttl: 900 },
    { type: 1, resource: 8000, ttl: 365 },
  ] as const
  return kinds.map(kind => {
    const used = dice.between(0.02, 0.95)
    const installed_at = new Date(at - used * kind.ttl * msPerDay).toISOString()
    const litres = used * kind.resource * dice.between(0.3, 1)
    return { ...kind, installed_at, volume_before: (kind.type === 0 ? counters.feed : counters.permeate) - litres }
  })
}

const firmware = ['2.0.1', '2.1.0', '2.2.3'] as const

/** Returns the device at a place (from 0) of an invented fleet, for a broker that needs no passwords. */
export function madeUp(seed: number, place: number): FleetDevice {
  const dice = random(seedFrom(`${seed} device ${place}`))
  // The maker's prefix, then the place, which is unique within the fleet.
  const serial = (0x100000 + place).toString(16).padStart(6, '0')
  const can: Capability[] = capabilities.filter(() => dice.chance(0.7))
  const powerMode = dice.weighted<0 | 1 | 2>([
    [0, 80],
    [1, 12],
    [2, 8],
  ])
  return {
    bssid: `7C9EBD${serial}`.toUpperCase().replace(/..(?=.)/g, '$&:'),
    secret: '',
    platform: 'esp32',
    capabilities: can,
    firmware: dice.pick(firmware),
    status: 0,
    locked: false,
    valve_closed: false,
    ...initialSettings,
    flush: {
      smart: dice.chance(0.6) ? dice.pick(smartFlush) : null,
      mode: dice.pick([0, 1, 2]),
      frequency: dice.pick([2, 5, 10, 20]),
      duration: dice.pick([9, 18, 36]),
      volume: 0,
    },
    idle_protection: can.includes('idle_protection') ? dice.pick(idleProtectionDurations) : 0,
    bypass: { smart: 0, state: can.includes('bypass') ? dice.pick([0, 1, 2, 3]) : 0 },
    uv: can.includes('uv') ? 1 : 0,
    power_mode: powerMode,
    battery_level: powerMode === 2 ? dice.whole(20, 100) : null,
    feed_tds: typical(dice, 'tds'),
    pressure: typical(dice, 'pressure'),
    temperature: typical(dice, 'temperature'),
    recovery_rate: typical(dice, 'recovery'),
    rejection_rate: typical(dice, 'rejection'),
  }
}
