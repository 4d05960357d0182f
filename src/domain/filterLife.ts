/** How long a cartridge still lasts, as the specification shows it: expired, or in days, weeks, months or years. */

const day = 86_400_000

export interface Wear {
  /** ISO time by which its time to live ends. */
  readonly replace_at: string
  /** Litres it may filter, and has filtered. */
  readonly resource: number
  readonly total: number
}

/** Remaining share, 0–1: the smaller of what is left of its time (`ttl` days) and of its litres. */
export function remainingShare(cartridge: Wear & { readonly ttl: number }, now: number): number {
  const time = (Date.parse(cartridge.replace_at) - now) / (cartridge.ttl * day)
  const litres = 1 - cartridge.total / cartridge.resource
  return Math.max(0, Math.min(1, time, litres))
}

/** `Expired`, `1 day`, `3 weeks`, `5 months`, `2 years`: rounded down, so that it never promises more than is left. */
export function remainingLife(cartridge: Wear, now: number): string {
  const days = Math.floor((Date.parse(cartridge.replace_at) - now) / day)
  if (Date.parse(cartridge.replace_at) <= now || cartridge.total >= cartridge.resource) return 'Expired'
  if (days < 1) return 'Less than a day'
  if (days < 14) return plural(days, 'day')
  if (days < 61) return plural(Math.floor(days / 7), 'week')
  if (days < 731) return plural(Math.floor(days / 30.4375), 'month')
  return plural(Math.floor(days / 365.25), 'year')
}

/** It is running out this many days before its date, or half its time where that is less, … */
export const noticeDays = 30
/** … or with this share of its litres left. */
export const noticeShare = 0.1

/** From when on its time is running out, in milliseconds UTC as `due` is; `ttl` in days. */
export const noticeFrom = (due: number, ttl: number): number => due - Math.min(noticeDays, ttl / 2) * day

export interface Life {
  /** Milliseconds UTC at which its time ends. */
  readonly due: number
  /** Days that it may stay. */
  readonly ttl: number
  /** Litres that it may filter, and has filtered. */
  readonly resource: number
  readonly used: number
}

/** How far it is at `now`, milliseconds UTC: what notifications tell, and what the console colours by. */
export function lifeStage({ due, ttl, resource, used }: Life, now: number): 'well' | 'expiring' | 'expired' {
  if (now >= due || used >= resource) return 'expired'
  return now >= noticeFrom(due, ttl) || used >= (1 - noticeShare) * resource ? 'expiring' : 'well'
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
