/** Changes of water supplies in words. */
import { formatDay, formatNumber } from '../../format.ts'
import { plural } from '../../plural.ts'

interface DescribedChange {
  readonly cause: 'feed_water' | 'feed_pressure'
  /** % */
  readonly change: number
  /** ISO 8601. */
  readonly began_at: string
  readonly ended_at: string | null
}

/** Returns a change in a line: `Feed TDS +60 % since Nov 3, 2026`, or `… from Nov 3, 2026 to Nov 9, 2026`. */
export function supplyChangeText({ cause, change, began_at, ended_at }: DescribedChange): string {
  const name = cause === 'feed_water' ? 'Feed TDS' : 'Feed pressure'
  const sign = change < 0 ? '−' : '+'
  const began = formatDay(began_at)
  const span = ended_at === null ? `since ${began}` : `from ${began} to ${formatDay(ended_at)}`
  return `${name} ${sign}${formatNumber(Math.abs(change))} % ${span}`
}

/** Returns where a change is: `Harbour · Clearspring · seen in 8 devices`. */
export const supplyChangePlace = (change: {
  readonly water_supply: string | null
  readonly vendor: { readonly company_name: string }
  readonly devices: number
}): string =>
  `${change.water_supply ?? 'No water supply set'} · ${change.vendor.company_name} · seen in ${plural(change.devices, 'device')}`
