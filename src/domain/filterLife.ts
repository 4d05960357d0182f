/** The remaining life of a cartridge, by time and by filtered litres. */
import { plural } from './plural.ts'
import { msPerDay } from './time.ts'

export interface CartridgeLife {
  /** ISO time at which its time to live ends. */
  readonly replace_at: string
  /** Litres: capacity, and filtered so far. */
  readonly resource: number
  readonly total: number
}

/** Returns the remaining share, 0–1: the smaller of the remaining time (of `ttl` days) and the remaining litres. */
export function remainingShare(cartridge: CartridgeLife & { readonly ttl: number }, now: number): number {
  const time = (Date.parse(cartridge.replace_at) - now) / (cartridge.ttl * msPerDay)
  const litres = 1 - cartridge.total / cartridge.resource
  return Math.max(0, Math.min(1, time, litres))
}

/**
 * Formats the remaining time: `Expired`, `1 day`, `3 weeks`, `5 months`, `2 years`. Rounded down, so that it never
 * overstates.
 */
export function remainingLife(cartridge: CartridgeLife, now: number): string {
  const days = Math.floor((Date.parse(cartridge.replace_at) - now) / msPerDay)
  if (Date.parse(cartridge.replace_at) <= now || cartridge.total >= cartridge.resource) return 'Expired'
  if (days < 1) return 'Less than a day'
  if (days < 14) return plural(days, 'day')
  if (days < 61) return plural(Math.floor(days / 7), 'week')
  if (days < 731) return plural(Math.floor(days / 30.4375), 'month')
  return plural(Math.floor(days / 365.25), 'year')
}

/** Formats when something is due, by whole days: `in 12 days`, `today`, `overdue 3 days`. `due`: ISO time. */
export function dueInWords(due: string, now: number): string {
  const left = Date.parse(due) - now
  const days = Math.floor(Math.abs(left) / msPerDay)
  if (days === 0) return left > 0 ? 'today' : 'overdue'
  return left > 0 ? `in ${plural(days, 'day')}` : `overdue ${plural(days, 'day')}`
}

/** Days before its due date from which a cartridge is expiring; at most half its time to live. */
export const expiringDays = 30
/** The remaining share of its litres at or below which a cartridge is expiring, regardless of its date. */
export const expiringShare = 0.1

/** Returns the time from which a cartridge is expiring, in milliseconds UTC like `due`; `ttl` in days. */
export const expiringFrom = (due: number, ttl: number): number => due - Math.min(expiringDays, ttl / 2) * msPerDay

export interface LifeInput {
  /** Milliseconds UTC at which its time ends. */
  readonly due: number
  /** Time to live in days. */
  readonly ttl: number
  /** Litres: capacity, and filtered so far. */
  readonly resource: number
  readonly used: number
}

/**
 * Returns the stage of a cartridge's life at `now` (milliseconds UTC), for notifications and for the console's colours.
 */
export function lifeStage({ due, ttl, resource, used }: LifeInput, now: number): 'ok' | 'expiring' | 'expired' {
  if (now >= due || used >= resource) return 'expired'
  return now >= expiringFrom(due, ttl) || used >= (1 - expiringShare) * resource ? 'expiring' : 'ok'
}
