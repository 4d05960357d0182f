/** When a unit is unreachable: without power for hours, or without a network for minutes. */
import { noise, seedFrom } from './random.ts'
import { hour, minute } from './time.ts'

/** Start and end, milliseconds UTC. */
interface Outage {
  readonly from: number
  readonly to: number
}

const week = 7 * 24 * hour

/** Share of weeks with a power outage, and its minimum and maximum length (model assumptions). */
const unpluggedShare = 0.03
const unpluggedLength = [2 * hour, 60 * hour] as const

/**
 * Returns the power outage that covers a time, or that is still to come in the same week. Depends on seed and time
 * alone.
 */
export function powerOutage(seed: number, at: number): Outage | undefined {
  const own = seed ^ unpluggedSeed
  // An outage of the previous week may last into this one.
  for (const number of [Math.floor(at / week), Math.floor(at / week) - 1]) {
    if (noise(own, 3 * number) >= unpluggedShare) continue
    const from = (number + noise(own, 3 * number + 1)) * week
    const [min, max] = unpluggedLength
    const to = from + min + noise(own, 3 * number + 2) * (max - min)
    if (to > at) return { from, to }
  }
  return undefined
}

export const isUnplugged = (seed: number, at: number): boolean => {
  const spell = powerOutage(seed, at)
  return spell !== undefined && spell.from <= at
}

/** One network in ten is flaky: it fails once or twice a day, the others twice a year (model assumptions). */
const flakyShare = 0.1
const outagesAnHour = { flaky: 0.06, steady: 0.00025 }
const outageLength = [1 * minute, 25 * minute] as const

/** Returns whether the network is down at a time. The unit keeps running and buffers its readings. */
export function isCutOff(seed: number, at: number): boolean {
  const own = seed ^ networkSeed
  const number = Math.floor(at / hour)
  if (noise(own, 2 * number) >= outagesAnHour[noise(own, -1) < flakyShare ? 'flaky' : 'steady']) return false
  const [min, max] = outageLength
  const length = min + noise(own, 2 * number + 1) * (max - min)
  // An outage ends within its hour, so only one hour has to be checked.
  return at - number * hour < length
}

const unpluggedSeed = seedFrom('unplugged')
const networkSeed = seedFrom('network')
