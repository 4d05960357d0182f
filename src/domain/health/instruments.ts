/** How far sensors of household devices wander, and what that does to each channel: no change below it is a finding. */
import type { Channel } from './types.ts'

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
] as const
export type Sensor = (typeof sensors)[number]
export const wander: Readonly<Record<Sensor, number>> = {
  permeateFlow: 0.02,
  feedFlow: 0.02,
  /** Of the permeate's litres. */
  counter: 0.015,
  feedTds: 0.03,
  permeateTds: 0.03,
  pressure: 0.008,
  T: 0.15,
  /** No sensor: what makes a tank's air uncertain, as much as its gain says. */
  filling: 1,
}

/** Share of the driving pressure that osmotic pressure takes, and change of ln permeability with 1 °C: typical values. */
const osmoticShare = 0.08
const perDegree = 0.034

/** Share of the errors of a tank's air that the flow has, which is taken at the end of each run. */
const fillingShare = 1

/** How channels follow the sensors: the change of a channel with ln of what a sensor shows. */
export type Gains = Readonly<Partial<Record<Channel, Readonly<Partial<Record<Sensor, number>>>>>>

/**
 * Returns the gains at a recovery (0–1): the concentrate is a difference, so r suffers from errors of both flows. `blend` is
 * the permeate's salt over that of the membrane: what a bypass adds is taken out, and the errors remain. `filling` is
 * the standard deviation of its tank's air, as ln; 0 without one.
 */
export function gainsAt(recovery: number, blend = 1, filling = 0): Gains {
  const share = Math.min(0.85, Math.max(0.1, recovery))
  const salt = { permeateFlow: 1, feedTds: -blend, permeateTds: blend, T: -1.15 * perDegree } as const
  return {
    a: {
      permeateFlow: 1,
      feedTds: osmoticShare,
      pressure: -(1 + osmoticShare),
      T: -perDegree,
      filling: fillingShare * filling,
    },
    b: salt,
    brief: salt,
    r: { permeateFlow: -share / (1 - share), feedFlow: 1 / (1 - share), pressure: -0.5 },
    f: { feedTds: 1 },
    h: { pressure: 1 },
    p: { pressure: 1 },
    meter: { permeateFlow: -1, counter: 1 },
    tank: { counter: 1, filling },
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
