/**
 * What the health of a device is computed from and what comes out: the contract between the detection, which is pure and
 * knows no database, and the server, which stores its inputs and its state. docs/health.md explains the method.
 *
 * The way of a value: a stored reading → `observe` → an observation → `addObservation` to the day's sums → at the end of
 * the local day `dayResiduals` → the supply's medians of them → `stepDay` → state → `assess` → findings, score, forecasts.
 *
 * Days are local to the device and counted from 1 January 1970 (`Math.floor(localMilliseconds / msPerDay)`). Times are
 * milliseconds UTC. All objects here survive `JSON.stringify`.
 */

import type { Flux } from './maths/tank.ts'

/**
 * What is observed, as natural logarithms, so that a difference of 0.1 is about 10 %:
 * `a` permeate flow at standard conditions; `b` salt passage at standard conditions, settled (two minutes into a draw);
 * `brief` the same from 20 seconds on, which still contains creep; `r` concentrate flow over √pressure (the restrictor);
 * `h` running over resting pressure, or the running pressure alone in units with a booster pump; `f` feed TDS;
 * `p` resting pressure.
 */
export const observedChannels = ['a', 'b', 'brief', 'r', 'h', 'f', 'p'] as const
export type ObservedChannel = (typeof observedChannels)[number]

/**
 * All channels: besides what a reading tells, `meter`, litres of permeate by the counter over those by its flow and time, and
 * `tank`, the air of a tank, litres times bar of absolute pressure, from runs that fill it.
 */
export const channels = [...observedChannels, 'meter', 'tank'] as const
export type Channel = (typeof channels)[number]

/** A value per channel that has one. */
export type ByChannel<Value> = Partial<Record<Channel, Value>>

/** A stored reading with what the server knows about the draw that it is part of. Null: no sensor, or one held defective. */
export interface HealthReading {
  /** Milliseconds UTC. */
  readonly at: number
  /** Litres since the previous reading. */
  readonly feed: number
  readonly permeate: number
  /** l/min at the moment. */
  readonly feed_flow: number | null
  readonly permeate_flow: number | null
  /** ppm */
  readonly feed_tds: number | null
  readonly permeate_tds: number | null
  /** bar */
  readonly pressure: number | null
  /** °C */
  readonly temperature: number | null
  /** Seconds for which permeate has flowed without interruption: from the device, or from `chainRun`. */
  readonly run: number
  /** Seconds since the previous reading. */
  readonly elapsed: number
  /** Pressure of the last reading without flow, bar; null if that is more than an hour old. */
  readonly resting: number | null
}

/** What `observe` needs of a device. The same object serves until the next daily step or command. */
export interface DeviceConstants {
  /** Feed water that the bypass adds to the permeate, as a share of the permeate of the membrane, 0–1. */
  readonly bypass: number
  /** Whether a booster pump raises the pressure while water runs. */
  readonly boosted: boolean
  /** Whether it fills a tank, whose pressure lowers the flow: standard flow is then taken at the end of each run. */
  readonly tank: boolean
  /** Known levels of the channels (`levelsOf(state)`), from which observations are clipped. Empty while unknown. */
  readonly levels: ByChannel<number>
}

/** The channels of one producing reading. */
export interface Observation {
  readonly values: Partial<Record<ObservedChannel, number>>
  /** Its flow, not clipped; null without pressure. */
  readonly flux: Flux | null
  /** °C */
  readonly temperature: number
  /** Permeate over feed TDS in a settled reading, otherwise null. */
  readonly passage: number | null
  /** Seconds of the run, seconds and litres since the previous reading, and the permeate flow in l/min. */
  readonly run: number
  readonly elapsed: number
  readonly flow: number
  readonly feed: number
  readonly permeate: number
}

/** Number, sum and sum of squares of a channel's observations. */
export interface ChannelSums {
  n: number
  sum: number
  squares: number
}

/** What is kept of a device's local day. Sums, so that those of several servers and late readings can be added. */
export interface DaySums {
  readonly channels: Partial<Record<ObservedChannel, ChannelSums>>
  /** Of the observations: number, and sum of their temperatures, °C. */
  n: number
  temperature: number
  /** Litres of feed and permeate in the day. */
  feed: number
  permeate: number
  /** Litres of feed without permeate or flush, and the hours in which they flowed. */
  rest_litres: number
  rest_hours: number
  /** Seconds of the longest run. */
  max_run: number
  /**
   * Litres by the meter, and by flow times time, between two readings of a run: a flow sensor that reads wrong shows as
   * their ratio.
   */
  metered: number
  integrated: number
  /** Runs that have filled a tank, their litres, and the sum of what 1/p has lost in them, p the tank's pressure in bar. */
  tank_runs: number
  tank_litres: number
  tank_relief: number
  /** Settled readings: number, and sum of permeate over feed TDS, as a person measures rejection. */
  passages: number
  passage: number
  /** Days that the sums are of; 1 if absent. Old days are kept as weeks. */
  days?: number
}

/** What a membrane type is expected to do. */
export interface MembranePriors {
  /** Change of ln a and of ln b in a year through ageing, and the standard deviation of both between devices. */
  readonly flow_a_year: number
  readonly salt_a_year: number
  readonly spread: number
  /**
   * Temperature constants in K (§ formulas in normalise.ts) fitted for the type, as corrections to those with which
   * `observe` has standardised: fitted minus used. Zero where nothing is fitted.
   */
  readonly water_k: number
  readonly salt_k: number
}

/** As in the API: 0 pre-filter, 1 post-filter, 2 membrane. */
export type CartridgeKind = 0 | 1 | 2

export interface HealthCartridge {
  readonly position: number
  readonly kind: CartridgeKind
  /** Milliseconds UTC. */
  readonly installed_at: number
  /** Litres filtered so far, and the rated litres and days. */
  readonly litres: number
  readonly resource: number
  readonly ttl: number
}

/** The same day's residuals of the devices on the same supply, without the device itself. */
export interface Neighbours {
  readonly n: number
  readonly median: number
}

/** What the daily step and the assessment need besides the state. */
export interface HealthContext {
  /** The local day of the sums (for `assess`: today). */
  readonly day: number
  readonly neighbours: ByChannel<Neighbours>
  readonly priors: MembranePriors
  readonly cartridges: readonly HealthCartridge[]
  /** Local days on which cartridges were replaced since the last step, by position. */
  readonly replaced?: readonly { readonly position: number; readonly day: number }[]
  readonly boosted: boolean
  /** State of the bypass valve; each has its own baseline of b. */
  readonly bypass: number
  /** Feed water that it adds in this state, as a share of the permeate of the membrane (as for `observe`). */
  readonly bypass_share: number
  /** Langelier index of the concentrate; absent unless hardness, alkalinity and pH of the supply are known. */
  readonly langelier?: number
  /** Mean litres a day of permeate in each of the last eight weeks, newest last; for forecasts by litres. */
  readonly weekly_litres?: readonly number[]
  /** Widths of intervals from the vendor's own outcomes; absent where there are fewer than 20. */
  readonly own_widths?: OwnWidths
}

/** What a forecast rests on that may turn out otherwise: a date is certain. */
export type UncertainBasis = 'litres' | 'condition'

/** By kind and basis, what the typical half widths of the intervals are multiplied by (`ownWidths`). */
export type OwnWidths = Partial<Record<CartridgeKind, Partial<Record<UncertainBasis, number>>>>

/** What the server keeps of one channel of a device. Numbers are rounded to five digits, so that it stays small. */
export interface ChannelState {
  /** Values of the first days, until the baseline is their median (8 to 20 days); then absent. */
  learning?: number[]
  /** Value of the channel when new; null while learning. */
  baseline: number | null
  /** The day of the baseline's end. */
  since: number
  /** Newest day with data. */
  day: number
  /** Robust Kalman filter of the residual: level, slope a day, covariance (level, both, slope). */
  level: number
  slope: number
  covariance: [number, number, number]
  /** Absolute values of the last three days, from which observations are clipped. */
  raw: number[]
  /** Residuals of the last 28 days with data, newest (`day`) last: days since the one before (first 0) and thousandths. */
  gaps: number[]
  values: number[]
  /** Medians of weeks, oldest first, at most 26: number of the newest (day ÷ 7), weeks since the one before, thousandths. */
  week: number
  week_gaps: number[]
  medians: number[]
  /** Days in a row for which the slow test, and the step test, have been over their thresholds. */
  slow: number
  step: number
}

/** A finding's working data between the days. */
export interface OpenFinding {
  /** Counts the device's findings: with the BSSID it is the identity of a finding, also when its cause is revised. */
  readonly number: number
  readonly group: FindingGroup
  /** The day on which it was detected, and the day before which nothing had begun: with its trend is compared. */
  readonly day: number
  readonly before: number
  /** Days in a row on which it would not be detected any more. */
  quiet: number
  /** Largest size so far, in multiples of the threshold. */
  peak: number
}

/** Channels that are diagnosed together. At most one finding of a group is open. */
export type FindingGroup = 'membrane' | 'pressure' | 'tank' | 'rest' | 'creep' | 'worn'

export interface HealthState {
  /** Version of this shape: `stepDay` converts states of version 1, and begins those of others anew. */
  readonly version: 2
  /** The newest day that was stepped, and the first one. */
  day: number
  first: number
  /** Days with data since the membrane was installed or first seen, and the litres of permeate in them. */
  days: number
  litres: number
  channels: ByChannel<ChannelState>
  /** Baselines of b and brief by bypass state, kept while another state is used. */
  bypass: number
  kept: Record<string, ByChannel<ChannelState>>
  /** Newest days: rest flow in l/h (0 if it lasted under three hours, null if unknown), newest last, at most 7. */
  rest: (number | null)[]
  /** Recovery and rejection as measured: shares, smoothed. */
  recovery: number | null
  rejection: number | null
  open: OpenFinding[]
  /** Findings so far. */
  count: number
  /** Days on which cartridges were replaced, newest last, at most 4: what a step may follow. */
  replaced: { position: number; day: number }[]
}

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

/** What one channel says about a finding. */
export interface Evidence {
  readonly channel: Channel | 'rest' | 'creep'
  /** Change against what was expected, as ln (for `rest`: l/h), and its standard error. */
  readonly value: number
  readonly error: number
  readonly unit: 'ln' | 'l/h'
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
  readonly group: FindingGroup
  readonly cause: Cause
  /** Position of the cartridge that it is about. */
  readonly position?: number
  /** Days. */
  readonly detected: number
  readonly began: { readonly early: number; readonly likely: number; readonly late: number }
  readonly tempo: 'step' | 'ramp'
  /** Probability of the cause, 0–1, calibrated. */
  readonly confidence: number
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
  readonly worst: Channel | 'life' | 'finding' | null
  /** Days with data so far, of 8, while learning. */
  readonly learned: number
  readonly findings: readonly Finding[]
  readonly forecasts: readonly Forecast[]
}

/** A day of a supply: medians of its devices' residuals. */
export interface SupplyDay {
  readonly day: number
  readonly medians: ByChannel<Neighbours>
}

/** A change of the water or the pressure that a supply's devices share. */
export interface SupplyIncident {
  readonly cause: 'feed_water' | 'feed_pressure'
  /** Days; `ended` is absent while it goes on. */
  readonly began: number
  readonly ended?: number
  /** Largest change, as ln. */
  readonly value: number
  readonly devices: number
}
