/** Adds readings to the stored sums of ten minutes and hours. */
import { sql, type SQL } from 'drizzle-orm'
import { readingHours, readingTenMinutes } from '../../db/schema/telemetry.ts'
import { addOnConflict, rollupColumns } from './rollups.ts'
import { rollupValues, sumsOfReadings, sumsOfRollups } from './sums.ts'

/** Returns the queries of a `with` clause that add the readings of an earlier one to the sums. */
export const addSumsOf = (query: 'late' | 'unsummed'): SQL => sql`
  tens as materialized (
    select bssid, date_bin('10 minutes', at, 'epoch') as bucket, ${sumsOfReadings} from ${sql.identifier(query)}
    group by bssid, bucket
  ),
  hours as (
    select bssid, date_bin('1 hour', bucket, 'epoch') as hour, ${sumsOfRollups} from tens group by bssid, hour
  ),
  ten_minutes as (
    insert into ${readingTenMinutes} (bssid, at, ${rollupColumns})
    select bssid, bucket, ${rollupValues} from tens order by bssid, bucket
    ${addOnConflict(readingTenMinutes, sql`bssid, at`)}
  ),
  hourly as (
    insert into ${readingHours} (bssid, at, ${rollupColumns})
    select bssid, hour, ${rollupValues} from hours order by bssid, hour
    ${addOnConflict(readingHours, sql`bssid, at`)}
  )`
