/**
 * Supplies: waterworks or buildings whose devices share their feed water. Its TDS, temperature and pressure go up and down
 * for all of them together; a device differs by its floor, its pipe and its distance.
 */
import { bounds, feedWater, utcOffsets, type FeedWater, type Site } from './feedWater.ts'
import { random, seedFrom, type Random } from './random.ts'

export interface Supply {
  readonly name: string
  /** The water at the supply itself. */
  readonly site: Site
  readonly chemistry: Chemistry
  /** How much sediment its water has, as a multiple of what pre-filters are rated for. */
  readonly sediment: number
}

/** What decides whether the water scales: calcium hardness and alkalinity in mg/l as CaCO₃, and pH. */
export interface Chemistry {
  readonly isHard: boolean
  readonly calcium_hardness: number
  readonly alkalinity: number
  readonly ph: number
}

/** Smallest and largest number of devices of a supply. */
export const supplySizes = [3, 50] as const
/** Supplies are laid out in blocks of devices, so that the supply of a device is found without those before it. */
const blockSize = 200

/** Returns the number of the supply of the device at an index of a fleet, and its place among the supply's devices. */
export function supplyOf(seed: number, index: number): { readonly supply: string; readonly place: number } {
  const block = Math.floor(index / blockSize)
  const rng = random(seedFrom(`${seed} supplies ${block}`))
  let first = block * blockSize
  const end = first + blockSize
  for (let number = 0; ; number++) {
    const size = sizeOf(rng, end - first)
    if (index < first + size) return { supply: `${block}-${number}`, place: index - first }
    first += size
  }
}

/** Returns the size of the next supply; what it leaves of the block suffices for another one, or is nothing. */
function sizeOf(rng: Random, left: number): number {
  const [min, max] = supplySizes
  // Small supplies are more common.
  const size = Math.floor(min * (max / min) ** rng.next())
  if (left - size >= min) return size
  return left <= max ? left : left - min
}

/** TDS in ppm from which the water of a supply is hard: most of what is dissolved in it is then calcium bicarbonate. */
const hardFrom = 320

/** Returns the chemistry of water with a TDS (ppm): at usual recoveries only hard water is above its saturation. */
function chemistryOf(tds: number, rng: Random): Chemistry {
  const isHard = tds >= hardFrom
  return isHard
    ? {
        isHard,
        calcium_hardness: Math.round(tds * rng.between(0.5, 0.62)),
        alkalinity: Math.round(tds * rng.between(0.45, 0.55)),
        ph: Math.round(rng.between(7.6, 7.9) * 10) / 10,
      }
    : {
        isHard,
        calcium_hardness: Math.round(tds * rng.between(0.08, 0.2)),
        alkalinity: Math.round(tds * rng.between(0.08, 0.17)),
        ph: Math.round(rng.between(6.8, 7.3) * 10) / 10,
      }
}

/** Share of the supplies with turbid water, from old mains or wells, and the range of their sediment (model assumptions). */
const turbidShare = 0.25
const turbid = [9, 14] as const

/** How far the sediment at the devices of a turbid supply differs, as a natural logarithm. */
const sedimentSpread = 0.4

/** Returns the sediment that reaches a device of a supply, as a multiple of what pre-filters are rated for. */
export function sedimentAt({ sediment }: Supply, deviceSeed: number): number {
  const deviation = random(deviceSeed ^ seedFrom('sediment')).between(-sedimentSpread, sedimentSpread)
  return sediment === 1 ? 1 : sediment * Math.exp(deviation)
}

/** Returns the supply with a name, by default with the ranges of residential water (docs/simulator.md). */
export function supplyNamed(seed: number, name: string): Supply {
  const supplySeed = seedFrom(`${seed} supply ${name}`)
  const rng = random(supplySeed)
  const depositing = random(supplySeed ^ seedFrom('sediment'))
  const mean: FeedWater = {
    tds: rng.between(150, 600),
    pressure: rng.between(3, 6.2),
    temperature: rng.between(9, 20),
  }
  return {
    name,
    site: { mean, swing: rng.between(3, 7), utcOffset: rng.pick(utcOffsets), seed: supplySeed, own: supplySeed },
    chemistry: chemistryOf(mean.tds, random(supplySeed ^ seedFrom('chemistry'))),
    sediment: depositing.chance(turbidShare) ? depositing.between(...turbid) : 1,
  }
}

/** Returns the site of a device of a supply: its water, with the device's floor, pipe and distance. */
export function siteOn({ site }: Supply, deviceSeed: number): Site {
  const rng = random(deviceSeed ^ seedFrom('site'))
  const { tds, pressure, temperature } = site.mean
  return {
    ...site,
    own: deviceSeed,
    mean: {
      tds: tds * rng.between(0.98, 1.02),
      // Half a bar for a floor or two.
      pressure: Math.max(bounds.pressure[0] + 1, pressure + rng.between(-0.6, 0.4)),
      temperature: temperature + rng.between(-0.5, 1.5),
    },
  }
}

/** Returns the feed water of a device at a time, with what has changed at its supply. */
export function suppliedWater(
  site: Site,
  at: number,
  { supplyTds, supplyPressure }: { readonly supplyTds: number; readonly supplyPressure: number },
): FeedWater {
  const water = feedWater(site, at)
  return { ...water, tds: water.tds * supplyTds, pressure: water.pressure * supplyPressure }
}
