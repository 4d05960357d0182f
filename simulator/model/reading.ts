/** What a unit's sensors give, and what it tells of itself. */
import type { Reading, State } from '../../server/protocol/messages.ts'
import type { StatusCode } from '../../src/domain/device.ts'
import { pressureLeft } from './cartridges.ts'
import { dry, failures, faultsOf } from './failures.ts'
import { feedWater } from './feedWater.ts'
import { toldAt } from './firmware.ts'
import { noise } from './random.ts'
import { second } from './time.ts'
import type { Unit } from './unit.ts'

/** The most that the TDS sensor behind the membrane can show, ppm. */
const maxPermeateTds = 1000
/** The share of the pressure that is left where no feed water arrives. */
const drained = 0.06

/**
 * What it reads at the moment until which it was reckoned, with the litres since the reading before; `at` is the time
 * that stands in the reading, as its clock may run faster than the world's.
 */
export function takeReading(unit: Unit, at = unit.at): Reading {
  const { memory, water, spec } = unit
  const arriving = feedWater(spec.site, unit.at)
  const running = water.phase !== 'idle'
  const left =
    memory.resting === dry ? drained : running ? pressureLeft(memory.cartridges, memory.counters, unit.at) : 1
  const tick = Math.floor(unit.at / second)
  /** A sensor's own unrest. */
  const unrest = (which: number, most: number) => (noise(spec.seed + which, tick) - 0.5) * 2 * most
  const reading: Reading = {
    at: new Date(at).toISOString(),
    ...takeLitres(unit),
    feed_flow: rounded(water.flow.feed, 2),
    permeate_flow: rounded(water.flow.permeate, 2),
    feed_tds: rounded(arriving.tds * (1 + unrest(1, 0.004)), 0),
    permeate_tds: rounded(Math.min(maxPermeateTds, water.last * (1 + unrest(2, 0.006))), 1),
    pressure: rounded(arriving.pressure * left * (1 + unrest(3, 0.004)), 2),
    temperature: rounded(arriving.temperature + unrest(4, 0.05), 1),
  }
  for (const sensor of failures[memory.resting]?.unread ?? []) Object.assign(reading, { [sensor]: null })
  return reading
}

/** The whole millilitres of the tally; what is left of it stays for the next reading. */
function takeLitres({ tally }: Unit): Pick<Reading, 'feed' | 'permeate'> {
  const feed = Math.floor(tally.feed * 1000) / 1000
  // Rounding must not let more come out than went in.
  const permeate = Math.min(feed, Math.floor(tally.permeate * 1000) / 1000)
  tally.feed -= feed
  tally.permeate -= permeate
  return { feed, permeate }
}

/** The status that it shows. */
export function statusOf({ memory: { resting }, water, updating }: Unit): StatusCode {
  if (updating !== undefined) return 6
  if (water.phase === 'flushing') return 2
  return resting === 0 && water.phase === 'drawing' ? 1 : resting
}

/** All that it tells of itself, but for the time, its reporting interval and what happens only once. */
export function stateOf(unit: Unit): Required<Omit<State, 'at' | 'report_interval' | 'replaced_cartridges'>> {
  const { memory, updating, at } = unit
  const { settings } = memory
  return {
    status: statusOf(unit),
    faults: faultsOf(memory.resting),
    ...settings,
    firmware: memory.firmware,
    update: updating === undefined ? memory.failedUpdate : toldAt(updating, at),
    power_mode: memory.power_mode,
    battery_level: memory.battery === null ? null : Math.round(memory.battery),
  }
}

const rounded = (value: number, digits: number) => Number(value.toFixed(digits))
