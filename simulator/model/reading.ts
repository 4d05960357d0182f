/** Readings of a unit's sensors, and the state that it reports. */
import type { Reading, State } from '../../server/protocol/messages.ts'
import type { StatusCode } from '../../src/domain/device.ts'
import { failures, faultsOf, noFeedWater } from './failures.ts'
import { progressAt } from './firmware.ts'
import { measured, measuredTemperature, type Quantity } from './sensors.ts'
import { effectsAt, feedWaterAt, runningPressure, type Unit } from './unit.ts'
import { restFlow } from './water.ts'

/** Upper limits of the TDS sensors, ppm. */
const maxFeedTds = 5000
const maxPermeateTds = 1000
/** Share of the pressure that remains if the feed water is cut off. */
const noSupplyShare = 0.06

/** The values of a reading. */
export type Measurement = Omit<Reading, 'at'>

/**
 * Returns a reading at the unit's simulated time, with the litres since the last reading. `at` is the timestamp of the
 * reading, which differs if the simulated clock runs faster than real time.
 */
export const takeReading = (unit: Unit, at = unit.at): Reading => ({ at: new Date(at).toISOString(), ...measure(unit) })

/** Returns the values of a reading without the text of its time: a year has some twenty thousand readings. */
export function measure(unit: Unit): Measurement {
  const { flashMemory, water, spec } = unit
  const effects = effectsAt(unit, unit.at)
  const { sensors } = effects
  const feed = feedWaterAt(unit, unit.at, effects)
  const isRunning = water.phase !== 'idle'
  const pressure =
    flashMemory.resting === noFeedWater
      ? feed.pressure * noSupplyShare
      : isRunning
        ? runningPressure(unit, unit.at, feed.pressure, effects)
        : feed.pressure
  const feedFlow = isRunning || spec.faults.length === 0 ? water.flow.feed : restFlow(unit, unit.at)
  /** Returns what a sensor of the unit measures. */
  const of = (quantity: Quantity, value: number, error = 1) => measured(spec.seed, quantity, value, unit.at, error)
  const reading: Measurement = {
    ...takeLitres(unit, sensors.permeateCounter),
    feed_flow: rounded(of('feedFlow', feedFlow, sensors.feedFlow), 1000),
    permeate_flow: rounded(of('permeateFlow', water.flow.permeate, sensors.permeateFlow), 1000),
    feed_tds: rounded(Math.min(maxFeedTds, of('feedTds', feed.tds, sensors.feedTds)), 1),
    permeate_tds: rounded(Math.min(maxPermeateTds, of('permeateTds', water.permeateTds, sensors.permeateTds)), 10),
    pressure: rounded(of('pressure', pressure), 100),
    temperature: rounded(Math.max(0, measuredTemperature(spec.seed, feed.temperature, unit.at)), 10),
  }
  for (const sensor of failures[flashMemory.resting]?.missingValues ?? []) Object.assign(reading, { [sensor]: null })
  return reading
}

/**
 * Removes and returns the whole millilitres of the tally; the remainder is part of the next reading. `counter` is the factor by
 * which the permeate's counter is wrong.
 */
function takeLitres({ tally }: Unit, counter: number): Pick<Reading, 'feed' | 'permeate'> {
  const feed = Math.floor(tally.feed * 1000) / 1000
  // Rounding must not make the permeate larger than the feed.
  const permeate = Math.min(feed, Math.floor(tally.permeate * counter * 1000) / 1000)
  tally.feed -= feed
  tally.permeate -= permeate / counter
  return { feed, permeate }
}

/** Returns the unit's status code. */
export function statusOf({ flashMemory: { resting }, water, updating }: Unit): StatusCode {
  if (updating !== undefined) return 6
  if (water.phase === 'flushing') return 2
  return resting === 0 && water.phase === 'drawing' ? 1 : resting
}

/** Returns the reported state, without the time, the reporting interval and one-time events. */
export function stateOf(unit: Unit): Required<Omit<State, 'at' | 'report_interval' | 'replaced_cartridges'>> {
  const { flashMemory, updating, at } = unit
  const { settings } = flashMemory
  return {
    status: statusOf(unit),
    faults: faultsOf(flashMemory.resting),
    ...settings,
    firmware: flashMemory.firmware,
    update: updating === undefined ? flashMemory.failedUpdate : progressAt(updating, at),
    power_mode: flashMemory.power_mode,
    battery_level: flashMemory.battery === null ? null : Math.round(flashMemory.battery),
  }
}

/** Rounds to the nearest fraction with this denominator. */
const rounded = (value: number, denominator: number) => Math.round(value * denominator) / denominator
