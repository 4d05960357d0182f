/** An RO unit: its specification, its flash memory, and its current physical state. */
import type { UpdateProgress } from '../../server/protocol/messages.ts'
import type { FleetDevice } from '../../server/protocol/fleetFile.ts'
import type { SettingStates } from '../../server/protocol/settings.ts'
import type { StatusCode } from '../../src/domain/device.ts'
import { bypassBlend } from './bypass.ts'
import { membraneYears, remainingPressureShare, type Cartridge, type Counters } from './cartridges.ts'
import { failures, nextFailure } from './failures.ts'
import type { FirmwareUpdate, UpdateOutcome } from './firmware.ts'
import type { FeedWater, Site } from './feedWater.ts'
import { noFlow, type Flow } from './element.ts'
import { flowOf, type Membrane } from './membrane.ts'
import { random, type Random } from './random.ts'
import { effectsOf, noEffects, remainingFaults, type Effects, type SlowFault } from './slowFaults.ts'
import { suppliedWater } from './supplies.ts'
import type { Tank } from './tank.ts'
import { msPerMinute } from '../../src/domain/time.ts'
import { nextDraw, type Usage } from './usage.ts'

/** Constant properties of a unit. */
export interface Spec {
  readonly bssid: string
  readonly seed: number
  readonly site: Site
  readonly usage: Usage
  readonly membrane: Membrane
  /** l/min that the bypass adds in each state of its valve; undefined for shares of the permeate. */
  readonly bypassRates: readonly number[] | undefined
  /** Pressure in bar that the pump adds while water runs; 0 without a pump. */
  readonly boost: number
  readonly tank: Tank | undefined
  /** The slow faults that the unit has or will have. */
  readonly faults: readonly SlowFault[]
  /** Battery level in % at which the batteries are replaced. */
  readonly batteriesChangedAt: number
}

export type Settings = SettingStates & Pick<FleetDevice, 'locked' | 'valve_closed'>

/** Content of the flash memory, which is stored between runs. */
export interface FlashMemory {
  settings: Settings
  /** The status while no water runs and no update is in progress: 0 (ready), or that of a failure. */
  resting: StatusCode
  /** When the failure is repaired, milliseconds UTC; `null` without a failure, or if it is permanent. */
  rightedAt: number | null
  firmware: string
  /** The last firmware update if it failed. */
  failedUpdate: UpdateProgress | null
  power_mode: 0 | 1 | 2
  /** %; null without batteries. */
  battery: number | null
  counters: Counters
  cartridges: readonly Cartridge[]
  /** Draws since the last flush. */
  draws: number
}

/** The water in the unit. */
export interface Water {
  phase: 'idle' | 'drawing' | 'flushing'
  flow: Flow
  /** When the draw or the flush ends, milliseconds UTC. */
  endsAt: number
  /** When the flow is computed anew, because a tank fills, milliseconds UTC. */
  stepAt: number
  /** Litres in the tank, and whether the membrane fills it until it is full. */
  tankLitres: number
  isFilling: boolean
  /** When the next draw begins, milliseconds UTC. */
  nextDrawAt: number
  /** When idle protection flushes next, milliseconds UTC. */
  idleFlushAt: number
  /** Litres to draw after the flush. */
  pendingLitres: number
  /** ppm that TDS creep has added on the permeate's side of the membrane. */
  creep: number
  /** TDS of the water on the feed's side of the membrane, ppm. */
  concentrateTds: number
  /** TDS of the permeate that last passed the sensor, ppm. */
  permeateTds: number
}

/** Sums since the last reading, from which readings and rollups are computed. */
interface Tally {
  /** Litres. */
  feed: number
  permeate: number
  /** Seconds in which permeate flowed. */
  seconds: number
  /** Integral of the permeate's TDS over these seconds, ppm·s. */
  salt: number
  /** When permeate last flowed, and the flow at that time. */
  flowAt: number | null
  flow: Flow
}

export const emptyTally = (): Tally => ({ feed: 0, permeate: 0, seconds: 0, salt: 0, flowAt: null, flow: noFlow })

export interface Unit {
  readonly spec: Spec
  readonly flashMemory: FlashMemory
  readonly rng: Random
  /** Whether only commands have an effect: there are no draws, failures or wear. */
  readonly commandsOnly: boolean
  /** Returns how an update to a version ends; undefined if that is left to chance. */
  readonly updateOutcome: (version: string) => UpdateOutcome | undefined
  /** The simulated time, milliseconds UTC. */
  at: number
  water: Water
  updating: FirmwareUpdate | undefined
  nextFailureAt: number
  tally: Tally
  /** Positions of cartridges whose replacement is not reported yet. */
  replaced: number[]
}

const never = Number.POSITIVE_INFINITY

/**
 * Returns a unit that is switched on at a time (milliseconds UTC), with clean water in it. The same spec, memory and
 * time give the same unit, however often it is advanced. The unit modifies `flashMemory`.
 */
export function openUnit(
  spec: Spec,
  flashMemory: FlashMemory,
  at: number,
  { commandsOnly = false, updateOutcome = () => undefined }: Partial<Pick<Unit, 'commandsOnly' | 'updateOutcome'>> = {},
): Unit {
  const rng = random(spec.seed ^ Math.floor(at / msPerMinute))
  return {
    spec,
    flashMemory,
    rng,
    commandsOnly,
    updateOutcome,
    at,
    water: {
      phase: 'idle',
      flow: noFlow,
      endsAt: never,
      stepAt: never,
      // Full; more than a tank can hold counts as that.
      tankLitres: Number.POSITIVE_INFINITY,
      isFilling: false,
      nextDrawAt: commandsOnly ? never : nextDraw(spec.usage, at, rng),
      idleFlushAt: never,
      pendingLitres: 0,
      creep: 0,
      concentrateTds: spec.site.mean.tds,
      permeateTds: flowAt({ spec, flashMemory }, at).permeateTds,
    },
    updating: undefined,
    nextFailureAt: commandsOnly ? never : nextFailure(at, rng),
    tally: emptyTally(),
    replaced: [],
  }
}

/** The parts of a unit that determine its water. */
type Plumbing = Pick<Unit, 'spec' | 'flashMemory'>

/** Returns what the unit's slow faults change at a time. */
export const effectsAt = ({ spec, flashMemory }: Plumbing, at: number): Effects =>
  spec.faults.length === 0 ? noEffects : effectsOf(remainingFaults(spec.faults, flashMemory.cartridges), at)

/** Returns the unit's feed water at a time, with its pressure while no water runs. */
export const feedWaterAt = ({ spec }: Pick<Unit, 'spec'>, at: number, effects: Effects): FeedWater =>
  suppliedWater(spec.site, at, effects)

/** Returns the pressure before the membrane while water runs, after the pre-filters and the pump; `resting` without flow. */
export const runningPressure = (
  { spec, flashMemory }: Plumbing,
  at: number,
  resting: number,
  effects: Effects,
): number =>
  resting * remainingPressureShare(flashMemory.cartridges, flashMemory.counters, at) * effects.prefilter +
  spec.boost * effects.pump

/** Returns the flow of a draw at a time; `permeatePressure` (bar) is that of a tank that fills. */
export function flowAt(unit: Plumbing, at: number, permeatePressure = 0): Flow {
  const { spec, flashMemory } = unit
  const effects = effectsAt(unit, at)
  const water = feedWaterAt(unit, at, effects)
  const pressure = runningPressure(unit, at, water.pressure, effects)
  return flowOf(
    spec.membrane,
    { ...water, pressure, permeatePressure },
    {
      years: membraneYears(flashMemory.cartridges, at),
      blend: bypassBlend(flashMemory.settings.bypass, spec.bypassRates),
      condition: effects,
    },
  )
}

/** Returns whether the unit can produce water in its current state. */
export const canRun = ({ flashMemory: { settings, resting }, updating }: Unit): boolean =>
  !settings.locked && !settings.valve_closed && (failures[resting]?.runs ?? true) && updating === undefined
