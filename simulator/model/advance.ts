/** Lets a unit live until a moment: exactly, from one event to the next, so that it does not matter how often. */
import { replace } from './cartridges.ts'
import { failureAt, nextFailure } from './failures.ts'
import { beginUpdate, nextProgress, progressAt } from './firmware.ts'
import { canRun, type Unit } from './unit.ts'
import { nextDraw } from './usage.ts'
import { draw, flush, integrate, stop } from './water.ts'
import { msPerDay, msPerHour } from '../../src/domain/time.ts'

const never = Number.POSITIVE_INFINITY

/** When something happens next in it by itself, milliseconds UTC; infinite where nothing does. */
export function nextEvent({ at, water, memory, nextFailure: failure, updating, calm }: Unit): number {
  let next = Math.min(water.ends, water.nextDraw, water.idleFlush, failure)
  if (memory.rightedAt !== null) next = Math.min(next, memory.rightedAt)
  if (updating !== undefined) next = Math.min(next, nextProgress(updating, at))
  if (!calm) for (const { replacedAt } of memory.cartridges) next = Math.min(next, replacedAt)
  return next
}

/** Lets it live until then; a moment that has been changes nothing. */
export function advance(unit: Unit, until: number): void {
  while (unit.at < until) {
    const next = Math.min(until, nextEvent(unit))
    if (next > unit.at) {
      integrate(unit, next - unit.at)
      drain(unit, next - unit.at)
      unit.at = next
    }
    happen(unit)
  }
}

/** Begins what its status says that it is doing: one that is Working draws, one that updates its firmware does that. */
export function begin(unit: Unit): void {
  const { memory, dice, at } = unit
  const doing = memory.resting
  if (unit.calm || (doing !== 1 && doing !== 2 && doing !== 6)) return
  memory.resting = 0
  if (doing === 1) draw(unit)
  else if (doing === 2) flush(unit)
  else unit.updating = beginUpdate(memory.firmware, at, dice)
}

/** What is due by now, one after the other. */
function happen(unit: Unit): void {
  const { water, memory, spec, dice, at } = unit
  if (water.ends <= at) stop(unit)
  if (water.idleFlush <= at) {
    water.idleFlush = never
    if (canRun(unit)) flush(unit)
  }
  if (water.nextDraw <= at) {
    draw(unit)
    water.nextDraw = nextDraw(spec.usage, at, dice)
  }
  if (memory.rightedAt !== null && memory.rightedAt <= at) {
    memory.resting = 0
    memory.rightedAt = null
  }
  if (unit.nextFailure <= at) fail(unit)
  if (unit.updating !== undefined && nextProgress(unit.updating, at) === never) endUpdate(unit)
  if (!unit.calm) replaceWorn(unit)
}

/** Something breaks, unless something is broken already. */
function fail(unit: Unit): void {
  const { memory, dice, at } = unit
  unit.nextFailure = nextFailure(at, dice)
  if (memory.resting !== 0) return
  const { status, ends } = failureAt(at, dice)
  memory.resting = status
  memory.rightedAt = ends
  if (!canRun(unit) && unit.water.phase !== 'idle') stop(unit)
}

function endUpdate(unit: Unit): void {
  const { memory, updating, at } = unit
  if (updating === undefined) return
  memory.failedUpdate = progressAt(updating, at)
  if (memory.failedUpdate === null) memory.firmware = updating.version
  unit.updating = undefined
}

function replaceWorn(unit: Unit): void {
  const { memory, dice, at } = unit
  if (!memory.cartridges.some(one => one.replacedAt <= at)) return
  memory.cartridges = memory.cartridges.map((one, position) => {
    if (one.replacedAt > at) return one
    unit.replaced.push(position)
    return replace(one, memory.counters, at, dice)
  })
}

/**
 * % of the batteries: a set lasts for a year and a half of waiting, or for 150 hours of work; the lamp takes as much.
 */
const waiting = 100 / (550 * msPerDay)
const working = 100 / (150 * msPerHour)
/** %; a set that is replaced has this much. */
const full = 100

function drain(unit: Unit, time: number): void {
  const { memory, water, spec, calm } = unit
  if (memory.battery === null || calm) return
  const lamp = memory.settings.uv === 1 ? 2 : 1
  const left = memory.battery - time * (water.phase === 'idle' ? waiting : working * lamp)
  memory.battery = left > spec.batteriesChangedAt ? left : full
}
