/**
 * Whether carbonate may precipitate in a membrane: the Langelier index of a supply's water as it comes and of the
 * concentrate, from the analysis that a person has entered and what the device measures.
 *
 * Sources: [L] ASTM D3739 · [D] DuPont FilmTec Technical Manual, calcium carbonate scale prevention, equations 6–8.
 */
import { langelierIndex } from '../../normalise.ts'
import { median } from '../maths/median.ts'
import type { HealthState } from '../types/state.ts'

/** The analysis of a supply's water. */
export interface SupplyWater {
  /** mg/l as CaCO₃ */
  readonly calcium_hardness: number
  readonly alkalinity: number
  readonly ph: number
}

/** What a device adds to the analysis: recovery (share), temperature (°C) and TDS of the feed (ppm). */
export interface ScalingConditions {
  readonly recovery: number
  readonly temperature: number
  readonly tds: number
}

/**
 * Returns a device's conditions: its smoothed recovery, and the feed TDS of its last days with data, or `measured.tds` before there
 * are any. `null` while something is unknown.
 */
export function scalingConditions(
  { recovery, channels }: Pick<HealthState, 'recovery' | 'channels'>,
  measured: { readonly temperature: number | null; readonly tds: number | null },
): ScalingConditions | null {
  const raw = channels.f?.raw ?? []
  const tds = raw.length > 0 ? Math.exp(median(raw)) : measured.tds
  const { temperature } = measured
  return recovery === null || temperature === null || tds === null ? null : { recovery, temperature, tds }
}

/** Hardness and alkalinity from which the index is computed at least: softened water has next to nothing of them. */
const minConcentration = 1
/** TDS in ppm up to which the index holds [L]. */
const maxTds = 10_000
/** A device without concentrate has no index of it. */
const maxRecovery = 0.99

/**
 * Returns the water of the concentrate: membranes hold back the ions, which are 1 ÷ (1 − Y) times as concentrated [D], but
 * no carbon dioxide, so that the pH rises by the decimal logarithm of that.
 */
export function concentrateOf(
  { calcium_hardness, alkalinity, ph }: SupplyWater,
  { recovery, tds }: Pick<ScalingConditions, 'recovery' | 'tds'>,
): SupplyWater & { readonly tds: number } {
  const factor = 1 / (1 - Math.min(maxRecovery, Math.max(0, recovery)))
  return {
    calcium_hardness: calcium_hardness * factor,
    alkalinity: alkalinity * factor,
    ph: ph + Math.log10(factor),
    tds: tds * factor,
  }
}

const indexOf = (
  { calcium_hardness, alkalinity, ph, tds }: SupplyWater & { readonly tds: number },
  T: number,
): number | null =>
  tds > maxTds
    ? null
    : langelierIndex({
        pH: ph,
        tds,
        T,
        calcium: Math.max(minConcentration, calcium_hardness),
        alkalinity: Math.max(minConcentration, alkalinity),
      })

/**
 * Returns the Langelier indices of the feed and of the concentrate [L]; above 0, carbonate may precipitate. `null` above
 * 10,000 ppm in the concentrate, for which the index does not hold, and without TDS.
 */
export function scalingIndices(
  water: SupplyWater,
  conditions: ScalingConditions,
): { readonly feed: number; readonly concentrate: number } | null {
  const { temperature, tds } = conditions
  const feed = indexOf({ ...water, tds }, temperature)
  const concentrate = indexOf(concentrateOf(water, conditions), temperature)
  return feed === null || concentrate === null ? null : { feed, concentrate }
}

/** By how much the index of the concentrate exceeds the feed's per decimal logarithm of the concentration. */
const indexPerDecade = 2.9

/**
 * Returns the recovery (share) at which the concentrate's index is 0; `null` if the feed's is not below 0. pH, calcium and
 * alkalinity each add lg(1 ÷ (1 − Y)) to the index, and TDS takes off a tenth of it.
 */
export const limitRecovery = (feedIndex: number): number | null =>
  feedIndex < 0 ? 1 - 10 ** (feedIndex / indexPerDecade) : null
