/** Seeded pseudo-random numbers, so that a seed always gives the same fleet. */
import { hashOf, mixed } from '../../src/domain/lib/hash.ts'

export interface Random {
  /** Returns 0 ≤ x < 1. */
  next(): number
  /** Returns min ≤ x < max. */
  between(min: number, max: number): number
  /** Returns a whole number from `min` to `max`. */
  integer(min: number, max: number): number
  /** Returns true with this probability, 0–1. */
  chance(share: number): boolean
  /** Returns one of the items. */
  pick<T>(from: readonly T[]): T
  /** Returns one of the items, with a probability proportional to its weight. */
  weighted<T>(from: readonly (readonly [T, number])[]): T
  /** Returns an exponentially distributed interval with this mean. */
  exponential(mean: number): number
}

/** Returns a mulberry32 generator: 32 bits of state, passes gjrand's small tests. */
export function random(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (min: number, max: number) => min + next() * (max - min)
  const integer = (min: number, max: number) => Math.floor(between(min, max + 1))
  return {
    next,
    between,
    integer,
    chance: share => next() < share,
    pick: from => from[integer(0, from.length - 1)]!,
    weighted: from => {
      let remaining = next() * from.reduce((sum, [, weight]) => sum + weight, 0)
      return (from.find(([, weight]) => (remaining -= weight) < 0) ?? from.at(-1)!)[0]
    },
    exponential: mean => -Math.log(1 - next()) * mean,
  }
}

/** Returns a seed for a text; similar texts give unrelated seeds. */
export const seedFrom = hashOf

/** Returns 0 ≤ x < 1, a hash of seed and index, so that values do not depend on the order of calls. */
export const noise = (seed: number, index: number): number =>
  mixed((seed ^ Math.imul(index | 0, 0x9e3779b1)) >>> 0) / 2 ** 32

/**
 * Returns smooth noise from −1 to 1 at a position on a line (value noise with a knot at every whole number, smoothstep
 * between). Depends only on seed and position.
 */
export function smoothNoise(seed: number, position: number): number {
  const knot = Math.floor(position)
  const fraction = position - knot
  const from = noise(seed, knot)
  return 2 * (from + (noise(seed, knot + 1) - from) * fraction ** 2 * (3 - 2 * fraction)) - 1
}
