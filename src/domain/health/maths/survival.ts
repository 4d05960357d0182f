/**
 * How long things last, from lives that are not all over: the product-limit estimator [Kaplan and Meier 1958, Nonparametric
 * estimation from incomplete observations, JASA 53, 457–481]. Lengths are in any unit of time or use, such as litres.
 */

/** A life as far as it was followed. */
export interface Life {
  readonly length: number
  /** Whether it ended then. Otherwise it is censored: it goes on, or was cut short by something else. */
  readonly ended: boolean
}

/** A length at which lives have ended, their number, and the share of all lives that is longer, 0–1. */
export interface SurvivalStep {
  readonly at: number
  readonly ended: number
  readonly surviving: number
}

/**
 * Returns the survival function of lives as its steps, in ascending order; none if no life has ended. A life that is censored
 * where others end counts as longer than theirs.
 */
export function survivalOf(lives: readonly Life[]): SurvivalStep[] {
  const sorted = lives.toSorted((one, other) => one.length - other.length)
  const steps: SurvivalStep[] = []
  let surviving = 1
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    const at = sorted[from]!.length
    let ended = 0
    for (; to < sorted.length && sorted[to]!.length === at; to++) if (sorted[to]!.ended) ended++
    if (ended === 0) continue
    surviving *= 1 - ended / (sorted.length - from)
    steps.push({ at, ended, surviving })
  }
  return steps
}

/** Returns the later steps of the survival function of those lives that are longer than `length`. */
export function survivalAfter(steps: readonly SurvivalStep[], length: number): SurvivalStep[] {
  const later = steps.findIndex(({ at }) => at > length)
  if (later === -1) return []
  const survived = steps[later - 1]?.surviving ?? 1
  return steps.slice(later).map(step => ({ ...step, surviving: step.surviving / survived }))
}

/** A share that is reached exactly is not missed by a rounding error of the product. */
const roundingError = 1e-9

/** Returns the first length at which at least this share of the lives (0–1) has ended; Infinity if so many have not. */
export const quantileOf = (steps: readonly SurvivalStep[], share: number): number =>
  steps.find(({ surviving }) => 1 - surviving >= share - roundingError)?.at ?? Infinity
