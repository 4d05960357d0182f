/** What each cause does to the channels, as ratios to the channel that leads it. */
import type { Cause } from './types.ts'

/** Channels that are diagnosed together: `b` stands for brief in devices that only draw glasses. */
export const vectorChannels = ['a', 'b', 'r', 'f'] as const
export type VectorChannel = (typeof vectorChannels)[number]

export interface Signature {
  readonly cause: Cause
  /** Change of the channels a, b, r, f for a size of 1, and the standard deviation of each ratio between devices. */
  readonly ratios: readonly [number, number, number, number]
  readonly spreads: readonly [number, number, number, number]
  /** Directions in which it goes: 1, -1, or both. */
  readonly signs: readonly (1 | -1)[]
  /** Largest size of the leading channel, as ln. */
  readonly largest: number
  /** Probability that it comes as a step rather than as a ramp. */
  readonly step: number
  /** How common it is, relative to the others. */
  readonly prior: number
}

/** Causes that the channels a, b, r and f tell apart. */
export const signatures: readonly Signature[] = [
  {
    cause: 'fouling',
    ratios: [-1, 0, 0, 0],
    spreads: [0, 0.08, 0.05, 0],
    signs: [1],
    largest: 1,
    step: 0.03,
    prior: 3,
  },
  {
    cause: 'scaling',
    ratios: [-1, 0.35, -0.3, 0],
    spreads: [0, 0.1, 0.1, 0],
    signs: [1],
    largest: 1.2,
    step: 0.03,
    prior: 3,
  },
  {
    cause: 'oxidation',
    ratios: [0.2, 1, 0, 0],
    spreads: [0.04, 0, 0.03, 0],
    signs: [1],
    largest: 1.2,
    step: 0.03,
    prior: 1.5,
  },
  { cause: 'oring', ratios: [0, 1, 0, 0], spreads: [0.06, 0, 0.05, 0], signs: [1], largest: 1, step: 0.97, prior: 2 },
  {
    cause: 'outlet_tds_sensor',
    ratios: [0, 1, 0, 0],
    spreads: [0.01, 0, 0.01, 0],
    signs: [1, -1],
    largest: 1,
    step: 0.05,
    prior: 2.4,
  },
  {
    cause: 'inlet_tds_sensor',
    ratios: [0.06, -0.95, 0, 1],
    spreads: [0.05, 0.2, 0.05, 0],
    signs: [1, -1],
    largest: 1,
    step: 0.1,
    prior: 1.3,
  },
  {
    cause: 'restrictor_clogged',
    ratios: [0, 0.15, -1, 0],
    spreads: [0.05, 0.12, 0, 0],
    signs: [1],
    largest: 1.5,
    step: 0.05,
    prior: 1.5,
  },
  {
    cause: 'restrictor_open',
    ratios: [0, 0, 1, 0],
    spreads: [0.05, 0.08, 0, 0],
    signs: [1],
    largest: 1.5,
    step: 0.9,
    prior: 0.7,
  },
  {
    cause: 'flow_sensor',
    ratios: [1, 1, -0.8, 0],
    spreads: [0, 0.1, 0.3, 0],
    signs: [1, -1],
    largest: 0.8,
    step: 0.1,
    prior: 0.3,
  },
  {
    cause: 'feed_water',
    ratios: [0, 0, 0, 1],
    spreads: [0.05, 0.1, 0.05, 0],
    signs: [1, -1],
    largest: 1,
    step: 0.5,
    prior: 0.3,
  },
]
