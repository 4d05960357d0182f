/** Decides when a unit is unreachable: without power for hours, or without a network for minutes. */
import { noise, seedFrom } from './random.ts'
import { msPerDay, msPerHour, msPerMinute } from '../../src/domain/time.ts'

/** Start and end, milliseconds UTC. */
interface Outage {
  readonly from: number
  readonly to: number
}

const week = 7 * msPerDay

/** Share of weeks with a power outage, and the minimum and maximum length of an outage (model assumptions). */
const unpluggedShare = 0.03
const unpluggedLength = [2 * msPerHour, 60 * msPerHour] as const

/**
 * Returns the power outage that covers a time, or a later one of the same week. Depends only on seed and time.
 */
export function powerOutage(seed: number, at: number): Outage | undefined {
  const outageSeed = seed ^ unpluggedSeed
  // An outage of the previous week may last into this one.
  for (const number of [Math.floor(at / week), Math.floor(at / week) - 1]) {
    if (noise(outageSeed, 3 * number) >= unpluggedShare) continue
    const from = (number + noise(outageSeed, 3 * number + 1)) * week
    const [min, max] = unpluggedLength
    const to = from + min + noise(outageSeed, 3 * number + 2) * (max - min)
    if (to > at) return { from, to }
  }
  return undefined
}

/** Returns whether the unit has no power at a time. */
export const isUnplugged = (seed: number, at: number): boolean => {
  const outage = powerOutage(seed, at)
  return outage !== undefined && outage.from <= at
}

/** One network in ten is flaky: it fails once or twice a day, the others twice a year (model assumptions). */
const flakyShare = 0.1
const outagesAnHour = { flaky: 0.06, steady: 0.00025 }
const outageLength = [1 * msPerMinute, 25 * msPerMinute] as const

/** Returns whether the network is down at a time. The unit keeps running and buffers its readings. */
export function isCutOff(seed: number, at: number): boolean {
  const outageSeed = seed ^ networkSeed
  const number = Math.floor(at / msPerHour)
  if (noise(outageSeed, 2 * number) >= outagesAnHour[noise(outageSeed, -1) < flakyShare ? 'flaky' : 'steady'])
    return false
  const [min, max] = outageLength
  const length = min + noise(outageSeed, 2 * number + 1) * (max - min)
  // An outage ends within its hour, so only one hour has to be checked.
  return at - number * msPerHour < length
}

const unpluggedSeed = seedFrom('unplugged')
const networkSeed = seedFrom('network')
