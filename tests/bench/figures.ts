/** Measured figures and their budgets. */
import { EventEmitter } from 'node:events'

/** The maximum of each value; one without a maximum is not checked. */
export interface Budget {
  readonly median?: number
  readonly p95?: number
  readonly max?: number
}

export interface Figure {
  readonly name: string
  readonly unit: string
  readonly samples: number
  readonly median: number
  /** Null with fewer than `minForP95` samples, because then the slowest one or two decide it. */
  readonly p95: number | null
  readonly max: number
  /** Null if the figure is only reported. */
  readonly budget: Budget | null
  /** Whether the budget is kept; null without a budget, or with too few samples for its p95. */
  readonly ok: boolean | null
}

/** The samples that a p95 needs: three of them are slower than it. */
export const minForP95 = 60

/** Returns the quantile of the values (nearest rank), or NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN
}

const round = (value: number) => Math.round(value * 100) / 100

/** Returns a figure from its samples. Without samples it fails its budget. */
export function figure(name: string, unit: string, values: readonly number[], budget: Budget | null): Figure {
  const median = round(quantile(values, 0.5))
  const p95 = values.length < minForP95 ? null : round(quantile(values, 0.95))
  const max = round(quantile(values, 1))
  return { name, unit, samples: values.length, median, p95, max, budget, ok: keeps({ median, p95, max }, budget) }
}

/** Returns the percentage of frames over `limit` milliseconds as one figure, whose samples are the frames. */
export function frameShare(name: string, intervals: readonly number[], limit: number, budget: Budget | null): Figure {
  const share = round((intervals.filter(interval => interval > limit).length / intervals.length) * 100)
  const values = { median: share, p95: null, max: share }
  return { name, unit: '%', samples: intervals.length, ...values, budget, ok: keeps(values, budget) }
}

function keeps(values: Pick<Figure, 'median' | 'p95' | 'max'>, budget: Budget | null): boolean | null {
  if (!budget) return null
  // NaN, of no samples, is not within any limit.
  const within = (value: number | null, limit = Infinity) => value === null || value <= limit
  const { median, p95, max } = values
  if (!(within(median, budget.median) && within(p95, budget.p95) && within(max, budget.max))) return false
  return p95 === null && budget.p95 !== undefined ? null : true
}

/** Writes a line to stderr, because stdout is for the figures. */
export const progress = (text: string) => process.stderr.write(`${text}\n`)

/** Emits each figure that is reported. */
export const reported = new EventEmitter<{ figure: [Figure] }>()

/** Writes figures to stderr and emits them. */
export function report(...figures: readonly Figure[]): void {
  for (const one of figures) {
    const mark = one.ok === null ? ' ' : one.ok ? '✓' : '✗'
    const aims = one.budget
      ? `; aim ${Object.entries(one.budget)
          .map(([of, limit]) => `${of} ${limit}`)
          .join(', ')}`
      : ''
    const p95 = one.p95 === null ? '' : ` / ${one.p95}`
    progress(`${mark} ${one.name}: ${one.median}${p95} ${one.unit}  (n ${one.samples}, max ${one.max}${aims})`)
    reported.emit('figure', one)
  }
}
