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
  /** How many times as fast as by its rating the litres clog it: more than 1 for the first pre-filter in turbid water. */
  readonly sediment: number
  /** Days after which people usually replace it: its rated ones, or fewer if it is clogged before. */
  readonly life: number
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

/** The wear at which people replace a clogged pre-filter: by `remainingPressureShare`, it then takes 29 % of the pressure. */
const cloggedWear = 1.7

/** Returns the litres after which people replace a cartridge in water that clogs it. */
export const litresToClog = ({ resource, sediment }: Pick<Cartridge, 'resource' | 'sediment'>): number =>
  (cloggedWear * resource) / sediment

/** Returns the replacement time: some weeks early or late, and within a month if it is already overdue. */
function replacementTime(installedAt: number, life: number, now: number, rng: Random): number {
  const planned = installedAt + life * rng.between(0.95, 1.08) * msPerDay
  return planned > now ? planned : now + rng.between(1, 30) * msPerDay
}

/** How much sediment the feed water has, as a multiple of what pre-filters are rated for, and how much of it flows. */
export interface Turbidity {
  readonly sediment: number
  readonly litresADay: number
}

/** Returns the cartridges of a unit from the fleet file, with planned replacements. The first pre-filter takes the sediment. */
export function cartridgesFromFleet(
  cartridges: readonly FittedCartridge[],
  { sediment, litresADay }: Turbidity,
  now: number,
  rng: Random,
): Cartridge[] {
  const first = cartridges.findIndex(({ type }) => type === 0)
  return cartridges.map(({ type: kind, resource, ttl, volume_before: before, installed_at }, position) => {
    const load = position === first ? sediment : 1
    const life = load > 1 ? Math.min(ttl, litresToClog({ resource, sediment: load }) / litresADay) : ttl
    const installedAt = Date.parse(installed_at)
    const replacedAt = replacementTime(installedAt, life, now, rng)
    return { kind, resource, ttl, sediment: load, life, installedAt, replacedAt, before }
  })
}

/** Returns a new cartridge that replaces an old one. */
export const newCartridge = (old: Cartridge, counters: Counters, now: number, rng: Random): Cartridge => ({
  ...old,
  installedAt: now,
  replacedAt: replacementTime(now, old.life, now, rng),
  before: counterOf(old.kind, counters),
})

/** Returns the used share of its life: the larger of the shares by litres and by age; above 1 it is overdue. */
export const wear = (
  { kind, resource, installedAt, ttl, before, sediment }: Cartridge,
  counters: Counters,
  at: number,
): number =>
  Math.max(0, ((counterOf(kind, counters) - before) * sediment) / resource, (at - installedAt) / (ttl * msPerDay))

/** Share of the feed pressure that a worn pre-filter takes while water runs, and the wear from which it takes no more (model assumptions). */
const wornPressureDrop = 0.1
const maxWear = 2

/** Returns the share of the pressure that remains after the pre-filters while water runs; it falls with their wear. */
export function remainingPressureShare(cartridges: readonly Cartridge[], counters: Counters, at: number): number {
  let share = 1
  for (const cartridge of cartridges)
    if (cartridge.kind === 0) share *= 1 - wornPressureDrop * Math.min(maxWear, wear(cartridge, counters, at)) ** 2
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
  const life = current.life * msPerDay
  const installedAt = current.installedAt - Math.ceil((current.installedAt - at) / life) * life
  const litresOfLife = current.life < current.ttl ? litresToClog(current) : current.resource
  const litres = ((at - installedAt) / life) * litresOfLife
  return { ...current, installedAt, replacedAt: installedAt + life, before: counterOf(current.kind, counters) - litres }
}
