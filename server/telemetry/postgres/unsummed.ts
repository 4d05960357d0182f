/**
 * Readings that are not in the stored sums yet, and the steps that add them.
 *
 * `device_twins.summed_until` says of each device up to which time its readings are in the sums of ten minutes and hours. A
 * worker moves it forward once an hour, some devices at a time, so that a sum is written once and not with each of its
 * readings. Charts add up the later readings themselves. A reading before that time is late, and is added as it is stored. All
 * of it happens while the device's twin is locked, so that no reading is left out or counts twice.
 */
import { sql, type SQL } from 'drizzle-orm'
import { msPerMinute } from '../../../src/domain/time.ts'
import type { Database } from '../../db/database.ts'
import { withRetry } from '../../db/retry.ts'
import { deviceTwins, readings } from '../../db/schema/telemetry.ts'
import { readingValues } from '../readingValues.ts'
import { lastSummed } from '../summing.ts'
import { addSumsOf } from './addSums.ts'
import { sumsOfReadings } from './sums.ts'
import { instant, keyArray } from './values.ts'

/** Devices per step: others wait for their locks, some hundredths of a second. */
const devicesPerStep = 100

/** Select list of a reading. Its text has the decimals that the device sent, which the number itself only approximates. */
const exactReading = sql.join(
  [
    sql`reading.bssid, reading.at`,
    ...readingValues.map(name => sql`reading.${sql.identifier(name)}::text::float8 as ${sql.identifier(name)}`),
  ],
  sql`, `,
)

/** Returns the query for the readings of devices that are not in the sums, from and before a time. */
const unsummedReadings = (bssids: readonly string[], from: SQL, to: SQL): SQL => sql`
  select reading.* from ${deviceTwins} as twin
  -- With an offset the readings of each device are read by the index.
  cross join lateral (
    select ${exactReading} from ${readings} as reading
    where reading.bssid = twin.bssid and reading.at >= coalesce(twin.summed_until, '-infinity')
      and reading.at >= ${from} and reading.at < ${to}
    offset 0
  ) as reading
  where twin.bssid = any(${keyArray(bssids)})`

/** Returns the query for the sums of these readings by device and ten minutes, `at`, within milliseconds UTC. */
export const unsummedTenMinutes = (bssids: readonly string[], from: number, to: number): SQL => sql`
  select bssid, date_bin('10 minutes', at, 'epoch') as ten, ${sumsOfReadings}
  from (${unsummedReadings(bssids, instant(from), instant(to + 10 * msPerMinute))}) as unsummed group by bssid, ten`

/** Adds the readings of hours that have been over for a while to the sums. `now`: milliseconds UTC. */
export async function sumEnded(db: Database, now: number, stop: AbortSignal): Promise<void> {
  const until = instant(lastSummed(now))
  for (let after: string | undefined = ''; after !== undefined && !stop.aborted;) {
    const from: string = after
    after = await withRetry(() => db.transaction(tx => sumDevices(tx, from, until)))
  }
}

/** Sums the readings of some devices after a key; returns the key after which to continue, or `undefined` after the last. */
async function sumDevices(tx: Database, after: string, until: SQL): Promise<string | undefined> {
  const { rows } = await tx.execute<{ bssid: string }>(sql`
    select bssid from ${deviceTwins}
    where bssid > ${after} and last_reading_at >= coalesce(summed_until, '-infinity')
      and coalesce(summed_until, '-infinity') < ${until}
    order by bssid limit ${devicesPerStep} for no key update`)
  const bssids = rows.map(({ bssid }) => bssid)
  if (bssids.length === 0) return undefined
  // A separate statement, which sees readings that were stored before the twins were locked.
  await tx.execute(sql`
    with unsummed as materialized (${unsummedReadings(bssids, sql`'-infinity'::timestamptz`, until)}),
    ${addSumsOf('unsummed')}
    update ${deviceTwins} set summed_until = ${until} where bssid = any(${keyArray(bssids)})`)
  return bssids.at(-1)
}
