/** Devices with stored days that the daily step has not computed yet. */
import { sql, type SQL } from 'drizzle-orm'
import { msPerDay } from '../../../src/domain/time.ts'
import { healthDays } from '../../db/schema/healthDays.ts'

/** SQL: whether a device has stored days before yesterday after `lastDay`, the newest one that was computed; that may be null. */
export const hasPendingDays = (
  { bssid, lastDay }: Readonly<Record<'bssid' | 'lastDay', SQL>>,
  now: Date,
): SQL<boolean> => {
  const yesterday = Math.floor(now.getTime() / msPerDay) - 1
  return sql<boolean>`exists (select from ${healthDays} where ${healthDays.bssid} = ${bssid}
    and ${healthDays.day} > coalesce(${lastDay}, 0) and ${healthDays.day} < ${yesterday})`
}
