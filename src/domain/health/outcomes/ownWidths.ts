/**
 * The widths of intervals from own outcomes: split conformal prediction [Angelopoulos and Bates 2023] on scores that are
 * divided by the typical width of their horizon, so that one list serves all horizons; with a level that adapts to what was
 * missed [Gibbs and Candès 2021].
 */
import { conformalQuantile } from '../../normalise.ts'
import { msPerDay } from '../../time.ts'
import { typicalWidth } from '../forecast.ts'
import type { CartridgeKind, UncertainBasis } from '../types/cartridges.ts'
import type { OwnWidths } from '../types/context.ts'
import type { KeptForecast } from './kept.ts'

/** Share of the outcomes that may lie outside of the intervals. */
export const aimedMisses = 0.2
/** How much one outcome moves the level (γ), and the bounds of the level. */
const rate = 0.01
export const minLevel = 0.02
export const maxLevel = 0.5
/** Own outcomes from which their scores are used, and the newest ones that are. */
export const enoughOutcomes = 20
export const keptScores = 200

/** What a vendor's outcomes say about forecasts of a kind of cartridge that rest on the same. */
export interface OwnScores {
  readonly kind: CartridgeKind
  readonly basis: UncertainBasis
  /** In multiples of the typical width (`relativeScore`), at most `keptScores`. */
  readonly scores: readonly number[]
  /** The level α: the share outside for which the next interval is made. */
  readonly level: number
}

/** Returns a score in multiples of the typical half width at the forecast's horizon. */
export const relativeScore = (
  { basis, kind, made, due }: Pick<KeptForecast, 'basis' | 'kind' | 'made' | 'due'>,
  score: number,
): number => score / typicalWidth(basis, kind, (due - made) / msPerDay)

/** Returns how an outcome inside or outside of an own interval moves the level: 0.01 (0.2 − missed). */
export const levelChange = (inside: boolean): number => rate * (aimedMisses - (inside ? 0 : 1))

export const boundedLevel = (level: number): number => Math.min(maxLevel, Math.max(minLevel, level))

/** Returns what the typical half widths are multiplied by, where there are enough own outcomes. */
export function ownWidths(own: readonly OwnScores[]): OwnWidths {
  const widths: OwnWidths = {}
  for (const { kind, basis, scores, level } of own) {
    if (scores.length < enoughOutcomes) continue
    // Where the level asks for more than the outcomes can show, the interval is as wide as the worst of them.
    const width = Math.min(conformalQuantile(scores, 1 - boundedLevel(level)), Math.max(...scores))
    widths[kind] = { ...widths[kind], [basis]: width }
  }
  return widths
}
