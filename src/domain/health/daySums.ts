/** Sums over a device's local day, from which its residuals are computed once the day has ended. */
import { clipped } from './observe.ts'
import { fillingOf, type Flux } from './maths/tank.ts'
import { observedChannels, type ObservedChannel } from './types/channels.ts'
import type { ChannelSums, DaySums, DeviceConstants, Observation } from './types/observations.ts'

/** Returns the sums of a day without observations. */
export const emptySums = (): DaySums => ({
  channels: {},
  n: 0,
  temperature: 0,
  flows: 0,
  flow: 0,
  feed: 0,
  permeate: 0,
  rest_litres: 0,
  rest_hours: 0,
  max_run: 0,
  metered: 0,
  integrated: 0,
  tank_runs: 0,
  tank_litres: 0,
  tank_relief: 0,
  passages: 0,
  passage: 0,
})

/** Adds a value to the sums of a channel. */
function addValue(sums: DaySums, channel: ObservedChannel, value: number): void {
  const kept = sums.channels[channel]
  if (kept === undefined) sums.channels[channel] = { n: 1, sum: value, squares: value * value }
  else {
    kept.n++
    kept.sum += value
    kept.squares += value * value
  }
}

/** Adds an observation to the sums of its day. */
export function addObservation(sums: DaySums, observation: Observation): void {
  const { values } = observation
  for (const channel in values) addValue(sums, channel as ObservedChannel, values[channel as ObservedChannel]!)
  sums.n++
  sums.temperature += observation.temperature
  sums.flows++
  sums.flow += observation.flow
  sums.feed += observation.feed
  sums.permeate += observation.permeate
  if (observation.run > sums.max_run) sums.max_run = observation.run
  if (observation.passage !== null) {
    sums.passages++
    sums.passage += observation.passage
  }
}

/** A run that goes on: its newest observation, and since when its flow has only fallen. */
export interface Trace {
  last: Observation
  first: Flux | null
  /** Litres of permeate since then. */
  litres: number
}

/** Seconds by which the run at two readings may differ from the time between them. */
const tolerance = 2
/** A rise of the flow within a run, as ln, by which water was taken from the tank in between. */
const maxRise = 0.15

/** Adds an observation to the sums of its day, and ends the run before if it is the first of another. Returns its run's trace. */
export function addToRun(
  sums: DaySums,
  observation: Observation,
  trace: Trace | undefined,
  device: DeviceConstants,
): Trace {
  addObservation(sums, observation)
  const { flux, elapsed, permeate, flow } = observation
  const goesOn = trace !== undefined && Math.abs(trace.last.run + elapsed - observation.run) < tolerance
  if (!goesOn) {
    endRun(sums, trace, device)
    return { last: observation, first: flux, litres: 0 }
  }
  sums.metered += permeate
  // A tank lowers the flow between the two.
  sums.integrated += (((trace.last.flow + flow) / 2) * elapsed) / 60
  const before = trace.last.flux
  trace.last = observation
  trace.litres += permeate
  if (flux === null || before === null || flux.standard - before.standard > maxRise) {
    trace.first = flux
    trace.litres = 0
  }
  return trace
}

/**
 * Ends a run: if it has filled a tank, adds the tank's air to the sums, and the standard flow of a device that is known to have
 * one.
 */
export function endRun(sums: DaySums, trace: Trace | undefined, { tank, levels }: DeviceConstants): void {
  const end = trace?.last.flux
  if (!trace?.first || !end) return
  const filling = fillingOf(trace.first, end, trace.litres, tank)
  if (filling === undefined) return
  sums.tank_runs++
  sums.tank_litres += trace.litres
  sums.tank_relief += filling.relief
  if (tank) addValue(sums, 'a', clipped(filling.open, levels.a))
}

/** Adds the sums of another part of the same day. */
export function mergeSums(sums: DaySums, more: DaySums): void {
  for (const channel of observedChannels) {
    const added = more.channels[channel]
    if (added === undefined) continue
    const kept = (sums.channels[channel] ??= { n: 0, sum: 0, squares: 0 })
    kept.n += added.n
    kept.sum += added.sum
    kept.squares += added.squares
  }
  sums.n += more.n
  sums.temperature += more.temperature
  sums.flows += more.flows
  sums.flow += more.flow
  sums.feed += more.feed
  sums.permeate += more.permeate
  sums.rest_litres += more.rest_litres
  sums.rest_hours += more.rest_hours
  sums.max_run = Math.max(sums.max_run, more.max_run)
  sums.metered += more.metered
  sums.integrated += more.integrated
  sums.tank_runs += more.tank_runs
  sums.tank_litres += more.tank_litres
  sums.tank_relief += more.tank_relief
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

/** Seconds of an hour for which feed must flow at rest: flushes take less of it, at any interval of reports. */
const sustained = 0.6 * 3600

/** Returns whether feed may still have flowed at rest for most of an hour once it ends. */
export const canBeSustained = ({ hour, seconds }: RestHour, at: number): boolean =>
  seconds + (hour + 1) * 3600 - at / 1000 >= sustained

/**
 * Adds a reading without permeate but with feed to the rest flow of its hour, and that of the hour before to the sums if it
 * was sustained. Call it with no litres at the other readings: they close the hour before.
 */
export function addRest(sums: DaySums, rest: RestHour, at: number, litres: number, seconds: number): void {
  const hour = Math.floor(at / 3_600_000)
  if (hour !== rest.hour) {
    if (rest.seconds >= sustained) {
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
