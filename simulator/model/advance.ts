/**
 * Advances a unit in time, exactly from one event to the next, so that the result does not depend on the number of
 * calls.
 */
import { newCartridge } from './cartridges.ts'
import { nextFailure, randomFailure } from './failures.ts'
import { beginUpdate, nextProgress, progressAt } from './firmware.ts'
import { nextChange } from './slowFaults.ts'
import { canRun, type Unit } from './unit.ts'
import { nextDraw } from './usage.ts'
import { draw, endPhase, fillTank, flush, integrate } from './water.ts'
import { msPerDay, msPerHour } from '../../src/domain/time.ts'

const never = Number.POSITIVE_INFINITY

/** Returns the time of the unit's next event, milliseconds UTC; `Infinity` without one. */
export function nextEvent({ at, water, flashMemory, spec, nextFailureAt, updating, commandsOnly }: Unit): number {
  let next = Math.min(water.endsAt, water.stepAt, water.nextDrawAt, water.idleFlushAt, nextFailureAt)
  if (spec.faults.length > 0) next = Math.min(next, nextChange(spec.faults, at))
  if (flashMemory.rightedAt !== null) next = Math.min(next, flashMemory.rightedAt)
  if (updating !== undefined) next = Math.min(next, nextProgress(updating, at))
  if (!commandsOnly) for (const { replacedAt } of flashMemory.cartridges) next = Math.min(next, replacedAt)
  return next
}

/** Advances the unit to a time, milliseconds UTC; a time in the past has no effect. */
export function advance(unit: Unit, until: number): void {
  while (unit.at < until) {
    const next = Math.min(until, nextEvent(unit))
    if (next > unit.at) {
      integrate(unit, next - unit.at)
      drainBattery(unit, next - unit.at)
      unit.at = next
    }
    processDueEvents(unit)
  }
}

/** Starts the activity of the unit's initial status: a draw (1), a flush (2) or a firmware update (6). */
export function resumeActivity(unit: Unit): void {
  const { flashMemory, rng, at } = unit
  const activity = flashMemory.resting
  if (unit.commandsOnly || (activity !== 1 && activity !== 2 && activity !== 6)) return
  flashMemory.resting = 0
  if (activity === 1) draw(unit)
  else if (activity === 2) flush(unit)
  else unit.updating = beginUpdate(flashMemory.firmware, at, rng)
}

/** Processes the events that are due. */
function processDueEvents(unit: Unit): void {
  const { water, flashMemory, spec, rng, at } = unit
  if (water.endsAt <= at) endPhase(unit)
  if (water.stepAt <= at && spec.tank !== undefined) fillTank(unit, spec.tank)
  if (water.idleFlushAt <= at) {
    water.idleFlushAt = never
    if (canRun(unit)) flush(unit)
  }
  if (water.nextDrawAt <= at) {
    draw(unit)
    water.nextDrawAt = nextDraw(spec.usage, at, rng)
  }
  if (flashMemory.rightedAt !== null && flashMemory.rightedAt <= at) {
    flashMemory.resting = 0
    flashMemory.rightedAt = null
  }
  if (unit.nextFailureAt <= at) startFailure(unit)
  if (unit.updating !== undefined && nextProgress(unit.updating, at) === never) endUpdate(unit)
  if (!unit.commandsOnly) replaceDueCartridges(unit)
}

/** Starts a random failure, unless the unit has one already. */
function startFailure(unit: Unit): void {
  const { flashMemory, rng, at } = unit
  unit.nextFailureAt = nextFailure(at, rng)
  if (flashMemory.resting !== 0) return
  const { status, repairedAt } = randomFailure(at, rng)
  flashMemory.resting = status
  flashMemory.rightedAt = repairedAt
  if (!canRun(unit) && unit.water.phase !== 'idle') endPhase(unit)
}

/** Ends a firmware update: installs the version, or stores how the update failed. */
function endUpdate(unit: Unit): void {
  const { flashMemory, updating, at } = unit
  if (updating === undefined) return
  flashMemory.failedUpdate = progressAt(updating, at)
  if (flashMemory.failedUpdate === null) flashMemory.firmware = updating.version
  unit.updating = undefined
}

/** Replaces the cartridges that are due. */
function replaceDueCartridges(unit: Unit): void {
  const { flashMemory, rng, at } = unit
  if (!flashMemory.cartridges.some(({ replacedAt }) => replacedAt <= at)) return
  flashMemory.cartridges = flashMemory.cartridges.map((cartridge, position) => {
    if (cartridge.replacedAt > at) return cartridge
    unit.replaced.push(position)
    return newCartridge(cartridge, flashMemory.counters, at, rng)
  })
}

/**
 * Battery use in % per millisecond: a set lasts 550 days while idle, or 150 hours while water runs; the UV lamp doubles
 * the latter.
 */
const idleDrain = 100 / (550 * msPerDay)
const runningDrain = 100 / (150 * msPerHour)
/** % of a new set of batteries. */
const fullBattery = 100

/** Discharges the batteries over `time` milliseconds; exhausted ones are replaced. */
function drainBattery(unit: Unit, time: number): void {
  const { flashMemory, water, spec, commandsOnly } = unit
  if (flashMemory.battery === null || commandsOnly) return
  const lampFactor = flashMemory.settings.uv === 1 ? 2 : 1
  const remaining = flashMemory.battery - time * (water.phase === 'idle' ? idleDrain : runningDrain * lampFactor)
  flashMemory.battery = remaining > spec.batteriesChangedAt ? remaining : fullBattery
}
