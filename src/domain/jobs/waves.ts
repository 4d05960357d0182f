/** The waves in which a job reaches its devices, and the rule that stops it when too many tasks fail. */

/** One of the `waves` of a job's policy. */
export interface Wave {
  /** A number of devices, or a share of the devices that the job reaches: `5%`. */
  readonly size: number | string
}

/** `stop` of a job's policy: pause if, of at least `after` ended tasks, a share larger than `failed` (`5%`) failed. */
export interface StopRule {
  readonly failed: string
  readonly after: number
}

/** Tasks of a wave: those that have ended, and those of them that failed. */
export interface EndedTasks {
  readonly ended: number
  readonly failed: number
}

/**
 * Returns the number of devices of each wave, none of them 0; together they have the `total` devices of the job. A share
 * is rounded up. When the devices run out, the waves left are omitted; the devices that no wave has form a last one. So
 * the wave at an index is that of the policy at this index, or the last.
 */
export function waveSizes(waves: readonly Wave[] | undefined, total: number): number[] {
  const sizes: number[] = []
  let left = total
  for (const { size } of waves ?? []) {
    const wanted = typeof size === 'number' ? size : Math.ceil((total * partsOf(size)) / wholeParts)
    const taken = Math.min(wanted, left)
    if (taken > 0) sizes.push(taken)
    left -= taken
  }
  return left > 0 ? [...sizes, left] : sizes
}

/** Returns whether the tasks of a wave that have ended must pause the job. Without a rule nothing does. */
export function exceeds(stop: StopRule | undefined, { ended, failed }: EndedTasks): boolean {
  return stop !== undefined && ended >= stop.after && failed * wholeParts > ended * partsOf(stop.failed)
}

/**
 * Shares are calculated in millionths, which are whole for percentages of up to four decimals: with fractions, 7% of 100
 * devices would be slightly more than 7, and rounded up to 8.
 */
const wholeParts = 1_000_000
const partsOf = (percentage: string): number => Math.round((Number.parseFloat(percentage) * wholeParts) / 100)
