/** Sums over a device's local day, from which its residuals are computed once the day has ended. */
import { channels, type Channel, type ChannelSums, type DaySums, type Observation } from './types.ts'

/** Returns the sums of a day without observations. */
export const emptySums = (): DaySums => ({
  channels: {},
  n: 0,
  temperature: 0,
  feed: 0,
  permeate: 0,
  rest_litres: 0,
  rest_hours: 0,
  max_run: 0,
  metered: 0,
  integrated: 0,
  passages: 0,
  passage: 0,
})

/** Adds an observation to the sums of its day. */
export function addObservation(sums: DaySums, observation: Observation): void {
  const { values, run, elapsed } = observation
  for (const channel in values) {
    const value = values[channel as Channel]!
    const kept = sums.channels[channel as Channel]
    if (kept === undefined) sums.channels[channel as Channel] = { n: 1, sum: value, squares: value * value }
    else {
      kept.n++
      kept.sum += value
      kept.squares += value * value
    }
  }
  sums.n++
  sums.temperature += observation.temperature
  sums.feed += observation.feed
  sums.permeate += observation.permeate
  if (run > sums.max_run) sums.max_run = run
  if (run > elapsed) {
    sums.metered += observation.permeate
    sums.integrated += (observation.flow * elapsed) / 60
  }
  if (observation.passage !== null) {
    sums.passages++
    sums.passage += observation.passage
  }
}

/** Adds the sums of another part of the same day. */
export function mergeSums(sums: DaySums, more: DaySums): void {
  for (const channel of channels) {
    const added = more.channels[channel]
    if (added === undefined) continue
    const kept = (sums.channels[channel] ??= { n: 0, sum: 0, squares: 0 })
    kept.n += added.n
    kept.sum += added.sum
    kept.squares += added.squares
  }
  sums.n += more.n
  sums.temperature += more.temperature
  sums.feed += more.feed
  sums.permeate += more.permeate
  sums.rest_litres += more.rest_litres
  sums.rest_hours += more.rest_hours
  sums.max_run = Math.max(sums.max_run, more.max_run)
  sums.metered += more.metered
  sums.integrated += more.integrated
  sums.passages += more.passages
  sums.passage += more.passage
}

/** Returns the mean of a channel, and the variance of one observation; without two observations that is 0. */
export function momentsOf({ n, sum, squares }: ChannelSums): { mean: number; variance: number } {
  const mean = sum / n
  return { mean, variance: n > 1 ? Math.max(0, (squares - sum * mean) / (n - 1)) : 0 }
}

/** What the rest flow of the running hour is computed from. */
export interface RestHour {
  /** Hours since 1970. */
  hour: number
  litres: number
  seconds: number
}

/** Share of an hour in which feed must flow at rest: flushes take less of it, at any interval of reports. */
const sustained = 0.6

/**
 * Adds a reading without permeate but with feed to the rest flow of its hour, and that of the hour before to the sums if it
 * was sustained. Call it with no litres at the first idle reading of an hour, so that the hour before is closed.
 */
export function addRest(sums: DaySums, rest: RestHour, at: number, litres: number, seconds: number): void {
  const hour = Math.floor(at / 3_600_000)
  if (hour !== rest.hour) {
    if (rest.seconds >= sustained * 3600) {
      sums.rest_litres += rest.litres
      sums.rest_hours += rest.seconds / 3600
    }
    rest.hour = hour
    rest.litres = 0
    rest.seconds = 0
  }
  if (litres <= 0) return
  rest.litres += litres
  rest.seconds += Math.min(seconds, 3600)
}
