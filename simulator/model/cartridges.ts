/** What a unit filters with: cartridges wear by litres and by age, clog, and are replaced by someone in time or late. */
import type { Random } from './random.ts'
import { day, year } from './time.ts'

/** As the server counts them: 0 pre-filter, 1 post-filter, 2 membrane. */
type CartridgeKind = number

export interface Cartridge {
  readonly kind: CartridgeKind
  /** Litres and days that it is good for. */
  readonly resource: number
  readonly ttl: number
  /** Milliseconds UTC. */
  readonly installedAt: number
  /** When someone replaces it. */
  readonly replacedAt: number
  /** The unit's counter of what it filters (feed for a pre-filter, permeate for the others) when it was installed. */
  readonly before: number
}

/** A unit's counters, litres. */
export interface Counters {
  readonly feed: number
  readonly permeate: number
}

/** What a fleet tells of a unit's cartridges. */
export interface FittedCartridge {
  readonly type: CartridgeKind
  readonly resource: number
  readonly ttl: number
  readonly installed_at: string
  /** The unit's counter when it was installed. */
  readonly volume_before: number
}

const counter = (kind: CartridgeKind, counters: Counters) => (kind === 0 ? counters.feed : counters.permeate)

/** People replace some weeks early or late; what is overdue they replace within the month. */
function replacement(installedAt: number, ttl: number, now: number, dice: Random): number {
  const planned = installedAt + ttl * dice.between(0.95, 1.08) * day
  return planned > now ? planned : now + dice.between(1, 30) * day
}

/** One that is in the unit at a moment. */
export function fromFleet(cartridge: FittedCartridge, now: number, dice: Random): Cartridge {
  const installedAt = Date.parse(cartridge.installed_at)
  const { type: kind, resource, ttl, volume_before: before } = cartridge
  return {
    kind,
    resource,
    ttl,
    installedAt,
    replacedAt: replacement(installedAt, ttl, now, dice),
    before,
  }
}

/** A new one in the place of another. */
export const replace = (old: Cartridge, counters: Counters, now: number, dice: Random): Cartridge => ({
  ...old,
  installedAt: now,
  replacedAt: replacement(now, old.ttl, now, dice),
  before: counter(old.kind, counters),
})

/** How much of it is used up, by litres or by age, whichever is more; above 1 it is overdue. */
export const wear = ({ kind, resource, installedAt, ttl, before }: Cartridge, counters: Counters, at: number): number =>
  Math.max(0, (counter(kind, counters) - before) / resource, (at - installedAt) / (ttl * day))

/** The share of the feed pressure that one worn pre-filter takes while water runs. */
const wornPressureDrop = 0.1

/** The share of the pressure that is left behind the pre-filters while water runs: clogging takes more and more. */
export function pressureLeft(cartridges: readonly Cartridge[], counters: Counters, at: number): number {
  let left = 1
  for (const one of cartridges) if (one.kind === 0) left *= 1 - wornPressureDrop * Math.min(1.5, wear(one, counters, at)) ** 2
  return left
}

/** Years that the oldest membrane is in use; 0 where there is none. */
export function membraneYears(cartridges: readonly Cartridge[], at: number): number {
  let years = 0
  for (const one of cartridges) if (one.kind === 2) years = Math.max(years, (at - one.installedAt) / year)
  return years
}

/**
 * The cartridge that was in the same place at an earlier moment, when the unit's counters stood lower: today's, if it
 * was there already, or a like one whose life ended when today's was fitted.
 */
export function cartridgeAt(today: Cartridge, then: Counters, at: number): Cartridge {
  if (today.installedAt <= at) return today
  const life = today.ttl * day
  const installedAt = today.installedAt - Math.ceil((today.installedAt - at) / life) * life
  const litres = ((at - installedAt) / life) * today.resource
  return { ...today, installedAt, replacedAt: installedAt + life, before: counter(today.kind, then) - litres }
}
