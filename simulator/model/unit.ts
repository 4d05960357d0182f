/** One RO unit: what it is built like, what its flash memory holds, and what goes on in it at the moment. */
import type { UpdateProgress } from '../../server/protocol/messages.ts'
import type { FleetDevice } from '../../server/protocol/fleetFile.ts'
import type { SettingStates } from '../../server/protocol/settings.ts'
import type { StatusCode } from '../../src/domain/device.ts'
import { bypassShare } from './bypass.ts'
import { membraneYears, pressureLeft, type Cartridge, type Counters } from './cartridges.ts'
import { failures, nextFailure } from './failures.ts'
import type { FirmwareUpdate } from './firmware.ts'
import { feedWater, type Site } from './feedWater.ts'
import { flowOf, noFlow, type Flow, type Membrane } from './membrane.ts'
import { random, type Random } from './random.ts'
import { msPerMinute } from '../../src/domain/time.ts'
import { nextDraw, type Usage } from './usage.ts'

/** What never changes about a unit. */
export interface Spec {
  readonly bssid: string
  readonly seed: number
  readonly site: Site
  readonly usage: Usage
  readonly membrane: Membrane
  /** % at which someone changes the batteries. */
  readonly batteriesChangedAt: number
}

export type Settings = SettingStates & Pick<FleetDevice, 'locked' | 'valve_closed'>

/** What its flash memory holds. */
export interface Memory {
  settings: Settings
  /** What it shows while nothing else goes on: Ready, or what is wrong. */
  resting: StatusCode
  /** When the failure is repaired, milliseconds UTC; `null` where nobody repairs it. */
  rightedAt: number | null
  firmware: string
  /** The last update of the firmware, if it failed. */
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
  ends: number
  nextDraw: number
  /** When idle protection flushes next, milliseconds UTC. */
  idleFlush: number
  /** Litres to draw once the flush is over. */
  pending: number
  /** ppm that salt creep has added to the standing water on the permeate's side. */
  creep: number
  /** ppm of the water before the membrane. */
  before: number
  /** ppm of the water that last passed the permeate's sensor. */
  last: number
}

/** Sums since the last reading; readings and rollups are made of them. */
interface Tally {
  /** Litres. */
  feed: number
  permeate: number
  /** Seconds in which permeate flowed, and over them: litres and ppm·s. */
  seconds: number
  salt: number
  /** When permeate last flowed, and the flow at that time. */
  flowAt: number | null
  flow: Flow
}

export const emptyTally = (): Tally => ({ feed: 0, permeate: 0, seconds: 0, salt: 0, flowAt: null, flow: noFlow })

export interface Unit {
  readonly spec: Spec
  readonly memory: Memory
  readonly dice: Random
  /** Nothing happens in it except commands: no draws, failures or wear. */
  readonly calm: boolean
  /** The moment that the unit has been simulated up to, milliseconds UTC. */
  at: number
  water: Water
  updating: FirmwareUpdate | undefined
  nextFailure: number
  tally: Tally
  /** Positions of cartridges whose replacement is not reported yet. */
  replaced: number[]
}

const never = Number.POSITIVE_INFINITY

/**
 * Returns a unit that is switched on at a moment, with clean water in it. The same spec, memory and moment give the
 * same unit, however often it is advanced. The unit keeps and changes `memory`.
 */
export function openUnit(
  spec: Spec,
  memory: Memory,
  at: number,
  { calm = false }: { readonly calm?: boolean } = {},
): Unit {
  const dice = random(spec.seed ^ Math.floor(at / msPerMinute))
  return {
    spec,
    memory,
    dice,
    calm,
    at,
    water: {
      phase: 'idle',
      flow: noFlow,
      ends: never,
      nextDraw: calm ? never : nextDraw(spec.usage, at, dice),
      idleFlush: never,
      pending: 0,
      creep: 0,
      before: spec.site.mean.tds,
      last: flowAt(spec, memory, at).permeateTds,
    },
    updating: undefined,
    nextFailure: calm ? never : nextFailure(at, dice),
    tally: emptyTally(),
    replaced: [],
  }
}

/** Returns the flow of a draw at a moment. */
export function flowAt(spec: Spec, memory: Memory, at: number): Flow {
  const { cartridges, counters, settings } = memory
  const water = feedWater(spec.site, at)
  const pressure = water.pressure * pressureLeft(cartridges, counters, at)
  return flowOf(spec.membrane, { ...water, pressure }, membraneYears(cartridges, at), bypassShare(settings.bypass))
}

/** Returns whether the unit can produce water in its present state. */
export const canRun = ({ memory: { settings, resting }, updating }: Unit): boolean =>
  !settings.locked && !settings.valve_closed && (failures[resting]?.runs ?? true) && updating === undefined
