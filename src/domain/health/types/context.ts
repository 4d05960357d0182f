/**
 * What the daily step and the assessment get besides the sums and the state. Days are local to the device and counted from
 * 1 January 1970 (`Math.floor(localMilliseconds / msPerDay)`); times are milliseconds UTC.
 */

import type { SurvivalStep } from '../maths/survival.ts'
import type { Cause } from './assessment.ts'
import type { CartridgeKind, UncertainBasis } from './cartridges.ts'
import type { ByChannel } from './channels.ts'
import type { Neighbours } from './supply.ts'

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

/** What the daily step and the assessment need besides the state. */
export interface HealthContext {
  /** The local day of the sums (for `assess`: today). */
  readonly day: number
  /** What the neighbours show on the day; nothing for `assess`: the state keeps what findings are compared with. */
  readonly neighbours: ByChannel<Neighbours>
  readonly priors: MembranePriors
  readonly cartridges: readonly HealthCartridge[]
  /** Local days on which cartridges were replaced since the last step, by position. */
  readonly replaced?: readonly { readonly position: number; readonly day: number }[]
  /** Whether it has a booster pump. For a device with a state, `stepDay` takes it from there. */
  readonly boosted: boolean
  /** State of the bypass valve; each has its own baseline of b. */
  readonly bypass: number
  /** Feed water that it adds in this state, as a share of the permeate of the membrane (as for `observe`). */
  readonly bypass_share: number
  /** Langelier index of the concentrate; absent unless hardness, alkalinity and pH of the supply are known. */
  readonly langelier?: number
  /** Mean litres a day of permeate in each of the last eight weeks, newest last; for forecasts by litres. */
  readonly weekly_litres?: readonly number[]
  /** How many litres pre-filters on its supply filter until they are clogged; absent where too few were. */
  readonly prefilter_lives?: readonly SurvivalStep[]
  /** Widths of intervals from the vendor's own outcomes; absent where there are fewer than 20. */
  readonly own_widths?: OwnWidths
  /** What people's verdicts multiply the odds of causes by (`verdictOdds`). */
  readonly verdicts?: VerdictOdds
}

/** By cause, what the odds of its probability are multiplied by. */
export type VerdictOdds = Partial<Record<Cause, number>>

/** By kind and basis, what the typical half widths of the intervals are multiplied by (`ownWidths`). */
export type OwnWidths = Partial<Record<CartridgeKind, Partial<Record<UncertainBasis, number>>>>
