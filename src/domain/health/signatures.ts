/** What each cause does to the channels, as ratios to the channel that leads it. */
import { usualOsmosis } from './instruments.ts'
import type { Cause } from './types/assessment.ts'

/** Channels that are diagnosed together: `b` stands for brief in devices that only draw glasses. */
export const vectorChannels = ['a', 'b', 'r', 'f', 'meter'] as const
export type VectorChannel = (typeof vectorChannels)[number]

/** A number for each of `vectorChannels`. */
type ByVector = readonly [a: number, b: number, r: number, f: number, meter: number]

export interface Signature {
  readonly cause: Cause
  /** Change of the channels for a size of 1, and the standard deviation of each ratio between devices. */
  readonly ratios: ByVector
  readonly spreads: ByVector
  /** Directions in which it goes: 1, -1, or both. */
  readonly signs: readonly (1 | -1)[]
  /** Largest size of the leading channel, as ln. */
  readonly maxSize: number
  /** Probability that it comes as a step rather than as a ramp. */
  readonly step: number
  /** How common it is, relative to the others. */
  readonly prior: number
}

/** Causes that do the same to every device. */
const fixed: readonly Signature[] = [
  {
    cause: 'fouling',
    ratios: [-1, 0, 0, 0, 0],
    spreads: [0, 0.08, 0.05, 0, 0],
    signs: [1],
    maxSize: 1,
    step: 0.03,
    prior: 3,
  },
  {
    cause: 'scaling',
    ratios: [-1, 0.35, -0.3, 0, 0],
    spreads: [0, 0.1, 0.1, 0, 0],
    signs: [1],
    maxSize: 1.2,
    step: 0.03,
    prior: 3,
  },
  {
    cause: 'oxidation',
    ratios: [0.2, 1, 0, 0, 0],
    spreads: [0.04, 0, 0.03, 0, 0],
    signs: [1],
    maxSize: 1.2,
    step: 0.03,
    prior: 1.5,
  },
  {
    cause: 'oring',
    ratios: [0, 1, 0, 0, 0],
    spreads: [0.06, 0, 0.05, 0, 0],
    signs: [1],
    maxSize: 1,
    step: 0.97,
    prior: 2,
  },
  {
    cause: 'outlet_tds_sensor',
    ratios: [0, 1, 0, 0, 0],
    spreads: [0.01, 0, 0.01, 0, 0],
    signs: [1, -1],
    maxSize: 1,
    step: 0.05,
    prior: 2.4,
  },
  {
    cause: 'inlet_tds_sensor',
    ratios: [0.06, -0.95, 0, 1, 0],
    spreads: [0.05, 0.2, 0.05, 0, 0],
    signs: [1, -1],
    maxSize: 1,
    step: 0.1,
    prior: 1.3,
  },
  {
    cause: 'restrictor_clogged',
    ratios: [0, 0.15, -1, 0, 0],
    spreads: [0.05, 0.12, 0, 0, 0],
    signs: [1],
    maxSize: 1.5,
    step: 0.05,
    prior: 1.5,
  },
  {
    cause: 'restrictor_open',
    ratios: [0, 0, 1, 0, 0],
    spreads: [0.05, 0.08, 0, 0, 0],
    signs: [1],
    maxSize: 1.5,
    step: 0.9,
    prior: 0.7,
  },
  {
    cause: 'feed_water',
    ratios: [0, 0, 0, 1, 0],
    spreads: [0.05, 0.1, 0.05, 0, 0],
    signs: [1, -1],
    maxSize: 1,
    step: 0.5,
    prior: 0.3,
  },
]

/** Recoveries for which the signature of flow sensors is computed: beyond, r says nothing. */
const recoveries = [0.1, 0.8] as const

/**
 * Returns the signatures of a sensor of the permeate's flow that reads more by one (as ln). The concentrate is what is left of
 * the feed, so r moves by Y ÷ (1 − Y) the other way at a recovery Y; the salt passage by less than the flow, because the feed
 * side seems saltier: C_fb ÷ C_f = ln(1 ÷ (1 − Y)) ÷ Y, and the membrane's water by exp(0.7·Y) more. The litres stay as they are if they have a counter of their own, and if
 * that is the one which reads wrong, they alone move.
 */
function flowSensor(recovery: number): Signature[] {
  const share = Math.min(recoveries[1], Math.max(recoveries[0], recovery))
  const concentrate = -share / (1 - share)
  const saltier = share / ((1 - share) * Math.log(1 / (1 - share))) - 1
  const salt = 1 - saltier
  const flow = 1 + usualOsmosis * (saltier + 0.7 * share)
  const both = { cause: 'flow_sensor', signs: [1, -1], maxSize: 0.8, step: 0.1 } as const
  const spread = -0.25 * concentrate
  return [
    { ...both, ratios: [flow, salt, concentrate, 0, -1], spreads: [0, 0.1, spread, 0, 0.05], prior: 1 },
    { ...both, ratios: [flow, salt, concentrate, 0, 0], spreads: [0, 0.1, spread, 0, 0.05], prior: 0.05 },
    { ...both, ratios: [0, 0, 0, 0, 1], spreads: [0.05, 0.05, 0.05, 0, 0], prior: 0.5 },
  ]
}

/** Returns the signatures of the causes in a device with this recovery (0–1). A cause may have several. */
export const signaturesAt = (recovery: number): readonly Signature[] => [...fixed, ...flowSensor(recovery)]
