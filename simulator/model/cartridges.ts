/** Cartridges of a unit: they wear with litres and age, clog, and are replaced on time or late. */
import type { Random } from './random.ts'
import { msPerDay, msPerYear } from '../../src/domain/time.ts'

/** As in the API: 0 pre-filter, 1 post-filter, 2 membrane. */
type CartridgeKind = number

export interface Cartridge {
  readonly kind: CartridgeKind
  /** Rated life: litres and days. */
  readonly resource: number
  readonly ttl: number
  /** Milliseconds UTC. */
  readonly installedAt: number
  /** When it will be replaced, milliseconds UTC. */
  readonly replacedAt: number
  /** The unit's counter of what it filters (feed for a pre-filter, permeate for the others) when it was installed. */
  readonly before: number
}

/** A unit's counters, litres. */
export interface Counters {
  readonly feed: number
  readonly permeate: number
}

/** A cartridge as the fleet file describes it. */
export interface FittedCartridge {
  readonly type: CartridgeKind
  readonly resource: number
  readonly ttl: number
  readonly installed_at: string
  /** The unit's counter when it was installed. */
  readonly volume_before: number
}

/** Returns the litres that count for a kind of cartridge. */
const counterOf = (kind: CartridgeKind, counters: Counters) => (kind === 0 ? counters.feed : counters.permeate)

/** Returns the replacement time: some weeks early or late, and within a month if it is already overdue. */
function replacementTime(installedAt: number, ttl: number, now: number, rng: Random): number {
  const planned = installedAt + ttl * rng.between(0.95, 1.08) * msPerDay
  return planned > now ? planned : now + rng.between(1, 30) * msPerDay
}

/** Returns a cartridge from its description in the fleet file, with a planned replacement. */
export function cartridgeFromFleet(cartridge: FittedCartridge, now: number, rng: Random): Cartridge {
  const installedAt = Date.parse(cartridge.installed_at)
  const { type: kind, resource, ttl, volume_before: before } = cartridge
  return {
    kind,
    resource,
    ttl,
    installedAt,
    replacedAt: replacementTime(installedAt, ttl, now, rng),
    before,
  }
}

/** Returns a new cartridge that replaces an old one. */
export const newCartridge = (old: Cartridge, counters: Counters, now: number, rng: Random): Cartridge => ({
  ...old,
  installedAt: now,
  replacedAt: replacementTime(now, old.ttl, now, rng),
  before: counterOf(old.kind, counters),
})

/** Returns the used share of its life: the larger of the shares by litres and by age; above 1 it is overdue. */
export const wear = ({ kind, resource, installedAt, ttl, before }: Cartridge, counters: Counters, at: number): number =>
  Math.max(0, (counterOf(kind, counters) - before) / resource, (at - installedAt) / (ttl * msPerDay))

/** Share of the feed pressure that a worn pre-filter takes while water runs (model assumption). */
const wornPressureDrop = 0.1

/** Returns the share of the pressure that remains after the pre-filters while water runs; it falls with their wear. */
export function remainingPressureShare(cartridges: readonly Cartridge[], counters: Counters, at: number): number {
  let share = 1
  for (const cartridge of cartridges)
    if (cartridge.kind === 0) share *= 1 - wornPressureDrop * Math.min(1.5, wear(cartridge, counters, at)) ** 2
  return share
}

/** Returns the age of the oldest membrane in years; 0 if there is none. */
export function membraneYears(cartridges: readonly Cartridge[], at: number): number {
  let years = 0
  for (const { kind, installedAt } of cartridges)
    if (kind === 2) years = Math.max(years, (at - installedAt) / msPerYear)
  return years
}

/**
 * Returns the cartridge that was in the same position at an earlier time: the current one if it was already installed,
 * otherwise a predecessor of the same type, which was replaced at the end of its life. `counters` are the unit's
 * counters at the earlier time.
 */
export function cartridgeAt(current: Cartridge, counters: Counters, at: number): Cartridge {
  if (current.installedAt <= at) return current
  const life = current.ttl * msPerDay
  const installedAt = current.installedAt - Math.ceil((current.installedAt - at) / life) * life
  const litres = ((at - installedAt) / life) * current.resource
  return { ...current, installedAt, replacedAt: installedAt + life, before: counterOf(current.kind, counters) - litres }
}
