/** When a unit is not to be reached: without power for hours, or behind a network that goes away for minutes. */
import { noise, seedFrom } from './random.ts'
import { hour, minute } from './time.ts'

/** From and to, milliseconds UTC. */
interface Outage {
  readonly from: number
  readonly to: number
}

const week = 7 * 24 * hour

/** The share of weeks in which somebody pulls the plug, and for how long. */
const unpluggedShare = 0.03
const unpluggedLength = [2 * hour, 60 * hour] as const

/** The spell without power that lies at a moment or began in the same week. A function of seed and time alone. */
export function powerOutage(seed: number, at: number): Outage | undefined {
  const own = seed ^ unpluggedSeed
  // One of last week may last into this one.
  for (const number of [Math.floor(at / week), Math.floor(at / week) - 1]) {
    if (noise(own, 3 * number) >= unpluggedShare) continue
    const from = (number + noise(own, 3 * number + 1)) * week
    const [least, most] = unpluggedLength
    const to = from + least + noise(own, 3 * number + 2) * (most - least)
    if (to > at) return { from, to }
  }
  return undefined
}

export const isUnplugged = (seed: number, at: number): boolean => {
  const spell = powerOutage(seed, at)
  return spell !== undefined && spell.from <= at
}

/** One network in ten is flaky: it goes away once or twice a day, the others twice a year. */
const flakyShare = 0.1
const outagesAnHour = { flaky: 0.06, steady: 0.00025 }
const outageLength = [1 * minute, 25 * minute] as const

/** Whether the network is away at a moment. The unit goes on and keeps what it reads. */
export function isCutOff(seed: number, at: number): boolean {
  const own = seed ^ networkSeed
  const number = Math.floor(at / hour)
  if (noise(own, 2 * number) >= outagesAnHour[noise(own, -1) < flakyShare ? 'flaky' : 'steady']) return false
  const [least, most] = outageLength
  const length = least + noise(own, 2 * number + 1) * (most - least)
  // Within its hour, so that no other has to be looked at.
  return at - number * hour < length
}

const unpluggedSeed = seedFrom('unplugged')
const networkSeed = seedFrom('network')
