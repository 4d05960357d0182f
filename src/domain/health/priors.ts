/** What a household membrane is expected to do, where nothing is known of its type. */
import type { MembranePriors } from './types/context.ts'

/**
 * A year takes 7–10 % of the flow and lets 10 % more salt pass (DuPont FilmTec Technical Manual). Membranes differ by about
 * half of that, also because their temperature coefficients are not known.
 */
export const usualPriors: MembranePriors = {
  flow_a_year: -0.09,
  salt_a_year: 0.1,
  spread: 0.04,
  water_k: 0,
  salt_k: 0,
}

/** Returns the priors of a membrane whose type has fitted corrections, in K; null where none are fitted. */
export const priorsOf = ({
  water_k,
  salt_k,
}: {
  readonly water_k: number | null
  readonly salt_k: number | null
}): MembranePriors => ({ ...usualPriors, water_k: water_k ?? 0, salt_k: salt_k ?? 0 })
