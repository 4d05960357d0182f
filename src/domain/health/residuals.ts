/** A day of a device against what it was when new: the input of its own trend and of its supply's medians. */
import { momentsOf } from './daySums.ts'
import { median } from './maths/median.ts'
import { hasPump, pressureValue } from './pressure/pump.ts'
import { airOf, airVariance } from './maths/tank.ts'
import { observedChannels, type ByChannel, type Channel } from './types/channels.ts'
import type { DiagnosisGroup } from './types/assessment.ts'
import type { MembranePriors } from './types/context.ts'
import type { DaySums } from './types/observations.ts'
import type { HealthState } from './types/state.ts'
import type { Neighbours } from './types/supply.ts'

/** Absolute zero in °C, as the formulas take it, and the reciprocal of 25 °C in K. */
const kelvin = 273
const standard = 1 / 298

/** Observations that a day must have for its mean of a channel to count. Creep after a quiet day is no salt passage. */
export const minObservationsOf = (channel: Channel): number => (channel === 'brief' ? 4 : 1)

/**
 * Returns a day's value of a channel, standardised with the coefficients of the membrane's type; undefined with too few.
 * `boosted`: whether h is the running pressure alone.
 */
export function dayValue(
  channel: Channel,
  sums: DaySums,
  priors: MembranePriors,
  boosted: boolean,
): number | undefined {
  if (channel === 'h') return pressureValue(sums, boosted)
  if (channel === 'tank') return airOf(sums)
  if (channel === 'meter')
    return sums.metered > 0 && sums.integrated > 0 ? Math.log(sums.metered / sums.integrated) : undefined
  const kept = sums.channels[channel]
  if (kept === undefined || kept.n < minObservationsOf(channel)) return undefined
  const mean = kept.sum / kept.n
  const coefficient = channel === 'a' ? priors.water_k : channel === 'b' || channel === 'brief' ? priors.salt_k : 0
  return coefficient === 0 ? mean : mean - coefficient * (standard - 1 / (kelvin + sums.temperature / sums.n))
}

/** Returns how far ageing is expected to have moved a channel in some days. */
export function ageing(channel: Channel, days: number, priors: MembranePriors): number {
  const year = channel === 'a' ? priors.flow_a_year : channel === 'b' || channel === 'brief' ? priors.salt_a_year : 0
  return (year * days) / 365.25
}

/** Variance of the ratio of two readings' litres, by the meter and by their flows, as ln. */
const pairVariance = 0.02 ** 2

/** Variance of a day's mean through the differences of its observations. */
export function dayVariance(channel: Channel, sums: DaySums): number {
  if (channel === 'tank') return airVariance(sums)
  if (channel === 'meter') return pairVariance / Math.max(1, sums.n / 2)
  const kept = sums.channels[channel]
  if (kept === undefined) return 0
  const { variance } = momentsOf(kept)
  return Math.max(variance, 0.01 ** 2) / kept.n
}

/**
 * Returns a day's residuals of the channels that have a baseline: what is left without ageing, as ln. The supply's medians
 * are made of them.
 */
export function dayResiduals(
  state: HealthState,
  sums: DaySums,
  priors: MembranePriors,
  day: number,
): ByChannel<number> {
  const residuals: ByChannel<number> = {}
  for (const channel of observedChannels) {
    const known = state.channels[channel]
    if (known === undefined || known.baseline === null) continue
    const value = dayValue(channel, sums, priors, hasPump(state))
    if (value !== undefined) residuals[channel] = value - known.baseline - ageing(channel, day - known.since, priors)
  }
  return residuals
}

/** Channels that a supply's devices share: its water, its season, and the errors of the formulas. */
const shared: readonly Channel[] = ['a', 'b', 'brief', 'f', 'p']

/** Returns the medians of the residuals of all devices on a supply, by channel. */
export function mediansOf(residuals: readonly ByChannel<number>[]): ByChannel<Neighbours> {
  const medians: ByChannel<Neighbours> = {}
  for (const channel of observedChannels) {
    const values = residuals.flatMap(one => one[channel] ?? [])
    if (values.length > 0) medians[channel] = { n: values.length, median: median(values) }
  }
  return medians
}

/**
 * Returns what each device's neighbours show: the medians of the residuals of all other devices on its supply, in the order
 * of the devices. Each channel is sorted once, as a supply may have hundreds of devices.
 */
export function neighboursOfEach(residuals: readonly ByChannel<number>[]): ByChannel<Neighbours>[] {
  const neighbours = residuals.map((): ByChannel<Neighbours> => ({}))
  for (const channel of observedChannels) {
    const values = residuals.map(one => one[channel])
    const sorted = Float64Array.from(values.filter(value => value !== undefined)).sort()
    for (const [index, value] of values.entries()) {
      const left = value === undefined ? sorted.length : sorted.indexOf(value)
      const n = value === undefined ? sorted.length : sorted.length - 1
      if (n > 0) neighbours[index]![channel] = { n, median: medianWithout(sorted, left, n) }
    }
  }
  return neighbours
}

/** Returns, for each channel, that median of the two which was computed from more devices. */
export function medianOfMore(
  one: ByChannel<Neighbours>,
  other: ByChannel<Neighbours> | undefined,
): ByChannel<Neighbours> {
  if (other === undefined) return one
  const medians = { ...one }
  for (const channel of observedChannels) {
    const [known, added] = [one[channel], other[channel]]
    if (added !== undefined && added.n > (known?.n ?? 0)) medians[channel] = added
  }
  return medians
}

/** Returns the median of `n` sorted values, which are all but the one at `left`. */
function medianWithout(sorted: Float64Array, left: number, n: number): number {
  const at = (place: number) => sorted[place < left ? place : place + 1]!
  return (at((n - 1) >> 1) + at(n >> 1)) / 2
}

/** Diagnosis groups whose findings are compared with what the neighbours show. */
const compared: readonly DiagnosisGroup[] = ['membrane', 'pressure']

/**
 * Keeps what the neighbours showed on the newest day of each channel while a finding is compared with that. If neither the device
 * nor a neighbour has measured a channel on a day, the doubt about that channel stays.
 */
export function keepNeighbours(state: HealthState, shown: ByChannel<Neighbours>): void {
  const before = state.neighbours ?? {}
  delete state.neighbours
  if (!state.open.some(({ group }) => compared.includes(group))) return
  state.neighbours = {}
  for (const channel of observedChannels) {
    const isMeasured = state.channels[channel]?.day === state.day
    const kept = shown[channel] ?? (isMeasured ? undefined : before[channel])
    if (kept !== undefined) state.neighbours[channel] = kept
  }
}

/** Devices from which their median says something, and those at which it counts half. */
export const minNeighbours = 5
const half = 5

/** Returns what of a channel's residual is the neighbours' as well. */
export function sharedPart(channel: Channel, neighbours: Neighbours | undefined): number {
  if (neighbours === undefined || neighbours.n < minNeighbours || !shared.includes(channel)) return 0
  return (neighbours.median * neighbours.n) / (neighbours.n + half)
}

/** Returns what of the neighbours' residual may be the channel's as well, although it is not taken out of it. */
export function doubtfulPart(channel: Channel, neighbours: Neighbours | undefined): number {
  if (neighbours === undefined || !shared.includes(channel)) return 0
  return neighbours.median - sharedPart(channel, neighbours)
}
