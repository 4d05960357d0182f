/** The scores of a device over the last weeks, which show which devices have moved: become worse or better. */

/** A score, 0–100, on a day counted as in types.ts. */
export interface DayScore {
  readonly day: number
  readonly score: number
}

/** Points of a score by which a device must fall or rise to be a mover. */
export const moverPoints = 10
/** Days over which it is compared, at least; and between two scores that are kept. */
const span = 30
const interval = 7
/** Days after which a score is too old to compare with. Of the kept ones, one is always of the days in between. */
const reach = 45

/** Returns whether the score of a day is kept beside those of other weeks: it is, unless it will not be compared any more. */
export const keepsScore = (scores: readonly DayScore[], day: number, today: number): boolean =>
  day > today - reach && scores.every(kept => Math.abs(day - kept.day) >= interval)

/** Returns the scores with that of a day, oldest first, without those that are too old. */
export const withScore = (scores: readonly DayScore[], added: DayScore): readonly DayScore[] =>
  [...scores, added].filter(({ day }) => day > added.day - reach).toSorted((one, other) => one.day - other.day)

/**
 * Returns by how many points a score differs on a day from the newest one that is at least 30 days old; null if that is
 * less than what counts, or if there is none.
 */
export function scoreChange(scores: readonly DayScore[], { day, score }: DayScore): number | null {
  const before = scores.findLast(kept => kept.day <= day - span && kept.day > day - reach)
  const change = before === undefined ? 0 : score - before.score
  return Math.abs(change) >= moverPoints ? change : null
}
