/** Numbers that look random and repeat from a seed, so that every demo fleet of a seed is the same. */
import { createHash } from 'node:crypto'

export interface Random {
  /** 0 ≤ x < 1. */
  next(): number
  between(least: number, most: number): number
  whole(least: number, most: number): number
  chance(share: number): boolean
  pick<T>(from: readonly T[]): T
  /** By weight. */
  weighted<T>(from: readonly (readonly [T, number])[]): T
}

/** mulberry32: 32 bits of state, passes gjrand's small tests; plenty for a demo. */
export function random(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) => least + next() * (most - least)
  const whole = (least: number, most: number) => Math.floor(between(least, most + 1))
  return {
    next,
    between,
    whole,
    chance: share => next() < share,
    pick: from => from[whole(0, from.length - 1)]!,
    weighted: from => {
      let left = next() * from.reduce((sum, [, weight]) => sum + weight, 0)
      return (from.find(([, weight]) => (left -= weight) < 0) ?? from.at(-1)!)[0]
    },
  }
}

const hex = (text: string) => createHash('sha256').update(text).digest('hex')

/** The seed of one thing among many, so that each is the same however many there are. */
export const seedOf = (text: string): number => Number.parseInt(hex(text).slice(0, 8), 16)

/** An opaque key in the form of all others, the same for the same text. */
export const idOf = (text: string): string => hex(text).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
