/** Measured figures and their budgets. */

/** The maximum of each value; one without a maximum is not checked. */
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
  /** Null if the figure is only reported. */
  readonly budget: Budget | null
  readonly ok: boolean | null
}

/** Returns the quantile of the values (nearest rank), or NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN
}

const round = (value: number) => Math.round(value * 100) / 100

/** Returns a figure from its samples. Without samples it fails its budget. */
export function figure(name: string, unit: string, values: readonly number[], budget: Budget | null): Figure {
  const median = round(quantile(values, 0.5))
  const p95 = round(quantile(values, 0.95))
  const ok = budget && median <= (budget.median ?? Infinity) && p95 <= (budget.p95 ?? Infinity)
  return { name, unit, median, p95, samples: values.length, budget, ok }
}

/** Writes a line to stderr, because stdout is for the figures. */
export const progress = (text: string) => process.stderr.write(`${text}\n`)

/** Writes a figure to stderr, and returns it. */
export function report(one: Figure): Figure {
  const mark = one.ok === null ? ' ' : one.ok ? '✓' : '✗'
  const limits = one.budget ? `  (aim ${Object.values(one.budget).join(' / ')})` : ''
  progress(`${mark} ${one.name}: ${one.median} / ${one.p95} ${one.unit}${limits}`)
  return one
}
