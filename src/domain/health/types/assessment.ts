/**
 * What comes out: findings, forecasts and a score. Days are local to the device and counted from 1 January 1970
 * (`Math.floor(localMilliseconds / msPerDay)`); times are milliseconds UTC. All objects survive `JSON.stringify`.
 */

import type { Channel } from './channels.ts'
import type { CartridgeKind, UncertainBasis } from './cartridges.ts'
import type { Neighbours } from './supply.ts'

/** What can decide the score: standard flow, salt passage, running pressure, the life left of a cartridge, an open finding. */
export type ScorePart = 'a' | 'b' | 'h' | 'life' | 'finding'

/** Channels whose changes are diagnosed together. At most one finding of a group is open. */
export type DiagnosisGroup = 'membrane' | 'pressure' | 'tank' | 'rest' | 'creep' | 'worn'

export const causes = [
  'fouling',
  'scaling',
  'oxidation',
  'oring',
  'outlet_tds_sensor',
  'inlet_tds_sensor',
  'prefilter',
  'pump',
  'restrictor_clogged',
  'restrictor_open',
  'flow_sensor',
  'feed_water',
  'feed_pressure',
  'valve_stuck',
  'leak',
  'tank',
  'creep',
  'worn',
  'unknown',
] as const
export type Cause = (typeof causes)[number]

/** Causes that ask for nothing at the device, or do not say for what: their findings are watched. */
export const watchedCauses: ReadonlySet<Cause> = new Set<Cause>(['feed_water', 'creep', 'unknown'])

/** What one channel says about a finding. */
export interface Evidence {
  readonly channel: Channel | 'rest' | 'creep'
  /** Change against what was expected, as ln (for `rest`: l/h; a salt passage may be itself, as a share), and its standard error. */
  readonly value: number
  readonly error: number
  readonly unit: 'ln' | 'l/h' | 'share'
  /** Absolute value when new, as ln. */
  readonly baseline: number | null
  /** Change that the neighbours show, and their number; null without neighbours. */
  readonly neighbours: Neighbours | null
  /** Days with data behind the value. */
  readonly days: number
  /** What the first and the second cause would lead to. */
  readonly expected: readonly [number, number | null]
}

export interface Finding {
  readonly number: number
  readonly group: DiagnosisGroup
  readonly cause: Cause
  /** Position of the cartridge that it is about. */
  readonly position?: number
  /** Days. */
  readonly detected: number
  readonly began: { readonly early: number; readonly likely: number; readonly late: number }
  readonly tempo: 'step' | 'ramp'
  /** Probability of the cause, 0–1, calibrated, also by verdicts. */
  readonly confidence: number
  /** The likeliest cause without what verdicts say. */
  readonly claimed: { readonly cause: Cause; readonly confidence: number }
  readonly alternatives: readonly { readonly cause: Cause; readonly confidence: number }[]
  readonly evidence: readonly Evidence[]
  /** `act`: with a confidence of 0.8 it notifies. */
  readonly severity: 'watch' | 'act'
}

export interface Forecast {
  readonly position: number
  readonly kind: CartridgeKind
  /** Milliseconds UTC: 80 % of the actual ends lie between early and late. */
  readonly due: number
  readonly early: number
  readonly late: number
  readonly basis: 'date' | UncertainBasis
  /** Number of clogged pre-filters on the supply by which its condition is forecast; null if it is by its own pressure. */
  readonly like_ends: number | null
  /** Whether the interval is from scores of the bench, because there are fewer than 20 own outcomes. */
  readonly typical: boolean
  /** Whether the cartridge is used up: its date, litres or condition are at their end. */
  readonly ended: boolean
}

export interface Assessment {
  readonly state: 'good' | 'watch' | 'act' | 'learning'
  /** 0–100; null while learning. */
  readonly score: number | null
  /** The channel or part that decides the score. */
  readonly worst: ScorePart | null
  /** Parts that are not in the score, because they have not been measured for 30 days of use. */
  readonly stale: readonly ('a' | 'b' | 'h')[]
  /** Days with data so far, of 8, while learning. */
  readonly learned: number
  readonly findings: readonly Finding[]
  readonly forecasts: readonly Forecast[]
}
