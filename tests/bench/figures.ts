/** What was measured, and what it is held against. */

/** At most so much; what is not named is not judged. */
export interface Budget {
  readonly median?: number
  readonly p95?: number
}

export interface Figure {
  readonly name: string
  readonly unit: string
  readonly median: number
  readonly p95: number
  readonly samples: number
  /** Null where the figure is only told. */
  readonly budget: Budget | null
  readonly ok: boolean | null
}

/** The value below which `share` of the sorted values lie (nearest rank); NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN
}

const rounded = (value: number) => Math.round(value * 100) / 100

/** A figure without samples fails its budget: what could not be measured was not reached. */
export function figure(name: string, unit: string, values: readonly number[], budget: Budget | null): Figure {
  const median = rounded(quantile(values, 0.5))
  const p95 = rounded(quantile(values, 0.95))
  const ok = budget && median <= (budget.median ?? Infinity) && p95 <= (budget.p95 ?? Infinity)
  return { name, unit, median, p95, samples: values.length, budget, ok }
}

/** Told on stderr, so that stdout holds nothing but the figures. */
export const progress = (text: string) => process.stderr.write(`${text}\n`)

export function tell(one: Figure): Figure {
  const mark = one.ok === null ? ' ' : one.ok ? '✓' : '✗'
  const limits = one.budget ? `  (aim ${Object.values(one.budget).join(' / ')})` : ''
  progress(`${mark} ${one.name}: ${one.median} / ${one.p95} ${one.unit}${limits}`)
  return one
}
