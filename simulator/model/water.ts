/** Phases of the water (idle, drawing, flushing) and their effect on flows, salt and counters. */
import { isUnplugged } from './absence.ts'
import { saltFlushedOut, creepAfterDraw, creepAfterFlush, creepAfterIdle } from './creep.ts'
import { noFlow } from './element.ts'
import { noFeedWater } from './failures.ts'
import { litresAt, shutOff, tankPressure, worn, type Tank } from './tank.ts'
import { msPerMinute, msPerSecond } from '../../src/domain/time.ts'
import { canRun, effectsAt, feedWaterAt, flowAt, runningPressure, type Unit } from './unit.ts'
import { randomDrawLitres } from './usage.ts'

const never = Number.POSITIVE_INFINITY

/** l/min through the open flush valve at 1 bar; the flow grows with the square root of the pressure. */
const flushValve = 0.7

/** Draws between two flushes by smart flush mode; smart flushing always follows a draw. */
const smartFrequency = { save_water: 20, balanced: 5, save_membrane: 2 } as const

/** Returns whether a flush is due: mode 1 flushes after a draw, mode 2 before one. */
function isFlushDue({ flashMemory }: Unit, mode: 1 | 2): boolean {
  const { flush } = flashMemory.settings
  if (flush.smart !== null) return mode === 1 && flashMemory.draws >= smartFrequency[flush.smart]
  return flush.mode === mode && flashMemory.draws >= flush.frequency
}

/** Milliseconds after which the flow into a filling tank is computed anew. */
const tankStep = 3 * msPerMinute
/** A tank counts as full when the membrane passes less than this share of what it would into an open tap. */
const minFillingShare = 0.05

/**
 * Starts a draw, or adds to the running one. With a tank the water comes from there, and the membrane fills it again. The
 * draw is dropped if the unit cannot run.
 */
export function draw(unit: Unit, litres = randomDrawLitres(unit.spec.usage, unit.rng)): void {
  const { water, spec } = unit
  if (water.phase === 'flushing') water.pendingLitres += litres
  else if (spec.tank !== undefined) drawFromTank(unit, spec.tank, litres)
  else if (water.phase === 'drawing') water.endsAt += (litres / water.flow.permeate) * msPerMinute
  else startRun(unit, litres)
}

/** Starts to produce permeate, after a flush if one is due. */
function startRun(unit: Unit, litres: number): void {
  const { water, flashMemory, spec, at } = unit
  if (!canRun(unit) || isUnplugged(spec.seed, at)) return
  water.idleFlushAt = never
  flashMemory.draws++
  if (isFlushDue(unit, 2)) {
    water.pendingLitres = litres
    flush(unit)
  } else if (spec.tank !== undefined) {
    fillTank(unit, spec.tank)
  } else {
    const flow = flowAt(unit, at)
    if (flow.permeate > 0)
      Object.assign(water, { phase: 'drawing', flow, endsAt: at + (litres / flow.permeate) * msPerMinute })
  }
}

/** Takes litres from the tank; the shut-off valve opens when its pressure has fallen. */
function drawFromTank(unit: Unit, tank: Tank, litres: number): void {
  const { water } = unit
  const { full, opensAt } = tankLimits(unit, tank)
  water.tankLitres = Math.max(0, Math.min(full, water.tankLitres) - litres)
  if (water.phase === 'drawing') fillTank(unit, tank)
  else if (water.isFilling || water.tankLitres < opensAt) startRun(unit, 0)
}

/** Returns the litres at which the shut-off valve opens and at which the tank is full, and the tank as it is by now. */
function tankLimits(unit: Unit, tank: Tank) {
  const effects = effectsAt(unit, unit.at)
  const pressure = runningPressure(unit, unit.at, feedWaterAt(unit, unit.at, effects).pressure, effects)
  const actual = worn(tank, effects)
  return {
    full: litresAt(actual, shutOff.closes * pressure),
    opensAt: litresAt(actual, shutOff.opens * pressure),
    pressure,
    actual,
  }
}

/** Fills the tank for a step, against its pressure; ends the run when it is full. */
export function fillTank(unit: Unit, tank: Tank): void {
  const { water, spec, at } = unit
  const { full, pressure, actual } = tankLimits(unit, tank)
  const litres = Math.min(full, water.tankLitres)
  const flow = flowAt(unit, at, Math.max(0, tankPressure(actual, litres)))
  if (litres >= full || flow.permeate < minFillingShare * spec.membrane.waterPermeability * pressure) {
    water.isFilling = false
    if (water.phase === 'drawing') endPhase(unit)
    return
  }
  const time = ((full - litres) / flow.permeate) * msPerMinute
  const isLast = time <= tankStep
  Object.assign(water, {
    phase: 'drawing',
    flow,
    isFilling: true,
    tankLitres: litres,
    endsAt: isLast ? at + time : never,
    stepAt: isLast ? never : at + tankStep,
  })
}

/** Starts a flush of the configured duration; without feed water only the status changes. */
export function flush(unit: Unit): void {
  const { water, flashMemory, spec, at } = unit
  if (water.phase === 'drawing' && spec.tank === undefined) water.pendingLitres += remainingLitres(unit)
  const { duration, volume } = flashMemory.settings.flush
  const valveFlow = canRun(unit) ? flushValve * Math.sqrt(feedWaterAt(unit, at, effectsAt(unit, at)).pressure) : 0
  const feed = volume > 0 ? Math.min(valveFlow, volume / (duration / 60)) : valveFlow
  Object.assign(water, {
    phase: 'flushing',
    flow: { ...noFlow, feed },
    endsAt: at + duration * msPerSecond,
    stepAt: never,
    idleFlushAt: never,
  })
}

/** Returns the litres of the current draw that have not flowed yet. */
const remainingLitres = ({ water, at }: Unit) => ((water.endsAt - at) / msPerMinute) * water.flow.permeate

/** Ends the current phase, at its end or because the water was shut off, and starts the next one. */
export function endPhase(unit: Unit): void {
  const { water, flashMemory, at } = unit
  const { phase, pendingLitres, endsAt } = water
  Object.assign(water, { phase: 'idle', flow: noFlow, endsAt: never, stepAt: never, pendingLitres: 0 })
  if (phase === 'flushing') {
    flashMemory.draws = 0
    if (canRun(unit)) water.concentrateTds = feedWaterAt(unit, at, effectsAt(unit, at)).tds
    if (pendingLitres > 0 || water.isFilling) draw(unit, pendingLitres)
  } else if (phase === 'drawing') {
    if (endsAt <= at) water.isFilling = false
    if (isFlushDue(unit, 1) && canRun(unit)) flush(unit)
    else if (flashMemory.settings.idle_protection > 0)
      water.idleFlushAt = at + flashMemory.settings.idle_protection * msPerMinute
  }
}

/** Integrates flows and salt over `time` milliseconds in which the phase does not change. */
export function integrate(unit: Unit, time: number): void {
  const { water, tally, spec, at } = unit
  const seconds = time / msPerSecond
  const { flow } = water
  if (water.phase === 'idle') {
    const factor = effectsAt(unit, at + time / 2).creep
    water.creep = creepAfterIdle(water.creep, water.concentrateTds, spec.site.mean.tds, time, factor)
    if (spec.faults.length > 0) addFeed(unit, (restFlow(unit, at + time / 2) * seconds) / 60, 0)
    return
  }
  const feed = (flow.feed * seconds) / 60
  const permeate = (flow.permeate * seconds) / 60
  addFeed(unit, feed, permeate)
  if (water.phase === 'flushing') {
    if (flow.feed > 0) water.creep = creepAfterFlush(water.creep, seconds)
    return
  }
  if (spec.tank !== undefined) water.tankLitres += permeate
  tally.seconds += seconds
  tally.salt += flow.permeateTds * seconds + saltFlushedOut(water.creep, seconds)
  tally.flowAt = at + time
  tally.flow = flow
  water.creep = creepAfterDraw(water.creep, seconds)
  water.permeateTds = flow.permeateTds + water.creep
  water.concentrateTds = flow.concentrateTds
}

/** Counts litres that have flowed. */
function addFeed({ flashMemory, tally }: Unit, feed: number, permeate: number): void {
  const { counters } = flashMemory
  flashMemory.counters = { feed: counters.feed + feed, permeate: counters.permeate + permeate }
  tally.feed += feed
  tally.permeate += permeate
}

/**
 * Returns the l/min of feed water that a fault lets through at rest, at the site's mean pressure: what leaks, and what a
 * shut-off valve that does not close lets past the membrane. None flows behind a closed valve or without supply.
 */
export function restFlow(unit: Unit, at: number): number {
  const { spec, flashMemory } = unit
  if (flashMemory.settings.valve_closed || flashMemory.resting === noFeedWater) return 0
  const { restLeak, restConcentrate, restrictor } = effectsAt(unit, at)
  return restLeak / 60 + restConcentrate * spec.membrane.restrictor * restrictor * Math.sqrt(spec.site.mean.pressure)
}
