/** Generates the history of a demo device: rollups of simulated readings, with the same model as the simulator. */
import { isUnplugged } from '../../simulator/model/absence.ts'
import { advance } from '../../simulator/model/advance.ts'
import { cartridgeAt } from '../../simulator/model/cartridges.ts'
import { failures } from '../../simulator/model/failures.ts'
import { unitFromFleet, type DeviceDescription } from '../../simulator/model/fleet.ts'
import type { FeedWater } from '../../simulator/model/feedWater.ts'
import { noise } from '../../simulator/model/random.ts'
import { msPerDay, msPerHour, msPerMinute, msPerSecond } from '../../src/domain/time.ts'
import { calibration, sensorFactor, temperatureOffset } from '../../simulator/model/sensors.ts'
import { effectsAt, emptyTally, feedWaterAt, openUnit, type Unit } from '../../simulator/model/unit.ts'
import type { Rollup } from '../telemetry/rollup.ts'

/**
 * Milliseconds before the end for which hourly rollups (charts of a month) and ten-minute rollups (charts of a day) are
 * generated; earlier rollups are daily.
 */
const hourlyLength = 31 * msPerDay
const tenMinutesLength = 2 * msPerDay
const tenMinutes = 10 * msPerMinute
/** Milliseconds between two simulated readings. */
const interval = 30 * msPerSecond

/** Start and end, milliseconds UTC. */
export interface Span {
  readonly from: number
  readonly to: number
}

export interface SimulatedHistory {
  /** Rollups of the UTC days that have no hourly rollups. */
  readonly days: readonly Rollup[]
  readonly hours: readonly Rollup[]
  /** Ten-minute rollups of the last hours, which are also in `hours`. */
  readonly tenMinutes: readonly Rollup[]
}

/**
 * Returns the history of a device in a span that ends at `now` or before. `device` is its state at `now`, `seed` the
 * seed of the fleet. Buckets in which the device had no power are omitted.
 */
export function simulateHistory(
  device: DeviceDescription,
  seed: number,
  { from, to }: Span,
  now: number,
): SimulatedHistory {
  const unit = unitAt(device, seed, from, now)
  // The current faults and locks began some hours or days ago.
  const changedAt = now - (0.1 + 3 * noise(unit.spec.seed, 1)) * msPerDay
  const advanceTo = (until: number, length: number): Rollup[] => {
    const start = unit.at
    if (start < changedAt && until > changedAt) {
      advance(unit, changedAt)
      applyCurrentState(unit, device)
    }
    advance(unit, until)
    return rollupOf(unit, { from: start, to: until }, length)
  }
  const hoursFrom = floor(Math.max(from, now - hourlyLength), msPerDay)
  const tenMinutesFrom = floor(Math.max(from, now - tenMinutesLength), msPerHour)

  const days = bucketEnds({ from, to: Math.min(to, hoursFrom) }, msPerDay).flatMap(until => advanceTo(until, msPerDay))
  const hours = bucketEnds({ from: unit.at, to: Math.min(to, tenMinutesFrom) }, msPerHour).flatMap(until =>
    advanceTo(until, msPerHour),
  )
  const tenMinuteRollups: Rollup[] = []
  for (const until of bucketEnds({ from: unit.at, to }, msPerHour)) {
    const buckets = bucketEnds({ from: unit.at, to: until }, tenMinutes).flatMap(end => advanceTo(end, tenMinutes))
    if (buckets.length > 0) hours.push({ ...buckets.reduce(sum), at: floor(buckets[0]!.at, msPerHour) })
    tenMinuteRollups.push(...buckets)
  }
  return { days, hours, tenMinutes: tenMinuteRollups }
}

const floor = (at: number, length: number) => Math.floor(at / length) * length

/** Returns the ends of the buckets of a span; the last one is the end of the span. */
function bucketEnds({ from, to }: Span, length: number): number[] {
  const ends: number[] = []
  for (let at = floor(from, length) + length; at < to; at += length) ends.push(at)
  return from < to ? [...ends, to] : []
}

/** Returns the unit at an earlier time: with the cartridges of that time, without faults and unlocked. */
export function unitAt(device: DeviceDescription, seed: number, at: number, now: number): Unit {
  const { spec, flashMemory } = unitFromFleet(device, seed, now)
  const litres = (spec.usage.litresADay * (now - at)) / msPerDay
  const { feed, permeate } = flashMemory.counters
  const counters = {
    permeate: Math.max(0, permeate - litres),
    feed: Math.max(0, feed - (litres / (device.recovery_rate ?? 40)) * 100),
  }
  return openUnit(
    spec,
    {
      ...flashMemory,
      settings: { ...flashMemory.settings, locked: false, valve_closed: false },
      resting: 0,
      counters,
      cartridges: flashMemory.cartridges.map(cartridge => cartridgeAt(cartridge, counters, at)),
    },
    at,
  )
}

function applyCurrentState({ flashMemory }: Unit, { status, locked, valve_closed }: DeviceDescription): void {
  flashMemory.settings = { ...flashMemory.settings, locked, valve_closed }
  if (failures[status] === undefined) return
  flashMemory.resting = status
  flashMemory.rightedAt = null
}

/** Returns the rollup of a bucket, or of its part within the span, as an array that is empty without readings. */
function rollupOf(unit: Unit, span: Span, length: number): Rollup[] {
  const { spec, flashMemory, tally, water } = unit
  unit.tally = emptyTally()
  const times = sampleTimes(span)
  const pluggedShare = times.filter(at => !isUnplugged(spec.seed, at)).length / times.length
  const readings = Math.round((pluggedShare * (span.to - span.from)) / interval)
  if (readings === 0) return []

  const missingValues = failures[flashMemory.resting]?.missingValues ?? []
  /** Returns the number of readings with a value of the sensor. */
  const countOf = (sensor: (typeof missingValues)[number]) => (missingValues.includes(sensor) ? 0 : readings)
  const samples = times.map(at => shownWater(unit, at))
  const mean = (value: keyof FeedWater) => samples.reduce((total, water) => total + water[value], 0) / samples.length
  /** Number of readings during draws; may be a fraction. */
  const drawReadings = tally.seconds > 0 ? Math.min(readings, Math.max(1, (tally.seconds * msPerSecond) / interval)) : 0
  const flowReadings = missingValues.includes('permeate_flow') ? 0 : Math.round(drawReadings)
  const effects = effectsAt(unit, unit.at)
  const factor = (quantity: 'permeateTds' | 'feedFlow' | 'permeateFlow') =>
    sensorFactor(spec.seed, quantity, unit.at, effects)
  const permeateTds =
    factor('permeateTds') *
    ((drawReadings > 0 ? drawReadings * (tally.salt / tally.seconds) : 0) +
      (readings - drawReadings) * water.permeateTds)
  return [
    {
      bssid: spec.bssid,
      at: floor(span.from, length),
      readings,
      feed: tally.feed,
      permeate: tally.permeate,
      production_sum:
        flowReadings > 0 ? (flowReadings * tally.permeate * 60 * factor('permeateFlow')) / tally.seconds : 0,
      production_count: flowReadings,
      feed_tds_sum: mean('tds') * countOf('feed_tds'),
      feed_tds_count: countOf('feed_tds'),
      permeate_tds_sum: countOf('permeate_tds') > 0 ? permeateTds : 0,
      permeate_tds_count: countOf('permeate_tds'),
      pressure_sum: mean('pressure') * countOf('pressure'),
      pressure_count: countOf('pressure'),
      temperature_sum: mean('temperature') * countOf('temperature'),
      temperature_count: countOf('temperature'),
      flow_at: flowReadings > 0 ? Math.min(span.to - 1, Math.floor(tally.flowAt ?? span.from)) : null,
      last_feed_flow:
        flowReadings > 0 && !missingValues.includes('feed_flow') ? tally.flow.feed * factor('feedFlow') : null,
      last_permeate_flow: flowReadings > 0 ? tally.flow.permeate * factor('permeateFlow') : null,
    },
  ]
}

/** Returns what the unit's sensors show of its feed water at a time, without their noise. */
function shownWater(unit: Unit, at: number): FeedWater {
  const { seed } = unit.spec
  const effects = effectsAt(unit, at)
  const { tds, pressure, temperature } = feedWaterAt(unit, at, effects)
  return {
    tds: tds * sensorFactor(seed, 'feedTds', at, effects),
    pressure: pressure * calibration(seed, 'pressure', at),
    temperature: temperature + temperatureOffset(seed),
  }
}

/** Returns the sample times of a span: at least one, and one every three hours. */
function sampleTimes({ from, to }: Span): number[] {
  const count = Math.ceil((to - from) / (3 * msPerHour))
  return Array.from({ length: count }, (_, index) => from + ((index + 0.5) / count) * (to - from))
}

/** Merges two consecutive rollups. */
const sum = (one: Rollup, next: Rollup): Rollup => ({
  ...one,
  readings: one.readings + next.readings,
  feed: one.feed + next.feed,
  permeate: one.permeate + next.permeate,
  production_sum: one.production_sum + next.production_sum,
  production_count: one.production_count + next.production_count,
  feed_tds_sum: one.feed_tds_sum + next.feed_tds_sum,
  feed_tds_count: one.feed_tds_count + next.feed_tds_count,
  permeate_tds_sum: one.permeate_tds_sum + next.permeate_tds_sum,
  permeate_tds_count: one.permeate_tds_count + next.permeate_tds_count,
  pressure_sum: one.pressure_sum + next.pressure_sum,
  pressure_count: one.pressure_count + next.pressure_count,
  temperature_sum: one.temperature_sum + next.temperature_sum,
  temperature_count: one.temperature_count + next.temperature_count,
  ...(next.flow_at === null
    ? {}
    : {
        flow_at: next.flow_at,
        last_feed_flow: next.last_feed_flow,
        last_permeate_flow: next.last_permeate_flow,
      }),
})
