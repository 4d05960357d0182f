/** One RO unit: what it is, what it remembers without power, and what goes on in it. */
import type { State, UpdateProgress } from '../../server/protocol/messages.ts'
import type { FleetDevice } from '../../server/protocol/fleetFile.ts'
import type { StatusCode } from '../../src/domain/device.ts'
import { bypassShare } from './bypass.ts'
import { membraneYears, pressureLeft, type Cartridge, type Counters } from './cartridges.ts'
import { failures, nextFailure } from './failures.ts'
import type { FirmwareUpdate } from './firmware.ts'
import { feedWater, type Site } from './feedWater.ts'
import { flowOf, noFlow, type Flow, type Membrane } from './membrane.ts'
import { random, type Random } from './random.ts'
import { minute } from './time.ts'
import { nextDraw, type Usage } from './usage.ts'

/** What stays as it is for as long as the unit exists. */
export interface Spec {
  readonly bssid: string
  readonly seed: number
  readonly site: Site
  readonly usage: Usage
  readonly membrane: Membrane
  /** % at which someone changes the batteries. */
  readonly batteriesChangedAt: number
}

export interface Settings extends Pick<FleetDevice, 'locked' | 'valve_closed' | 'flush' | 'bypass' | 'uv'> {
  /** Minutes. */
  readonly idle_protection: NonNullable<State['idle_protection']>
}

/** What its flash memory holds. */
export interface Memory {
  settings: Settings
  /** What it shows while nothing else goes on: Ready, or what is wrong. */
  resting: StatusCode
  /** When that is put right, milliseconds UTC; `null` where nobody sees to it. */
  rightedAt: number | null
  firmware: string
  /** The last update, where it failed. */
  failedUpdate: UpdateProgress | null
  power_mode: 0 | 1 | 2
  /** %; null without batteries. */
  battery: number | null
  counters: Counters
  cartridges: readonly Cartridge[]
  /** Draws since the last flush. */
  draws: number
}

/** What runs. */
export interface Water {
  phase: 'idle' | 'drawing' | 'flushing'
  flow: Flow
  /** When the draw or the flush ends, milliseconds UTC. */
  ends: number
  nextDraw: number
  /** When idle protection rinses. */
  idleFlush: number
  /** Litres that are drawn once the flush is over. */
  pending: number
  /** ppm that standing has added to the water on the permeate's side. */
  creep: number
  /** ppm of what stands before the membrane. */
  before: number
  /** ppm of the water that passed the permeate's sensor last. */
  last: number
}

/** Sums since they were taken last, of which readings and rollups are made. */
interface Tally {
  /** Litres. */
  feed: number
  permeate: number
  /** Seconds in which permeate flowed, and over them: litres and ppm·s. */
  seconds: number
  salt: number
  /** When permeate flowed last, and how. */
  flowAt: number | null
  flow: Flow
}

export const emptyTally = (): Tally => ({ feed: 0, permeate: 0, seconds: 0, salt: 0, flowAt: null, flow: noFlow })

export interface Unit {
  readonly spec: Spec
  readonly memory: Memory
  readonly dice: Random
  /** Nobody draws water, and nothing happens but what is commanded. */
  readonly calm: boolean
  /** Until when it has been reckoned, milliseconds UTC. */
  at: number
  water: Water
  updating: FirmwareUpdate | undefined
  nextFailure: number
  tally: Tally
  /** Positions of cartridges that were replaced and not told of yet. */
  replaced: number[]
}

const never = Number.POSITIVE_INFINITY

/**
 * A unit that is switched on at a moment, with clean water in it. The same spec, memory and moment give the same unit,
 * however often it is looked at. The memory is its own from then on.
 */
export function openUnit(
  spec: Spec,
  memory: Memory,
  at: number,
  { calm = false }: { readonly calm?: boolean } = {},
): Unit {
  const dice = random(spec.seed ^ Math.floor(at / minute))
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

/** What runs where water is drawn at a moment. */
export function flowAt(spec: Spec, memory: Memory, at: number): Flow {
  const { cartridges, counters, settings } = memory
  const water = feedWater(spec.site, at)
  const pressure = water.pressure * pressureLeft(cartridges, counters, at)
  return flowOf(spec.membrane, { ...water, pressure }, membraneYears(cartridges, at), bypassShare(settings.bypass))
}

/** Whether it can produce water in the state that it is in. */
export const canRun = ({ memory: { settings, resting }, updating }: Unit): boolean =>
  !settings.locked && !settings.valve_closed && (failures[resting]?.runs ?? true) && updating === undefined
