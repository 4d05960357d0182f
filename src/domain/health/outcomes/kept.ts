/** Forecasts that are kept until their cartridge has ended, so that they can be judged: one at each horizon. */
import { msPerDay } from '../../time.ts'
import { horizonOf } from '../forecast.ts'
import type { Forecast } from '../types/assessment.ts'
import type { CartridgeKind, UncertainBasis } from '../types/cartridges.ts'
import type { HealthCartridge } from '../types/context.ts'

/** A forecast as it was made. Times: milliseconds UTC. */
export interface KeptForecast {
  readonly position: number
  readonly kind: CartridgeKind
  /** When its cartridge was installed: with the position it identifies the cartridge. */
  readonly installed_at: number
  /** Which of the horizons it reaches (`horizonOf`). */
  readonly horizon: number
  readonly made: number
  readonly due: number
  readonly early: number
  readonly late: number
  readonly basis: UncertainBasis
  /** As in `Forecast`. */
  readonly like_ends: number | null
  readonly typical: boolean
}

/** Days that a forecast must reach to be kept: errors of a day or two say nothing about shorter ones. */
const minDays = 10

/**
 * Returns today's forecasts that are to be kept: of each cartridge the first one at each horizon, so at most four. Those by
 * date are not: a date cannot turn out otherwise. Of cartridges that share their condition one is. `day`: the local day for
 * which they were made.
 */
export function forecastsToKeep(
  forecasts: readonly Forecast[],
  cartridges: readonly HealthCartridge[],
  kept: readonly Pick<KeptForecast, 'position' | 'installed_at' | 'horizon'>[],
  day: number,
): KeptForecast[] {
  const made = day * msPerDay
  return forecasts.flatMap(({ position, kind, basis, like_ends, due, early, late, typical, ended }) => {
    const days = (due - made) / msPerDay
    const cartridge = cartridges.find(each => each.position === position)
    // Cartridges of one kind share their condition: several would be one outcome that counts several times.
    const isShared = forecasts.some(
      each => basis === 'condition' && each.basis === basis && each.kind === kind && each.position < position,
    )
    if (isShared || basis === 'date' || ended || days < minDays || cartridge === undefined) return []
    const { installed_at } = cartridge
    const horizon = horizonOf(days)
    const isKept = kept.some(
      each => each.position === position && each.installed_at === installed_at && each.horizon === horizon,
    )
    return isKept ? [] : [{ position, kind, installed_at, horizon, made, due, early, late, basis, like_ends, typical }]
  })
}
