/**
 * Slow faults: troubles that grow over days or weeks, or begin at once but stop nothing, beside the failures of failures.ts
 * that stop a unit. Each is a pure function from its size and the time since it began to what it changes, so that a
 * simulated fleet comes with labels that name what is wrong.
 */
import { msPerDay } from '../../src/domain/time.ts'
import type { ElementCondition } from './element.ts'
import { noise } from './random.ts'

/** Errors of sensors: factors of the true value. */
export interface SensorErrors {
  readonly feedTds: number
  readonly permeateTds: number
  readonly feedFlow: number
  readonly permeateFlow: number
  /** The counter of the permeate's litres. */
  readonly permeateCounter: number
}

/** What faults change in a unit and at its supply. Factors are 1 and the others 0 without a fault. */
export interface Effects extends ElementCondition {
  readonly leak: number
  /** Factor of the pressure that remains after the pre-filter while water runs. */
  readonly prefilter: number
  /** Factor of the pressure that the pump adds. */
  readonly pump: number
  /** Factors of the supply's water. */
  readonly supplyTds: number
  readonly supplyPressure: number
  /** Feed water that leaks at rest, l/h. */
  readonly restLeak: number
  /** Concentrate that flows at rest through a valve that does not close, as a share of its flow in use. */
  readonly restConcentrate: number
  /** Factor of the TDS creep. */
  readonly creep: number
  /** Factors of the tank's precharge pressure, and of the litres of its air. */
  readonly precharge: number
  readonly tankAir: number
  readonly sensors: SensorErrors
}

const exact: SensorErrors = { feedTds: 1, permeateTds: 1, feedFlow: 1, permeateFlow: 1, permeateCounter: 1 }
export const noEffects: Effects = {
  waterPermeability: 1,
  saltPermeability: 1,
  restrictor: 1,
  leak: 0,
  prefilter: 1,
  pump: 1,
  supplyTds: 1,
  supplyPressure: 1,
  restLeak: 0,
  restConcentrate: 0,
  creep: 1,
  precharge: 1,
  tankAir: 1,
  sensors: exact,
}

interface FaultDefinition {
  /** Size and duration of the usual case; a duration of 0 is a step. */
  readonly size: number
  readonly ramp: number
  /**
   * Returns what is changed when the fault has grown by `progress` (share) of `size`. `variation`, from −1 to 1, makes two
   * units with the same fault differ in what goes with it.
   */
  readonly effects: (size: number, progress: number, variation: number) => Partial<Effects>
}

/** Returns the factor that is left of something which loses `share` of itself; at least a hundredth. */
const left = (share: number) => Math.max(0.01, 1 - share)
const sensor = (errors: Partial<SensorErrors>): Partial<Effects> => ({ sensors: { ...exact, ...errors } })

/** The faults with their sizes in the usual unit: a share that is lost or added, unless a comment says otherwise. */
export const slowFaults = {
  /** Particles and biofilm on the membrane take this share of its flow. */
  fouling: {
    size: 0.3,
    ramp: 90 * msPerDay,
    effects: (size, progress, variation) => {
      const flow = left(size * progress)
      // The film holds salt back at the wall, about as much as the lower flux brings less of it there.
      return { waterPermeability: flow, saltPermeability: flow ** -(0.2 + 0.1 * variation) }
    },
  },
  /** Carbonate takes this share of the flow, faster and faster, lets salt pass and grows in the restrictor. */
  scaling: {
    size: 0.45,
    ramp: 90 * msPerDay,
    effects: (size, progress, variation) => {
      const flow = left(size * progress ** 1.6)
      return {
        waterPermeability: flow,
        saltPermeability: flow ** -(0.5 + 0.12 * variation),
        restrictor: flow ** (0.3 + 0.1 * variation),
      }
    },
  },
  /** Chlorine adds this share to the salt passage, and a fifth of it to the flow. */
  oxidation: {
    size: 1,
    ramp: 90 * msPerDay,
    effects: (size, progress, variation) => {
      const salt = 1 + size * progress
      return { saltPermeability: salt, waterPermeability: salt ** (0.2 + 0.07 * variation) }
    },
  },
  /** Feed-side water leaks past an O-ring or seal, by this share of the permeate. */
  oring: { size: 0.03, ramp: 0, effects: (size, progress) => ({ leak: size * progress }) },
  /** A clogged pre-filter takes this share of the pressure while water runs. */
  prefilter: { size: 0.3, ramp: 45 * msPerDay, effects: (size, progress) => ({ prefilter: left(size * progress) }) },
  /** Sediment clogs the pre-filter, faster and faster, because fewer pores are left for the same water, and takes this share of the pressure. */
  sediment: {
    size: 0.3,
    ramp: 90 * msPerDay,
    effects: (size, progress) => ({ prefilter: left(size * progress ** 2) }),
  },
  /** The restrictor clogs by this share; negative, it is loose or the flush valve stays open. */
  restrictor: { size: 0.5, ramp: 40 * msPerDay, effects: (size, progress) => ({ restrictor: left(size * progress) }) },
  /** The pump of a boosted unit loses this share of the pressure that it adds; nothing changes without a pump. */
  pump: { size: 0.3, ramp: 60 * msPerDay, effects: (size, progress) => ({ pump: left(size * progress) }) },
  /** The sensor of the permeate's TDS reads more by this share; negative, less. */
  'outlet-sensor': {
    size: 0.6,
    ramp: 90 * msPerDay,
    effects: (size, progress) => sensor({ permeateTds: left(-size * progress) }),
  },
  /** The sensor of the feed's TDS reads more by this share; negative, less. */
  'inlet-sensor': {
    size: -0.35,
    ramp: 90 * msPerDay,
    effects: (size, progress) => sensor({ feedTds: left(-size * progress) }),
  },
  /** The permeate's flow sensor reads more by this share; negative, less. The litres stay true. */
  'flow-sensor': {
    size: -0.25,
    ramp: 60 * msPerDay,
    effects: (size, progress) => sensor({ permeateFlow: left(-size * progress) }),
  },
  /** The counter of the permeate's litres counts more by this share; negative, less. The flow stays true. */
  'litre-counter': {
    size: -0.25,
    ramp: 60 * msPerDay,
    effects: (size, progress) => sensor({ permeateCounter: left(-size * progress) }),
  },
  /** The supply's water has more TDS by this share. Of the whole supply. */
  feed: { size: 0.6, ramp: 2 * msPerDay, effects: (size, progress) => ({ supplyTds: left(-size * progress) }) },
  /** The supply loses this share of its pressure. Of the whole supply. */
  'feed-pressure': {
    size: 0.3,
    ramp: 0,
    effects: (size, progress) => ({ supplyPressure: left(size * progress) }),
  },
  /** Feed water leaks at rest, l/h. */
  leak: { size: 0.5, ramp: 0, effects: (size, progress) => ({ restLeak: size * progress }) },
  /** The shut-off valve does not close: concentrate flows at rest, by this share of its flow in use. */
  'stuck-valve': { size: 1, ramp: 0, effects: (size, progress) => ({ restConcentrate: size * progress }) },
  /** More salt passes at rest by this share. */
  creep: { size: 1, ramp: 60 * msPerDay, effects: (size, progress) => ({ creep: left(-size * progress) }) },
  /** The tank loses this share of its precharge; nothing changes without a tank. */
  tank: { size: 0.8, ramp: 60 * msPerDay, effects: (size, progress) => ({ precharge: left(size * progress) }) },
  /** Water gets into the tank's air and takes this share of its place; nothing changes without a tank. */
  waterlogged: { size: 0.5, ramp: 60 * msPerDay, effects: (size, progress) => ({ tankAir: left(size * progress) }) },
} as const satisfies Record<string, FaultDefinition>

export type SlowFaultKind = keyof typeof slowFaults
export const slowFaultKinds = Object.keys(slowFaults) as SlowFaultKind[]

/** The kind of cartridge (as in the API) whose replacement ends a fault. */
const endedBy: Readonly<Partial<Record<SlowFaultKind, number>>> = {
  fouling: 2,
  scaling: 2,
  oxidation: 2,
  oring: 2,
  creep: 2,
  prefilter: 0,
  sediment: 0,
}

/** Returns the faults that no replacement of a cartridge has ended since they began. */
export const remainingFaults = (
  faults: readonly SlowFault[],
  cartridges: readonly { readonly kind: number; readonly installedAt: number }[],
): readonly SlowFault[] =>
  faults.filter(
    ({ kind, began }) =>
      !cartridges.some(cartridge => cartridge.kind === endedBy[kind] && cartridge.installedAt > began),
  )

/** Kinds that concern a supply and with it all its devices. */
export const supplyFaults: ReadonlySet<SlowFaultKind> = new Set(['feed', 'feed-pressure'])

/** A fault without the unit that has it. */
export interface FaultCourse {
  readonly kind: SlowFaultKind
  /** Final size, in the unit of the kind. */
  readonly size: number
  /** Milliseconds from its beginning until it has this size; 0 for a step. */
  readonly ramp: number
}

/** A fault of a unit. */
export interface SlowFault extends FaultCourse {
  /** Milliseconds UTC. */
  readonly began: number
  /** Makes what goes with the fault differ between units. */
  readonly seed: number
}

/** Returns how far a fault has grown at a time, as a share of its final size. */
export const progressOf = ({ began, ramp }: Pick<SlowFault, 'began' | 'ramp'>, at: number): number =>
  at < began ? 0 : ramp <= 0 ? 1 : Math.min(1, (at - began) / ramp)

/** Returns when one of the faults next begins or stops growing after a time, milliseconds UTC; `Infinity` if none does. */
export function nextChange(faults: readonly SlowFault[], after: number): number {
  let next = Number.POSITIVE_INFINITY
  for (const { began, ramp } of faults) for (const at of [began, began + ramp]) if (at > after && at < next) next = at
  return next
}

/** Returns what the faults of a unit change at a time, all together. */
export function effectsOf(faults: readonly SlowFault[], at: number): Effects {
  if (faults.length === 0) return noEffects
  let total = noEffects
  for (const fault of faults) {
    const progress = progressOf(fault, at)
    if (progress === 0) continue
    const definition: FaultDefinition = slowFaults[fault.kind]
    total = combined(total, definition.effects(fault.size, progress, 2 * noise(fault.seed, 77) - 1))
  }
  return total
}

/** Returns effects with others added: factors are multiplied, and leaks summed. */
const combined = (one: Effects, other: Partial<Effects>): Effects => ({
  waterPermeability: one.waterPermeability * (other.waterPermeability ?? 1),
  saltPermeability: one.saltPermeability * (other.saltPermeability ?? 1),
  restrictor: one.restrictor * (other.restrictor ?? 1),
  leak: one.leak + (other.leak ?? 0),
  prefilter: one.prefilter * (other.prefilter ?? 1),
  pump: one.pump * (other.pump ?? 1),
  supplyTds: one.supplyTds * (other.supplyTds ?? 1),
  supplyPressure: one.supplyPressure * (other.supplyPressure ?? 1),
  restLeak: one.restLeak + (other.restLeak ?? 0),
  restConcentrate: Math.min(1, one.restConcentrate + (other.restConcentrate ?? 0)),
  creep: one.creep * (other.creep ?? 1),
  precharge: one.precharge * (other.precharge ?? 1),
  tankAir: one.tankAir * (other.tankAir ?? 1),
  sensors: {
    feedTds: one.sensors.feedTds * (other.sensors?.feedTds ?? 1),
    permeateTds: one.sensors.permeateTds * (other.sensors?.permeateTds ?? 1),
    feedFlow: one.sensors.feedFlow * (other.sensors?.feedFlow ?? 1),
    permeateFlow: one.sensors.permeateFlow * (other.sensors?.permeateFlow ?? 1),
    permeateCounter: one.sensors.permeateCounter * (other.sensors?.permeateCounter ?? 1),
  },
})
