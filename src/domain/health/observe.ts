/** From a stored reading to the channels of health: the only part of it that runs for each reading. */
import { feedBrineConcentration, osmoticPressure, polarisationFactor, temperatureCorrection } from '../normalise.ts'
import { maxBypassShare } from '../ro.ts'
import { usualRecovery } from './instruments.ts'
import type { Flux } from './maths/tank.ts'
import type { ByChannel, ObservedChannel } from './types/channels.ts'
import type { DeviceConstants, HealthReading, Observation } from './types/observations.ts'

/** Seconds of a run from which flows are steady, creep is mostly out, and creep is out. */
const steadyFrom = 10
const briefFrom = 20
const settledFrom = 120
/** An observation further from the known level counts as this far: ln. */
const maxDistance = 0.3
/** Seconds of the longest run, a year: a bound for what defective sensors make of it. */
export const maxRun = 31_536_000
/** Minimum feed TDS for computing a salt passage, ppm. Even pure water has more. */
const minTds = 1
/** Feed TDS for the osmotic pressure where no sensor measures it, ppm. */
const usualTds = 300

/**
 * Returns the channels of a reading; undefined if no permeate flows, which costs one comparison, or if its flows are not
 * steady yet. Values are absolute: their differences to the baseline count.
 */
export function observe(reading: HealthReading, device: DeviceConstants): Observation | undefined {
  const product = reading.permeate_flow
  if (product === null || product <= 0) return undefined
  const { temperature, pressure, run, feed_flow, feed_tds, permeate_tds } = reading
  if (run < steadyFrom || temperature === null) return undefined
  const { levels, bypass } = device
  const values: Observed = {}
  let flux: Flux | null = null
  // The bypass takes feed water past the membrane into the permeate.
  const permeate = product / (1 + bypass)
  const feed = feed_flow === null ? null : feed_flow - bypass * permeate
  const recovery =
    feed === null ? recoveryFrom(permeate, pressure, levels) : feed > permeate ? permeate / feed : undefined
  if (recovery === undefined) return undefined
  const tds = feed_tds ?? (levels.f === undefined ? usualTds : Math.exp(levels.f))
  const feedBrine = feedBrineConcentration(tds, recovery)
  const logCorrection = Math.log(temperatureCorrection(temperature))
  if (pressure !== null && pressure > 0) {
    const passed = permeate_tds === null ? 0 : osmoticPressure(permeate_tds, temperature)
    const driving = pressure - osmoticPressure(feedBrine * polarisationFactor(recovery), temperature) + passed
    if (driving > 0) {
      const standard = Math.log(permeate / driving) - logCorrection
      flux = { standard, pressure, driving }
      if (!device.tank) put(values, levels, 'a', standard)
    }
    if (feed !== null) put(values, levels, 'r', Math.log((feed - permeate) / Math.sqrt(pressure)))
    const { resting } = reading
    if (resting !== null && resting > 0) {
      put(values, levels, 'h', Math.log(pressure / resting))
      put(values, levels, 'p', Math.log(resting))
    }
  }
  if (feed_tds !== null && feed_tds > 0) {
    put(values, levels, 'f', Math.log(feed_tds))
    // At the largest share the bypass may add more than the model says, so the membrane's own salt is unknown.
    if (permeate_tds !== null && permeate_tds > 0 && run >= briefFrom && bypass < maxBypassShare) {
      const own = permeate_tds * (1 + bypass) - bypass * feed_tds
      const channel = run >= settledFrom ? 'b' : 'brief'
      if (own > 0) put(values, levels, channel, Math.log((own / feedBrine) * permeate) - logCorrection)
    }
  }
  const { elapsed, permeate: metered } = reading
  const passage =
    run >= settledFrom && permeate_tds !== null && feed_tds !== null && feed_tds >= minTds
      ? permeate_tds / feed_tds
      : null
  return { values, flux, temperature, passage, run, elapsed, flow: product, feed: reading.feed, permeate: metered }
}

/** Returns the recovery, 0–1, where the feed is not measured: as the restrictor last let its concentrate through. */
function recoveryFrom(permeate: number, pressure: number | null, { r }: ByChannel<number>): number {
  if (r === undefined || pressure === null || pressure <= 0) return usualRecovery
  return permeate / (permeate + Math.exp(r) * Math.sqrt(pressure))
}

type Observed = Partial<Record<ObservedChannel, number>>

/** Keeps a value, moved to at most `maxDistance` from the channel's known level. What is not finite is no value. */
function put(values: Observed, levels: ByChannel<number>, channel: ObservedChannel, value: number): void {
  if (Number.isFinite(value)) values[channel] = clipped(value, levels[channel])
}

/** Returns a value, moved to at most `maxDistance` from the known level. */
export const clipped = (value: number, level: number | undefined): number =>
  level === undefined ? value : Math.max(level - maxDistance, Math.min(level + maxDistance, value))

/** Where a device's run stood at its previous reading. */
export interface Run {
  /** Milliseconds UTC. */
  readonly at: number
  /** Seconds of uninterrupted permeate until then. */
  readonly seconds: number
}

/**
 * Share of the time between two readings that must be covered by permeate for the run to have gone on: less than one by as much as
 * a failing counter or flow sensor may be wrong.
 */
const uninterrupted = 0.7

/**
 * Returns the seconds for which permeate has flowed at a reading, from the litres since the previous one and the flow now,
 * and from the run at the previous reading if that was producing. Breaks of a minute or two within the interval do not
 * count: no creep comes of them. At most `maxRun`.
 */
export function chainRun(
  reading: { readonly at: number; readonly permeate: number; readonly permeate_flow: number },
  previous: Run | undefined,
  elapsed: number,
): number {
  const flowed = Math.min(elapsed, (reading.permeate / reading.permeate_flow) * 60)
  const goesOn = previous !== undefined && flowed >= uninterrupted * elapsed
  return Math.min(maxRun, goesOn ? previous.seconds + elapsed : flowed)
}
