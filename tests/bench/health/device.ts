/** A device of the labelled fleet: its membrane, site, sensors, habits and faults. Not made with the method's formulas. */
import type { HealthCartridge } from '../../../src/domain/health/types/context.ts'
import { msPerDay, msPerYear } from '../../../src/domain/time.ts'
import { siteOn, type Supply } from '../../../simulator/model/supplies.ts'
import type { Site } from '../../../simulator/model/feedWater.ts'
import { membraneFrom, membraneOf, membraneTypes, type Membrane } from '../../../simulator/model/membrane.ts'
import { random, seedFrom } from '../../../simulator/model/random.ts'
import type { SlowFault } from '../../../simulator/model/slowFaults.ts'
import { shutOff, type Tank } from '../../../simulator/model/tank.ts'
import { profiles, type Usage } from '../../../simulator/model/usage.ts'

export interface BenchDevice {
  readonly name: string
  readonly seed: number
  readonly site: Site
  readonly type: number
  readonly membrane: Membrane
  /** When the membrane was installed, milliseconds UTC. */
  readonly installed: number
  readonly usage: Usage
  /** Seconds between two readings, and the offset of the first one. */
  readonly interval: number
  readonly phase: number
  /** Feed water past the membrane, as a share of its permeate. */
  readonly bypass: number
  /** bar that the pump adds; 0 without one. */
  readonly boost: number
  readonly tank: Tank | undefined
  /** Draws between two flushes, and minutes at rest until one; 0: never. */
  readonly flushEvery: number
  readonly idleProtection: number
  cartridges: readonly HealthCartridge[]
  /** Wear of the pre-filter at which it is replaced. */
  readonly replacedAt: number
  faults: SlowFault[]
  /** Local days on which the post-filter is replaced: hands on the housing. */
  serviced: number[]
  /** Langelier index of the concentrate: above 0 it can scale; and whether the vendor has entered what it takes. */
  readonly langelier: number
  readonly isWaterKnown: boolean
}

const intervals = [30, 30, 60, 60, 300] as const
const bypassShares = [0, 0, 0, 0.01, 0.02, 0.04] as const
const flushes = [0, 2, 5, 10, 20] as const
const idleMinutes = [0, 0, 30, 60, 120] as const

/** Share of the devices that have a tank. */
const tankShare = 0.1

function tankOf(deviceSeed: number): Tank | undefined {
  const rng = random(deviceSeed ^ seedFrom('tank'))
  return rng.chance(tankShare) ? { volume: rng.between(8, 14), precharge: rng.between(0.35, 0.5) } : undefined
}

/** Half of the supplies are hard; for half of them hardness, alkalinity and pH were entered. */
function waterOf({ site }: Supply): Pick<BenchDevice, 'langelier' | 'isWaterKnown'> {
  const rng = random(site.seed ^ 0x2545f491)
  return { langelier: rng.chance(0.5) ? rng.between(0.2, 1.2) : rng.between(-1.5, -0.2), isWaterKnown: rng.chance(0.5) }
}

/** Returns a device on a supply. It is new at `start` (milliseconds UTC), or up to a year old. */
export function benchDevice(supply: Supply, place: number, seed: number, start: number): BenchDevice {
  const name = `${supply.name}/${place}`
  const deviceSeed = seedFrom(`${seed} ${name}`)
  const rng = random(deviceSeed)
  const type = rng.integer(0, membraneTypes.length - 1)
  const kind = membraneOf(membraneTypes[type]!, rng)
  const isBoosted = rng.chance(0.15)
  const ownSite = siteOn(supply, deviceSeed)
  // Pumps are for pipes with little pressure.
  const site = isBoosted ? { ...ownSite, mean: { ...ownSite.mean, pressure: rng.between(1.6, 3) } } : ownSite
  const boost = isBoosted ? rng.between(2.5, 4) : 0
  const pressure = site.mean.pressure + boost
  const tank = tankOf(deviceSeed)
  const membrane = membraneFrom(
    { recovery: rng.between(20, 66), rejection: rng.between(90, 98) },
    // The rates of a unit with a tank are those of a run that fills it, on average.
    { ...site.mean, pressure, permeatePressure: tank ? shutOff.mean * pressure : 0 },
    { years: 0, blend: () => 0, flow: rng.between(0.2, 1.6), kind },
  )
  const drawsGlasses = rng.chance(0.2)
  const usage: Usage = {
    profile: rng.weighted([
      [profiles[0], 5],
      [profiles[1], 1],
    ]),
    litresADay: rng.between(4, 18),
    litresADraw: drawsGlasses ? rng.between(0.25, 0.45) : rng.between(0.5, 2),
    utcOffset: site.utcOffset,
    seed: deviceSeed,
  }
  const age = rng.chance(0.5) ? 0 : rng.between(0, 1) * msPerYear
  const installed = start - age
  const filter = start - rng.between(0, 0.6) * 270 * msPerDay
  const cartridges: HealthCartridge[] = [
    { position: 0, kind: 0, installed_at: filter, litres: 0, resource: 12_000, ttl: 270 },
    { position: 1, kind: 2, installed_at: installed, litres: 0, resource: 16_000, ttl: 900 },
    { position: 2, kind: 1, installed_at: filter, litres: 0, resource: 8_000, ttl: 365 },
  ]
  return {
    name,
    seed: deviceSeed,
    site,
    type,
    membrane,
    installed,
    usage,
    interval: rng.pick(intervals),
    phase: rng.next(),
    bypass: rng.pick(bypassShares),
    boost,
    tank,
    flushEvery: rng.pick(flushes),
    idleProtection: rng.pick(idleMinutes),
    cartridges,
    replacedAt: rng.between(0.95, 1.15),
    faults: [],
    serviced: rng.chance(0.4) ? [Math.floor(start / msPerDay) + rng.integer(0, 365)] : [],
    ...waterOf(supply),
  }
}
