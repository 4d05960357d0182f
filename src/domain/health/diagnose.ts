/** How probable each cause is, given how far the channels have moved and how: Bayes with signatures of free size. */
import { logDensity } from './maths/gaussian.ts'
import { signaturesAt, type Signature, type VectorChannel } from './signatures.ts'
import type { Cause } from './types/assessment.ts'

/** What is observed of a finding: channels that have a value, their changes, and the covariance of their errors. */
export interface Observed {
  readonly channels: readonly VectorChannel[]
  readonly values: readonly number[]
  readonly covariance: readonly (readonly number[])[]
  /** Log likelihood of a step minus that of a ramp. */
  readonly step: number
  /** Share of the feed that becomes permeate, 0–1. */
  readonly recovery: number
}

/** A cause, its probability, and the size with which it fits best. */
export interface Diagnosis {
  readonly cause: Cause
  readonly probability: number
  readonly size: number
  readonly signature: Signature | undefined
}

const index = { a: 0, b: 1, r: 2, f: 3, meter: 4 } as const satisfies Record<VectorChannel, number>
/** Sizes over which a cause is averaged, from the minimum to its maximum, evenly in ln. */
const sizes = 12
const minSize = 0.08
/** What fits no signature: changes of this standard deviation in all channels, and how common that is. */
const unknownSpread = 0.35
const unknownPrior = 0.3
/** The step's likelihood ratio is taken from wandering days, so it counts at most this. */
const stepLimit = 5

/**
 * Returns the causes with their probabilities, most probable first. `context` has factors of the priors, as of an overdue
 * cartridge; `sharpness` is the exponent of the likelihoods with which probabilities are calibrated.
 */
export function diagnose(observed: Observed, context: Partial<Record<Cause, number>>, sharpness: number): Diagnosis[] {
  const step = Math.max(-stepLimit, Math.min(stepLimit, observed.step))
  const candidates = signaturesAt(observed.recovery)
    .filter(({ cause }) => context[cause] !== 0)
    .map(signature => {
      const { cause, prior } = signature
      const { likelihood, size } = fit(observed, signature)
      // Each of the two tempos contributes, weighted by the likelihood of the series under it.
      const tempo = Math.log(signature.step * Math.exp(step / 2) + (1 - signature.step) * Math.exp(-step / 2))
      return { cause, size, signature, log: Math.log(prior * (context[cause] ?? 1)) + sharpness * (likelihood + tempo) }
    })
  const unknown = Math.log(0.5 * Math.exp(step / 2) + 0.5 * Math.exp(-step / 2))
  const all = [
    ...candidates,
    {
      cause: 'unknown' as const,
      size: 0,
      signature: undefined,
      log: Math.log(unknownPrior) + sharpness * (broad(observed) + unknown),
    },
  ]
  const top = Math.max(...all.map(({ log }) => log))
  const sum = all.reduce((total, { log }) => total + Math.exp(log - top), 0)
  const diagnoses = all.map(({ cause, size, signature, log }) => ({
    cause,
    size,
    signature,
    probability: Math.exp(log - top) / sum,
  }))
  return merged(diagnoses.toSorted((one, other) => other.probability - one.probability))
}

/** Adds up the signatures of each cause; the most probable one stands for it. */
function merged(diagnoses: readonly Diagnosis[]): Diagnosis[] {
  const byCause = new Map<Cause, Diagnosis>()
  for (const each of diagnoses) {
    const known = byCause.get(each.cause)
    byCause.set(each.cause, known ? { ...known, probability: known.probability + each.probability } : each)
  }
  return [...byCause.values()].toSorted((one, other) => other.probability - one.probability)
}

/** Returns the log likelihood of a signature, averaged over sizes and directions, and the signed size that fits best. */
function fit({ channels, values, covariance }: Observed, signature: Signature): { likelihood: number; size: number } {
  const logs: number[] = []
  let best = -Infinity
  let bestSize = 0
  for (const sign of signature.signs)
    for (let number = 0; number < sizes; number++) {
      const size = minSize * (signature.maxSize / minSize) ** (number / (sizes - 1))
      const rest = values.map((value, at) => value - sign * size * signature.ratios[index[channels[at]!]])
      const total = covariance.map((row, at) => {
        const spread = signature.spreads[index[channels[at]!]] * size
        return row.map((entry, column) => (column === at ? entry + spread * spread : entry))
      })
      const log = logDensity(rest, total)
      logs.push(log)
      if (log > best) {
        best = log
        bestSize = sign * size
      }
    }
  const mean = logs.reduce((sum, log) => sum + Math.exp(log - best), 0) / logs.length
  return { likelihood: best + Math.log(mean), size: bestSize }
}

/** Returns the log likelihood of changes without a signature. */
function broad({ values, covariance }: Observed): number {
  const total = covariance.map((row, at) =>
    row.map((entry, column) => (column === at ? entry + unknownSpread ** 2 : entry)),
  )
  return logDensity([...values], total)
}
