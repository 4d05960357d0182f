/** Phases of the water (idle, drawing, flushing) and their effect on flows, salt and counters. */
import { isUnplugged } from './absence.ts'
import { saltFlushedOut, creepAfterDraw, creepAfterFlush, creepAfterIdle } from './creep.ts'
import { feedWater } from './feedWater.ts'
import { noFlow } from './element.ts'
import { msPerMinute, msPerSecond } from '../../src/domain/time.ts'
import { canRun, flowAt, type Unit } from './unit.ts'
import { randomDrawLitres } from './usage.ts'

const never = Number.POSITIVE_INFINITY

/** l/min through the open flush valve at 1 bar; the flow grows with the square root of the pressure. */
const flushValve = 0.7

/** Draws between two flushes by smart flush mode; smart flushing always follows a draw. */
const smartFrequency = { save_water: 20, balanced: 5, save_membrane: 2 } as const

/** Returns whether a flush is due: mode 1 flushes after a draw, mode 2 before one. */
function isFlushDue({ memory }: Unit, mode: 1 | 2): boolean {
  const { flush } = memory.settings
  if (flush.smart !== null) return mode === 1 && memory.draws >= smartFrequency[flush.smart]
  return flush.mode === mode && memory.draws >= flush.frequency
}

/** Starts a draw, or adds to the running one. The draw is dropped if the unit cannot run. */
export function draw(unit: Unit, litres = randomDrawLitres(unit.spec.usage, unit.rng)): void {
  const { water, memory, spec, at } = unit
  if (water.phase === 'drawing') {
    water.endsAt += (litres / water.flow.permeate) * msPerMinute
    return
  }
  if (water.phase === 'flushing') {
    water.pendingLitres += litres
    return
  }
  if (!canRun(unit) || isUnplugged(spec.seed, at)) return
  water.idleFlushAt = never
  memory.draws++
  if (isFlushDue(unit, 2)) {
    water.pendingLitres = litres
    flush(unit)
    return
  }
  const flow = flowAt(spec, memory, at)
  if (flow.permeate <= 0) return
  Object.assign(water, { phase: 'drawing', flow, endsAt: at + (litres / flow.permeate) * msPerMinute })
}

/** Starts a flush of the configured duration; without feed water only the status changes. */
export function flush(unit: Unit): void {
  const { water, memory, spec, at } = unit
  if (water.phase === 'drawing') water.pendingLitres += remainingLitres(unit)
  const { duration, volume } = memory.settings.flush
  const valveFlow = canRun(unit) ? flushValve * Math.sqrt(feedWater(spec.site, at).pressure) : 0
  const feed = volume > 0 ? Math.min(valveFlow, volume / (duration / 60)) : valveFlow
  Object.assign(water, {
    phase: 'flushing',
    flow: { ...noFlow, feed },
    endsAt: at + duration * msPerSecond,
    idleFlushAt: never,
  })
}

/** Returns the litres of the current draw that have not flowed yet. */
const remainingLitres = ({ water, at }: Unit) => ((water.endsAt - at) / msPerMinute) * water.flow.permeate

/** Ends the current phase, at its end or because the water was shut off, and starts the next one. */
export function endPhase(unit: Unit): void {
  const { water, memory, spec, at } = unit
  const { phase, pendingLitres } = water
  Object.assign(water, { phase: 'idle', flow: noFlow, endsAt: never, pendingLitres: 0 })
  if (phase === 'flushing') {
    memory.draws = 0
    if (canRun(unit)) water.concentrateTds = feedWater(spec.site, at).tds
    if (pendingLitres > 0) draw(unit, pendingLitres)
  } else if (phase === 'drawing') {
    if (isFlushDue(unit, 1) && canRun(unit)) flush(unit)
    else if (memory.settings.idle_protection > 0) water.idleFlushAt = at + memory.settings.idle_protection * msPerMinute
  }
}

/** Integrates flows and salt over `time` milliseconds in which the phase does not change. */
export function integrate(unit: Unit, time: number): void {
  const { water, tally, spec, at } = unit
  const seconds = time / msPerSecond
  const { flow } = water
  if (water.phase === 'idle') {
    water.creep = creepAfterIdle(water.creep, water.concentrateTds, spec.site.mean.tds, time)
    return
  }
  const feed = (flow.feed * seconds) / 60
  const permeate = (flow.permeate * seconds) / 60
  const { counters } = unit.memory
  unit.memory.counters = { feed: counters.feed + feed, permeate: counters.permeate + permeate }
  tally.feed += feed
  tally.permeate += permeate
  if (water.phase === 'flushing') {
    if (flow.feed > 0) water.creep = creepAfterFlush(water.creep, seconds)
    return
  }
  tally.seconds += seconds
  tally.salt += flow.permeateTds * seconds + saltFlushedOut(water.creep, seconds)
  tally.flowAt = at + time
  tally.flow = flow
  water.creep = creepAfterDraw(water.creep, seconds)
  water.permeateTds = flow.permeateTds + water.creep
  water.concentrateTds = flow.concentrateTds
}
