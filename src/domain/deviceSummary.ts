/** Sums up several devices: how many share a value, the ranges of what they measure, and which filters are due. */
import { lifeStage, type CartridgeLife } from './filterLife.ts'

/** A value and the number of devices with it. */
export interface Count<Value> {
  readonly value: Value
  readonly count: number
}

/** Counts values, the most frequent first; equally frequent ones in the order of their first appearance. */
export function countValues<Value>(values: readonly Value[]): readonly Count<Value>[] {
  const counts = new Map<Value, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].map(([value, count]) => ({ value, count })).toSorted((a, b) => b.count - a.count)
}

export interface ValueRange {
  readonly min: number
  readonly max: number
}

/** Returns the smallest and the largest value; undefined if all are null. */
export function rangeOf(values: readonly (number | null)[]): ValueRange | undefined {
  const measured = values.filter(value => value !== null)
  if (measured.length === 0) return undefined
  return measured.reduce<ValueRange>(
    ({ min, max }, value) => ({ min: Math.min(min, value), max: Math.max(max, value) }),
    { min: measured[0]!, max: measured[0]! },
  )
}

type Cartridge = CartridgeLife & { readonly ttl: number }

/** A number of cartridges, and the number of devices that have them. */
export interface Due {
  readonly cartridges: number
  readonly devices: number
}

/** Returns how many cartridges have expired at `now` (milliseconds UTC), and how many will soon; see `lifeStage`. */
export function dueCartridges(
  devices: readonly { readonly cartridges: readonly Cartridge[] }[],
  now: number,
): Readonly<Record<'expired' | 'expiring', Due>> {
  const stages = devices.map(({ cartridges }) =>
    cartridges.map(one => lifeStage({ ...one, due: Date.parse(one.replace_at), used: one.total }, now)),
  )
  const due = (wanted: 'expired' | 'expiring'): Due => {
    const counts = stages.map(all => all.filter(stage => stage === wanted).length).filter(count => count > 0)
    return { cartridges: counts.reduce((sum, count) => sum + count, 0), devices: counts.length }
  }
  return { expired: due('expired'), expiring: due('expiring') }
}
