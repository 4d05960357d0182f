/** The readings of a past that say something about a unit's health: while water is produced, and one an hour at rest. */
import { msPerHour, msPerSecond } from '../../src/domain/time.ts'
import { isUnplugged } from './absence.ts'
import { advance, nextEvent } from './advance.ts'
import { measure, type Measurement } from './reading.ts'
import type { Unit } from './unit.ts'

export interface PastReading {
  readonly reading: Measurement
  /** Milliseconds UTC. */
  readonly at: number
  /** What the water did since the previous reading. */
  readonly phase: Unit['water']['phase']
  /** Seconds for which permeate has flowed without interruption; 0 at rest and during a flush. */
  readonly run: number
  /** Seconds since the previous reading. */
  readonly elapsed: number
}

/**
 * Advances the unit to a time (milliseconds UTC) and yields its readings: every `interval` milliseconds while permeate
 * flows, every hour at rest, and the last one before a draw, a flush or rest begins. The readings between those at rest,
 * which say nothing more, are left out: a year has some twenty thousand instead of a million.
 */
export function* pastReadings(unit: Unit, until: number, interval: number): Generator<PastReading> {
  let previous = unit.at
  /** When the permeate began to flow; undefined at rest and during a flush. */
  let began: number | undefined
  while (unit.at < until) {
    const { phase } = unit.water
    began = phase === 'drawing' ? (began ?? unit.at) : undefined
    const spacing = phase === 'drawing' ? interval : msPerHour
    const event = nextEvent(unit)
    // On a grid, as by a device with a clock, and a millisecond before what changes next.
    const onGrid = (Math.floor(unit.at / spacing) + 1) * spacing
    const readingAt = event - 1 > unit.at ? Math.min(onGrid, event - 1) : onGrid
    advance(unit, Math.min(until, readingAt, Math.max(event, unit.at + 1)))
    if (unit.at !== readingAt || isUnplugged(unit.spec.seed, unit.at)) continue
    const run = began === undefined ? 0 : (unit.at - began) / msPerSecond
    yield { reading: measure(unit), at: unit.at, phase, run, elapsed: (unit.at - previous) / msPerSecond }
    previous = unit.at
  }
}
