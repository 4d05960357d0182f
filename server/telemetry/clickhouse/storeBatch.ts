/**
 * Stores batches of readings in ClickHouse, and what follows from them in PostgreSQL, each reading exactly once.
 *
 * ClickHouse has neither unique keys nor transactions with PostgreSQL, so a batch is stored in this order, within one
 * transaction on PostgreSQL:
 *
 * 1. The twins of its devices are locked: nobody else stores their readings meanwhile. The batch gets a number.
 * 2. Readings that are newer than all stored ones of their device (`device_twins.last_reading_at`) are fresh. Of the others,
 *    ClickHouse is asked for those it has, and PostgreSQL whether the batches that brought them were counted.
 * 3. The fresh ones are inserted into ClickHouse, and sums that exist already are computed again.
 * 4. Twins and the batch's number are stored, and the transaction ends. Only then are the readings
 *    acknowledged.
 *
 * If a server ends between 3 and 4, the devices send these readings again, in other batches. PostgreSQL does not know the number
 * of the first batch, so the readings count as fresh, and in ClickHouse they replace themselves. Sums are computed from what is
 * stored and not added to, so a reading counts once in them, too.
 */
import { sql } from 'drizzle-orm'
import { inputValues, preparedInput } from '../../db/columnArrays.ts'
import { summingLock } from '../../db/advisoryLocks.ts'
import type { Database } from '../../db/database.ts'
import { prepareStatement } from '../../db/prepared.ts'
import { deviceTwins, telemetryBatches, telemetryState } from '../../db/schema/telemetry.ts'
import { changesOfBatch, readingColumns, receivedColumns } from '../changes.ts'
import type { Batch, ReceivedReading, StoreResult } from '../store.ts'
import type { Connection } from './connection.ts'
import { insertReadings, withoutCounted } from './readings.ts'
import { sumLate } from './sums.ts'

/** Stores a batch, see `TelemetryStore.write`. */
export async function storeBatch(db: Database, connection: Connection, batch: Batch): Promise<StoreResult> {
  // Waiting for its time-out would lock the twins, for which what devices say of their state waits, too.
  if (!connection.isAnswering()) throw new Error('ClickHouse does not answer')
  return db.transaction(async tx => {
    const { lastReadings, number, summingUntil } = await lock(tx, [...batch.received.keys()])
    const known = batch.readings.filter(({ bssid }) => lastReadings.has(bssid))
    const isNewest = ({ bssid, at }: ReceivedReading) => at > lastReadings.get(bssid)!
    const older = await withoutCounted(
      tx,
      connection,
      known.filter(each => !isNewest(each)),
    )
    const isFresh = new Set(older)
    const fresh = known.filter(each => isNewest(each) || isFresh.has(each))
    await insertReadings(connection, fresh, number)
    await sumLate(
      connection,
      fresh.filter(({ at }) => at < summingUntil),
    )
    await count(tx, batch, fresh, number)
    return { fresh, unknown: [...batch.received.keys()].filter(bssid => !lastReadings.has(bssid)) }
  })
}

interface Locked {
  /** By device, the time of its newest stored reading, milliseconds UTC; `-Infinity` without one. */
  readonly lastReadings: ReadonlyMap<string, number>
  /** The number of the batch. */
  readonly number: number
  /** Earlier readings are late, milliseconds UTC. */
  readonly summingUntil: number
}

/** Locks the twins in the order of their keys, so that servers do not wait for one another in a circle. */
async function lock(tx: Database, bssids: readonly string[]): Promise<Locked> {
  // In a statement of its own, because a statement sees what was stored before it began.
  await tx.execute(sql`select pg_advisory_xact_lock_shared(${summingLock})`)
  const { rows } = await tx.execute<{ twins: string | null; number: string; summing_until: number }>(sql`
    with twins as materialized (
      select bssid, (extract(epoch from coalesce(last_reading_at, reading_at)) * 1000)::float8 as last
      from ${deviceTwins} where bssid = any(${sql.param(bssids)}::text[]) order by bssid for no key update
    )
    select (select json_agg(json_build_array(bssid, last)) from twins)::text as twins,
      nextval('telemetry_batches_id_seq')::text as number,
      (select extract(epoch from summing_until) * 1000 from ${telemetryState})::float8 as summing_until`)
  const { twins, number, summing_until } = rows[0]!
  const known = JSON.parse(twins ?? '[]') as [string, number | null][]
  return {
    lastReadings: new Map(known.map(([bssid, last]) => [bssid, last ?? -Infinity])),
    number: Number(number),
    summingUntil: summing_until,
  }
}

const statement = prepareStatement(
  'count_readings',
  sql`
    with fresh as materialized (select * from ${preparedInput('readings', readingColumns)}),
    received as materialized (select * from ${preparedInput('received', receivedColumns)}),
    ${changesOfBatch}
    insert into ${telemetryBatches} (id, stored_at)
    values (${sql.placeholder('number')}::text::bigint, ${sql.placeholder('stored_at')}::text::timestamptz)`,
)

/** Readings and devices per statement up to which its plan is kept. */
const maxPlanned = 50

/** Stores in PostgreSQL what follows from fresh readings. */
async function count(tx: Database, batch: Batch, fresh: readonly ReceivedReading[], number: number): Promise<void> {
  const values = {
    id: batch.id,
    number: String(number),
    stored_at: new Date(batch.storedAt).toISOString(),
    ...inputValues(
      'readings',
      readingColumns,
      fresh.map((reading, row_index) => ({ ...reading, row_index })),
    ),
    ...inputValues('received', receivedColumns, [...batch.received]),
  }
  await statement(tx, values, { keepPlan: fresh.length <= maxPlanned && batch.received.size <= maxPlanned })
}
