/**
 * Lives of pre-filters in litres of feed, from their installation until they are clogged. Several in a device share their
 * pressure, so that their life is that since the newest of them was installed.
 */
import { quantileOf, survivalAfter, type SurvivalStep } from '../maths/survival.ts'
import type { CartridgeKind } from '../types/cartridges.ts'
import type { HealthState } from '../types/state.ts'

/** Returns the pre-filter that was installed last; undefined without one. */
export const newestPrefilter = <Cartridge extends { readonly kind: CartridgeKind; readonly installed_at: number }>(
  cartridges: readonly Cartridge[],
): Cartridge | undefined =>
  cartridges
    .filter(({ kind }) => kind === 0)
    .reduce<Cartridge | undefined>(
      (one, other) => (one && one.installed_at >= other.installed_at ? one : other),
      undefined,
    )

/** Days from the installation within which the baseline must be learned to be that of a new pre-filter. */
const soonDays = 30

/**
 * Returns whether the pressure of a device is followed from that of a new pre-filter on, which was installed on the local day
 * `installed`: not where it is met later, its baseline was reset, or a booster pump has its part in it.
 */
export const isFollowed = ({ channels: { h } }: HealthState, installed: number, boosted: boolean): boolean =>
  !boosted && h !== undefined && h.baseline !== null && h.since >= installed && h.since <= installed + soonDays

/**
 * The minimum number of later ends for an interval. The least and the greatest of n ends hold a further one with a probability of
 * (n − 1) ÷ (n + 1), so below nine no interval of 80 % exists without assuming how they are spread. The median of nine has a
 * standard error of 1.25σ ÷ √9, a third of the interval's half width of 1.28σ, where they are spread normally.
 */
export const minEnds = 9

/** Litres that are left, and the number of ends that say so. 80 % of the actual ends lie between early and late. */
export interface RemainingLitres {
  readonly early: number
  readonly likely: number
  /** Infinity where too few lives were followed to the end. */
  readonly late: number
  readonly ends: number
}

/**
 * Returns what is left of a pre-filter that is not clogged after so many litres. `steps`: the survival function of like ones,
 * in litres. Undefined where too few have lasted for longer, or too few of these have ended.
 */
export function remainingLitres(steps: readonly SurvivalStep[], litres: number): RemainingLitres | undefined {
  const later = survivalAfter(steps, litres)
  const ends = later.reduce((sum, { ended }) => sum + ended, 0)
  if (ends < minEnds) return undefined
  const left = (share: number) => quantileOf(later, share) - litres
  const likely = left(0.5)
  if (likely === Infinity) return undefined
  // The ranks between which a further one of n + 1 ends lies with 80 %: the quantiles of few ends alone are too close.
  const [low, high] = [Math.floor((ends + 1) / 10), Math.ceil((9 * (ends + 1)) / 10)]
  return { early: left(low / ends), likely, late: left(high / ends), ends }
}
