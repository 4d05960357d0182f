/**
 * Whether a booster pump raises the pressure while water runs. Without one, friction makes the running pressure a little lower
 * than that at rest. One odd day proves nothing: the supply's pressure may have risen between rest and draw.
 */
import { feedBrineConcentration, osmoticPressure, polarisationFactor, temperatureCorrection } from '../../normalise.ts'
import { median } from '../maths/median.ts'
import type { DaySums } from '../types/observations.ts'
import type { HealthState } from '../types/state.ts'

/** Days with data that are kept, the newest of them that reveal a pump, and how many of these must be known. */
const keptLifts = 14
const tellingLifts = 7
const enoughLifts = 5
/** Median of ln running over resting pressure above which there is a pump, and below which there is none. */
const lifted = 0.05
const notLifted = 0.02
/** `lifts` of a state are ln times this, as integers. */
export const liftScale = 1000

/** Returns whether a device is known to have a booster pump. */
export const hasPump = ({ boosted }: Pick<HealthState, 'boosted'>): boolean => boosted === true

/** Returns the day's mean of ln running over resting pressure; undefined without readings of both. */
export function runningOverResting(sums: DaySums): number | undefined {
  const { h, p } = sums.channels
  if (h === undefined || p === undefined) return undefined
  const [value, resting] = [h.sum / h.n, p.sum / p.n]
  return isRunningAlone(sums, value, resting) ? value - resting : value
}

/** Returns the day's value of the channel h: ln of running over resting pressure, with a pump that of the running pressure in bar. */
export function pressureValue(sums: DaySums, boosted: boolean): number | undefined {
  const lift = runningOverResting(sums)
  if (lift === undefined || !boosted) return lift
  const { n, sum } = sums.channels.p!
  return lift + sum / n
}

/** A ratio below this, as ln, is no running pressure: membranes get more than 1.35 bar. */
const minRunning = 0.3
/** Returns whether a value of the channel h, as when new, may be the running pressure alone, as with a pump, and is no ratio. */
export const isRunningPressure = (value: number): boolean => value >= minRunning

/** Bar: no household pump makes more, so that a ratio that says so is none. */
const maxRunning = 8
/** A household's recovery, exact enough for the osmotic pressure of a day. */
const someRecovery = 0.4

/**
 * Returns whether what is stored as h is ln of the running pressure in bar, as it was for devices with a pump in earlier versions.
 * The flow gives the running pressure, too: it is the standard flow times the driving pressure, which is the running pressure less
 * the osmotic one. What is stored is that of the two which is nearer.
 */
function isRunningAlone({ channels: { a, f }, ...sums }: DaySums, value: number, resting: number): boolean {
  if (!isRunningPressure(value)) return false
  // The standard flow of a device with a tank is not that of all of its readings.
  if (a === undefined || sums.flows === 0 || sums.tank_runs > 0) return value + resting > Math.log(maxRunning)
  const temperature = sums.temperature / sums.n
  const driving = sums.flow / sums.flows / (Math.exp(a.sum / a.n) * temperatureCorrection(temperature))
  const feedTds = f === undefined ? 0 : Math.exp(f.sum / f.n)
  const wall = feedBrineConcentration(feedTds, someRecovery) * polarisationFactor(someRecovery)
  return Math.log(driving + osmoticPressure(wall, temperature)) < value + resting / 2
}

/** Returns a state of an earlier version with what it takes to follow the pump, which the server has kept as `boosted`. */
export function withPump(state: HealthState, boosted: boolean): HealthState {
  if (state.boosted !== undefined) return state
  const { h, p } = state.channels
  const next = { ...state, boosted, lifts: [] }
  if (!boosted || h === undefined) return next
  // Its baseline is of the running pressure if that is over the resting pressure.
  const isRunning = h.baseline !== null && p !== undefined && p.baseline !== null && h.baseline - p.baseline > lifted
  if (!isRunning || p.raw.length === 0) return withoutPressure(next)
  const resting = median(p.raw)
  return { ...next, channels: { ...state.channels, h: { ...h, raw: h.raw.map(each => each - resting) } } }
}

const withoutPressure = (state: HealthState): HealthState => {
  const { h: _, ...channels } = state.channels
  return { ...state, channels, open: state.open.filter(({ group }) => group !== 'pressure') }
}

/**
 * Follows by a day with data whether there is a pump. Where that turns out otherwise, the channel h begins anew, as it means
 * something else. A pump counts as gone only while its pressure is learned: later, a loss of pressure is a weak pump.
 */
export function followPump(state: HealthState, sums: DaySums): void {
  const lift = runningOverResting(sums)
  if (lift === undefined) return
  const lifts = [...(state.lifts ?? []), Math.round(lift * liftScale)].slice(-keptLifts)
  state.lifts = lifts
  if (lifts.length < enoughLifts) return
  const middle = median(lifts.slice(-tellingLifts)) / liftScale
  const isLearning = (state.channels.h?.baseline ?? null) === null
  const boosted = hasPump(state) ? !(isLearning && middle < notLifted) : middle > lifted
  if (boosted === hasPump(state)) return
  Object.assign(state, withoutPressure(state), { boosted })
}
