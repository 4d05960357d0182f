/** Readings of a unit's sensors, and the state that it reports. */
import type { Reading, State } from '../../server/protocol/messages.ts'
import type { StatusCode } from '../../src/domain/device.ts'
import { remainingPressureShare } from './cartridges.ts'
import { failures, faultsOf, noFeedWater } from './failures.ts'
import { feedWater } from './feedWater.ts'
import { progressAt } from './firmware.ts'
import { noise } from './random.ts'
import type { Unit } from './unit.ts'
import { msPerSecond } from '../../src/domain/time.ts'

/** Upper limit of the permeate TDS sensor, ppm. */
const maxPermeateTds = 1000
/** Share of the pressure that remains if the feed water is cut off. */
const noSupplyShare = 0.06

/**
 * Returns a reading at the unit's simulated time, with the litres since the last reading. `at` is the timestamp of the
 * reading, which differs if the simulated clock runs faster than real time.
 */
export function takeReading(unit: Unit, at = unit.at): Reading {
  const { memory, water, spec } = unit
  const feed = feedWater(spec.site, unit.at)
  const isRunning = water.phase !== 'idle'
  const pressureShare =
    memory.resting === noFeedWater
      ? noSupplyShare
      : isRunning
        ? remainingPressureShare(memory.cartridges, memory.counters, unit.at)
        : 1
  const tick = Math.floor(unit.at / msPerSecond)
  /** Returns sensor noise of up to ± `max`; each sensor has its own series. */
  const noiseOf = (series: number, max: number) => (noise(spec.seed + series, tick) - 0.5) * 2 * max
  const reading: Reading = {
    at: new Date(at).toISOString(),
    ...takeLitres(unit),
    feed_flow: rounded(water.flow.feed, 2),
    permeate_flow: rounded(water.flow.permeate, 2),
    feed_tds: rounded(feed.tds * (1 + noiseOf(1, 0.004)), 0),
    permeate_tds: rounded(Math.min(maxPermeateTds, water.permeateTds * (1 + noiseOf(2, 0.006))), 1),
    pressure: rounded(feed.pressure * pressureShare * (1 + noiseOf(3, 0.004)), 2),
    temperature: rounded(feed.temperature + noiseOf(4, 0.05), 1),
  }
  for (const sensor of failures[memory.resting]?.missingValues ?? []) Object.assign(reading, { [sensor]: null })
  return reading
}

/** Removes and returns the whole millilitres of the tally; the remainder is part of the next reading. */
function takeLitres({ tally }: Unit): Pick<Reading, 'feed' | 'permeate'> {
  const feed = Math.floor(tally.feed * 1000) / 1000
  // Rounding must not make the permeate larger than the feed.
  const permeate = Math.min(feed, Math.floor(tally.permeate * 1000) / 1000)
  tally.feed -= feed
  tally.permeate -= permeate
  return { feed, permeate }
}

/** Returns the unit's status code. */
export function statusOf({ memory: { resting }, water, updating }: Unit): StatusCode {
  if (updating !== undefined) return 6
  if (water.phase === 'flushing') return 2
  return resting === 0 && water.phase === 'drawing' ? 1 : resting
}

/** Returns the reported state, without the time, the reporting interval and one-time events. */
export function stateOf(unit: Unit): Required<Omit<State, 'at' | 'report_interval' | 'replaced_cartridges'>> {
  const { memory, updating, at } = unit
  const { settings } = memory
  return {
    status: statusOf(unit),
    faults: faultsOf(memory.resting),
    ...settings,
    firmware: memory.firmware,
    update: updating === undefined ? memory.failedUpdate : progressAt(updating, at),
    power_mode: memory.power_mode,
    battery_level: memory.battery === null ? null : Math.round(memory.battery),
  }
}

const rounded = (value: number, digits: number) => Number(value.toFixed(digits))
