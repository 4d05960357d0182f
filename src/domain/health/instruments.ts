/** How far sensors of household devices wander, and what that does to each channel: no change below it is a finding. */
import { feedBrineConcentration, osmoticPressure, polarisationFactor, temperatureCorrection } from '../normalise.ts'
import { hasTank } from './channelState.ts'
import { median } from './maths/median.ts'
import { maxBypassShare } from '../ro.ts'
import { liftScale } from './pressure/pump.ts'
import { closesAt } from './maths/tank.ts'
import type { Channel } from './types/channels.ts'
import type { HealthContext } from './types/context.ts'
import type { HealthState } from './types/state.ts'

/** What is measured, and the error that each sensor has slowly taken on, as standard deviations of ln (of °C for `T`). */
export const sensors = [
  'permeateFlow',
  'feedFlow',
  'counter',
  'feedTds',
  'permeateTds',
  'pressure',
  'T',
  'filling',
  'osmosis',
  'bypass',
  'flux',
] as const
export type Sensor = (typeof sensors)[number]
export const wander: Readonly<Record<Sensor, number>> = {
  permeateFlow: 0.02,
  feedFlow: 0.02,
  /** Relative error of the permeate's litres. */
  counter: 0.015,
  feedTds: 0.03,
  permeateTds: 0.03,
  pressure: 0.008,
  T: 0.15,
  /** No sensor: what makes a tank's air uncertain, as much as its gain says. */
  filling: 1,
  /** No sensor: how far the formula of osmotic pressure, and the TDS that it takes, are from the truth. Both stay the same. */
  osmosis: 0.15,
  /** No sensor: how far the bypass lets through more or less than the model says, as its flow follows √pressure. */
  bypass: 0.05,
  /** No sensor: how salt passage changes with the flux of the membrane, which its formula leaves out, for a change of ln pressure. */
  flux: 0.25,
}

/** Change of ln permeability with 1 °C: a typical value. */
const perDegree = 0.034

/** Share of the errors of a tank's air that the flow has, which is taken at the end of each run. */
const fillingShare = 1

/**
 * Change of a tank's air, as ln, with that of the osmotic pressure, in multiples of the net driving pressure at the end of a run:
 * its pressure at the start of a run is computed from both. By Boyle's law 1.5 to 1.6 from 3 to 5 bar.
 */
const airPerOsmosis = 1.5

/** How channels follow the sensors: the change of a channel with ln of what a sensor shows. */
export type Gains = Readonly<Partial<Record<Channel, Readonly<Partial<Record<Sensor, number>>>>>>

/** Where a device works, as far as its errors follow from it. */
interface WorkingPoint {
  /** Share from 0 to 1. */
  readonly recovery: number
  /** The permeate's salt over that of the membrane: what a bypass adds is taken out, and the errors remain. */
  readonly blend: number
  /** How far running over resting pressure has moved within two weeks, as ln. */
  readonly moved: number
  /** Standard deviation of its tank's air, as ln; 0 without one. */
  readonly filling: number
  /** Osmotic pressure over the net driving pressure at which its flow is taken: now, and when its baseline was learned. */
  readonly osmosis: number
  readonly learnedOsmosis: number
}

/** Returns the gains at a working point: the concentrate is a difference, so r suffers from errors of both flows. */
export function gainsAt({ recovery, blend, moved, filling, osmosis, learnedOsmosis }: WorkingPoint): Gains {
  const share = Math.min(0.85, Math.max(0.1, recovery))
  // A bypass that adds 1 % more, or a permeate flow of 1 % less, takes (blend − 1) % of the membrane's salt.
  const salt = {
    permeateFlow: blend,
    feedTds: -blend,
    permeateTds: blend,
    bypass: 1 - blend,
    flux: moved * blend,
    T: -1.15 * perDegree,
  } as const
  return {
    a: {
      permeateFlow: 1,
      feedTds: osmosis,
      pressure: -(1 + osmosis),
      T: -perDegree,
      filling: fillingShare * filling,
      osmosis: osmosis - learnedOsmosis,
    },
    b: salt,
    brief: salt,
    r: { permeateFlow: -share / (1 - share), feedFlow: 1 / (1 - share), pressure: -0.5 },
    f: { feedTds: 1 },
    h: { pressure: 1 },
    p: { pressure: 1 },
    meter: { permeateFlow: -1, counter: 1 },
    tank: {
      counter: 1,
      filling,
      feedTds: airPerOsmosis * osmosis,
      osmosis: airPerOsmosis * (osmosis - learnedOsmosis),
    },
  }
}

/** Returns the covariance of two channels through wandering sensors. */
export function wanderCovariance(gains: Gains, one: Channel, other: Channel): number {
  const [first, second] = [gains[one], gains[other]]
  if (first === undefined || second === undefined) return 0
  let sum = 0
  for (const sensor of sensors) sum += (first[sensor] ?? 0) * (second[sensor] ?? 0) * wander[sensor] ** 2
  return sum
}

/** What the errors of a channel are computed from. */
export interface Noise {
  readonly gains: Gains
  /** As in `WorkingPoint`. */
  readonly blend: number
  /** Standard deviation of ageing between devices in a year. */
  readonly spread: number
}

/** Recovery where it is not known. */
export const usualRecovery = 0.4
/** The membrane's salt is at least this share of the bypass's; the errors that a bypass leaves are limited to this factor. */
const minOwnFactor = 1.02
const maxBlend = 50

/** The largest blend with which the membrane's salt alone says something: the errors of both TDS sensors are 17 % then. */
export const knownBlend = 4

/** Whether the membrane's salt is known, and not only a small difference to what the bypass adds. */
export const isSaltKnown = (blend: number): boolean => blend <= knownBlend

/**
 * Returns how many times larger the errors of salt are because of the bypass; `share` as in `HealthContext`. It is the larger of
 * what the measured passage says, and what the channel b does, which is the membrane's own salt, now or when its baseline was
 * learned: where that was less, what the bypass added was more of the whole, and the baseline is the more uncertain of the two.
 */
export function blendOf(state: Pick<HealthState, 'rejection' | 'channels' | 'recovery'>, share: number): number {
  if (share === 0) return 1
  const passage = (1 - (state.rejection ?? 0.93)) * (1 + share)
  const measured = passage > share * minOwnFactor ? passage / (passage - share) : maxBlend
  const own = ownPassage(state)
  return Math.min(maxBlend, own === undefined ? measured : Math.max(measured, 1 + share / own))
}

/** Returns the membrane's own permeate over feed TDS, the least of now and of its baseline; undefined where it is not known. */
function ownPassage({ channels, recovery }: Pick<HealthState, 'channels' | 'recovery'>): number | undefined {
  const flow = membraneFlow({ channels })
  const salt = channels.b ?? channels.brief
  if (flow === undefined || salt === undefined || salt.raw.length === 0) return undefined
  const lowest = Math.min(median(salt.raw), salt.baseline ?? Infinity)
  const brine = feedBrineConcentration(1, recovery ?? usualRecovery)
  return (Math.exp(lowest) * brine * temperatureCorrection(usualTemperature)) / flow
}

/** Change of running over resting pressure, as ln, that is the scatter of days. */
const usualMove = 0.05

/** Returns how far running over resting pressure has moved in the days that are kept, as ln. */
function movedPressure({ lifts }: HealthState): number {
  if (lifts === undefined) return 0
  let [min, max] = [Infinity, -Infinity]
  for (const lift of lifts) {
    if (lift < min) min = lift
    if (lift > max) max = lift
  }
  return Math.max(0, (max - min) / liftScale - usualMove)
}

/** What a device's errors are computed from. */
export function noiseOf(
  state: HealthState,
  { priors, bypass_share: share }: Pick<HealthContext, 'priors' | 'bypass_share'>,
): Noise {
  const blend = blendOf(state, share)
  const recovery = state.recovery ?? usualRecovery
  return {
    blend,
    gains: gainsAt({
      recovery,
      blend,
      moved: movedPressure(state),
      filling: fillingError(state),
      ...osmosisOf(state, recovery),
    }),
    spread: priors.spread,
  }
}

/** What a tank's air is uncertain by, as ln: at least, and l/min of rounding over the flow at the end of a run. */
const minFillingError = 0.03
const flowStep = 0.0045
/** Net driving pressure at the end of a usual run, bar. */
const usualEnd = 1.2

/** Returns how uncertain the air of a device's tank is, as ln: the flow at the end of its runs is small. */
function fillingError(state: HealthState): number {
  const { a } = state.channels
  if (!hasTank(state)) return 0
  const open = a === undefined || a.baseline === null ? 1 : Math.exp(a.baseline + a.level)
  return minFillingError + flowStep / (usualEnd * open)
}

/** Share of the driving pressure that osmotic pressure takes where it is not known, and at most. */
export const usualOsmosis = 0.08
const maxOsmosis = 3
/** °C, which is enough for what changes little with it: osmotic pressure by 0.3 % with 1 °C, and flow by 3 %. */
const usualTemperature = 15

/** Returns the pressure before the membrane while water runs, bar; undefined where it is not known. */
export const runningPressure = ({ h, p }: HealthState['channels']): number | undefined =>
  h === undefined || h.raw.length === 0 || p === undefined || p.raw.length === 0
    ? undefined
    : Math.exp(median(p.raw) + median(h.raw))

/** Returns the l/min that the membrane of a device usually lets pass, without its bypass; undefined where it is not known. */
export function membraneFlow({ channels }: Pick<HealthState, 'channels'>): number | undefined {
  const pressure = runningPressure(channels)
  const { a } = channels
  if (pressure === undefined || a === undefined || a.raw.length === 0) return undefined
  const driving = pressure / (1 + usualOsmosis)
  return Math.exp(median(a.raw)) * driving * temperatureCorrection(usualTemperature)
}

/** Returns the flow of the bypass (l/min) as a share of the membrane's (0–1), `bypass_share` of a context; undefined before its flow is known. */
export function knownBypassShare(state: Pick<HealthState, 'channels'>, bypass: number): number | undefined {
  const flow = membraneFlow(state)
  return flow === undefined ? undefined : Math.min(maxBypassShare, bypass / flow)
}

/** Returns the osmotic pressure over the net driving pressure, now and when the baseline was learned. */
function osmosisOf({ channels }: HealthState, recovery: number) {
  const { f } = channels
  const usual = { osmosis: usualOsmosis, learnedOsmosis: usualOsmosis }
  const pressure = runningPressure(channels)
  if (f === undefined || f.baseline === null || pressure === undefined) return usual
  // The flow of a device with a tank is taken when the tank's air presses against the membrane.
  const open = channels.tank !== undefined && channels.tank.baseline !== null ? 1 - closesAt : 1
  const factor = (feedBrineConcentration(1, recovery) * polarisationFactor(recovery)) / (open * pressure)
  const shareAt = (tds: number) => {
    const osmotic = osmoticPressure(tds, usualTemperature) * factor
    return osmotic < maxOsmosis / (1 + maxOsmosis) ? osmotic / (1 - osmotic) : maxOsmosis
  }
  return { osmosis: shareAt(Math.exp(median(f.raw))), learnedOsmosis: shareAt(Math.exp(f.baseline)) }
}
