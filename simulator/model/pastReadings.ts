/** The readings of a past that say something about a unit's health: while water is produced, and one an hour at rest. */
import type { Reading } from '../../server/protocol/messages.ts'
import { msPerHour, msPerSecond } from '../../src/domain/time.ts'
import { isUnplugged } from './absence.ts'
import { advance, nextEvent } from './advance.ts'
import { takeReading } from './reading.ts'
import type { Unit } from './unit.ts'

export interface PastReading {
  readonly reading: Reading
  /** Seconds for which permeate has flowed without interruption; 0 at rest and during a flush. */
  readonly run: number
  /** Seconds since the previous reading. */
  readonly elapsed: number
}

/**
 * Advances the unit to a time (milliseconds UTC) and yields its readings: every `interval` milliseconds while permeate
 * flows, the last one of each draw, the first one after it, and one an hour at rest. The readings between those at rest,
 * which say nothing more, are left out: a year has some twenty thousand instead of a million.
 */
export function* pastReadings(unit: Unit, until: number, interval: number): Generator<PastReading> {
  let previous = unit.at
  /** When the permeate began to flow; undefined at rest. */
  let began: number | undefined
  const read = (): PastReading => {
    const elapsed = (unit.at - previous) / msPerSecond
    previous = unit.at
    return { reading: takeReading(unit), run: began === undefined ? 0 : (unit.at - began) / msPerSecond, elapsed }
  }
  while (unit.at < until) {
    const isProducing = unit.water.phase === 'drawing'
    if (!isProducing) began = undefined
    else began ??= unit.at
    // Readings are taken on a grid, as by a device with a clock; the last one of a draw a millisecond before it ends.
    const spacing = isProducing || began !== undefined ? interval : msPerHour
    const onGrid = (Math.floor(unit.at / spacing) + 1) * spacing
    const last = isProducing && unit.water.endsAt - 1 > unit.at ? unit.water.endsAt - 1 : Number.POSITIVE_INFINITY
    const readingAt = Math.min(onGrid, last)
    const next = Math.min(until, readingAt, Math.max(nextEvent(unit), unit.at + 1))
    const wasAt = unit.at
    advance(unit, next)
    const isOver = isProducing && unit.water.phase !== 'drawing'
    if (unit.at > wasAt && (next === readingAt || isOver) && !isUnplugged(unit.spec.seed, unit.at)) {
      if (isOver) began = undefined
      yield read()
    }
  }
}
