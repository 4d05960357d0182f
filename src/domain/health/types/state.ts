/**
 * What the server keeps of a device from one daily step to the next. Days are local to the device and counted from
 * 1 January 1970 (`Math.floor(localMilliseconds / msPerDay)`). All objects survive `JSON.stringify`.
 */

import type { DiagnosisGroup, Finding } from './assessment.ts'
import type { ByChannel, Channel } from './channels.ts'
import type { Neighbours } from './supply.ts'

/**
 * What the server keeps of one channel of a device. So that it stays small, numbers are rounded: values to 4 decimals, the level
 * to 5, the slope to 6 and the covariance to 8, 9 and 10.
 */
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
  /** Residuals of the last 28 days with data, newest (`day`) last: days since the one before (first 0), and ln × 1000. */
  gaps: number[]
  values: number[]
  /**
   * Medians of the residuals of weeks, oldest first, at most 26: the number of the newest (day ÷ 7), weeks since the one before
   * (first 0), and ln × 1000.
   */
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
  readonly group: DiagnosisGroup
  /** The day on which it was detected, and the day before which nothing had begun: with its trend is compared. */
  readonly day: number
  readonly before: number
  /** Days in a row on which it would not be detected any more. */
  quiet: number
  /** Largest size so far, in multiples of the threshold. */
  peak: number
  /** Its beginning, kept once it is known; absent in the first weeks, and where none is searched for. */
  began?: Beginning
  /** Of the membrane's group: the channel with the largest change, and the newest day on which it kept the finding open. */
  lead?: { readonly channel: Channel; readonly day: number }
  /** Of the membrane's group: what it was when its lead was measured, at most a week before the newest such day. */
  known?: KnownFinding
}

/** A finding as of a day. Its other fields are those of the `OpenFinding`. */
export interface KnownFinding {
  readonly day: number
  readonly finding: Omit<Finding, 'number' | 'group' | 'detected'>
}

/** When a finding began: days between which 90 % of the beginnings lie, and the log likelihood of a step minus that of a ramp. */
export interface Beginning {
  readonly early: number
  readonly likely: number
  readonly late: number
  readonly step: number
}

export interface HealthState {
  /** Version of this shape: `stepDay` converts states of version 1 and discards others. */
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
  /** Rest flow of the day that goes on, in l/h; absent if it is no leak so far. */
  rest_today?: number
  /** Whether it has a booster pump, so that h is its running pressure alone; absent in states of earlier versions. */
  boosted?: boolean
  /** ln × 1000 of running over resting pressure on the newest days with both, newest last, at most 14: they reveal a pump. */
  lifts?: number[]
  /** Days in a row on which TDS creep was over its threshold; absent before the first one. */
  creep?: number
  /** Recovery and rejection as measured: shares, smoothed. */
  recovery: number | null
  rejection: number | null
  open: OpenFinding[]
  /** What the neighbours showed on the newest day of each channel; only while a finding is open that is compared with it. */
  neighbours?: ByChannel<Neighbours>
  /** Findings so far. */
  count: number
  /** Days on which cartridges were replaced, newest last, at most 4: what a step may follow. */
  replaced: { position: number; day: number }[]
}
