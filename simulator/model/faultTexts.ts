/** Slow faults as text, such as `fouling:0.3:90d`, and the sizes that each kind can have. */
import { msPerDay, msPerHour, msPerMinute, msPerSecond } from '../../src/domain/time.ts'
import { slowFaultKinds, slowFaults, type FaultCourse, type SlowFaultKind } from './slowFaults.ts'

/** The minimum and the maximum of a size, in the unit of the kind. No fault has a size of 0. */
type Sizes = readonly [min: number, max: number]

/** Of what is lost, a hundredth is left; of what is added there may be many times more. */
const lost: Sizes = [0, 0.99]
const added: Sizes = [0, 20]
const lostOrAdded: Sizes = [-0.99, 20]

const sizes: Readonly<Record<SlowFaultKind, Sizes>> = {
  fouling: lost,
  scaling: lost,
  oxidation: added,
  oring: [0, 1],
  prefilter: lost,
  sediment: lost,
  // A loose one lets several times as much through.
  restrictor: [-20, 0.99],
  pump: lost,
  'outlet-sensor': lostOrAdded,
  'inlet-sensor': lostOrAdded,
  'flow-sensor': lostOrAdded,
  'litre-counter': lostOrAdded,
  feed: lostOrAdded,
  // A negative one raises the pressure, at most to twice as much.
  'feed-pressure': [-1, 0.99],
  leak: added,
  'stuck-valve': [0, 1],
  creep: lostOrAdded,
  tank: lost,
  waterlogged: lost,
}

const canBe = (kind: SlowFaultKind, size: number): boolean => {
  const [min, max] = sizes[kind]
  return size !== 0 && size >= min && size <= max
}

/** Returns why a fault cannot have the size that its text gives; undefined if nothing is wrong with the size of its kind. */
export function sizeProblem(text: string): string | undefined {
  const [name, size] = text.split(':')
  const kind = slowFaultKinds.find(one => one === name)
  if (kind === undefined || size === undefined || canBe(kind, numberOf(size))) return undefined
  const [min, max] = sizes[kind]
  return `the size of ${kind} must be ${min === 0 ? 'above 0 and' : `other than 0, at least ${min} and`} at most ${max}`
}

const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text))

const units: Readonly<Record<string, number>> = { s: msPerSecond, m: msPerMinute, h: msPerHour, d: msPerDay }

/**
 * Parses `kind[:size[:duration]]`, such as `fouling:0.3:90d`; what is missing is the kind's usual case. Returns undefined
 * for anything else, and for a size that the kind cannot have.
 */
export function parseFault(text: string): FaultCourse | undefined {
  const [name, size, duration, ...rest] = text.split(':')
  const kind = slowFaultKinds.find(one => one === name)
  if (kind === undefined || rest.length > 0) return undefined
  const usual = slowFaults[kind]
  const [, amount, unit] = /^(\d+)([smhd])$/.exec(duration ?? '') ?? []
  if (duration !== undefined && amount === undefined) return undefined
  const sizeOf = size === undefined ? usual.size : numberOf(size)
  if (!canBe(kind, sizeOf)) return undefined
  return { kind, size: sizeOf, ramp: duration === undefined ? usual.ramp : Number(amount) * units[unit!]! }
}
