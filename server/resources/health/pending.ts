/** Devices whose stored past the daily step has yet to compute. */
import { sql, type SQL } from 'drizzle-orm'
import { msPerDay } from '../../../src/domain/time.ts'
import { healthDays } from '../../db/schema/healthDays.ts'

/**
 * Returns the condition that a device has days before yesterday that no step has seen. `seen`: the newest day that one has, or
 * null.
 */
export const hasPendingDays = ({ bssid, seen }: Readonly<Record<'bssid' | 'seen', SQL>>, now: Date): SQL<boolean> => {
  const yesterday = Math.floor(now.getTime() / msPerDay) - 1
  return sql<boolean>`exists (select from ${healthDays} where ${healthDays.bssid} = ${bssid}
    and ${healthDays.day} > coalesce(${seen}, 0) and ${healthDays.day} < ${yesterday})`
}
