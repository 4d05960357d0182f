/** Opens where readings and their sums are kept, and makes sure that it is where the database's telemetry has been. */
import { sql } from 'drizzle-orm'
import { ConfigError, type Config } from '../core/config.ts'
import { readTelemetryUrl } from '../core/telemetryUrl.ts'
import type { Database } from '../db/database.ts'
import { readingDays, readingHours, readings, telemetryState } from '../db/schema/telemetry.ts'
import { openPostgresTelemetry } from '../telemetry/postgres/store.ts'
import type { TelemetryStore } from '../telemetry/store.ts'

interface OpenTelemetry {
  readonly telemetry: TelemetryStore
  /** Reads over the connections for people's calls. */
  readonly servedTelemetry: TelemetryStore
}

/**
 * Opens the store that the settings name. Rejects if ClickHouse cannot be used, or if the telemetry of this database is
 * elsewhere: it would be divided.
 */
export async function openTelemetry(
  { telemetryUrl }: Pick<Config, 'telemetryUrl'>,
  db: Database,
  served: Database,
  now: Date,
): Promise<OpenTelemetry> {
  const [state] = await db.select({ place: telemetryState.place }).from(telemetryState)
  if (telemetryUrl === undefined) {
    if (state!.place !== 'postgres')
      throw new ConfigError(
        'The telemetry of this database is in ClickHouse: set TELEMETRY_URL as for its other servers.',
      )
    return { telemetry: openPostgresTelemetry(db), servedTelemetry: openPostgresTelemetry(served) }
  }
  if (state!.place === 'postgres') await moveToClickHouse(db)
  // Its client takes time to load, which servers without ClickHouse save.
  const { openClickHouseTelemetry } = await import('../telemetry/clickhouse/store.ts')
  const telemetry = await openClickHouseTelemetry(db, readTelemetryUrl(telemetryUrl)!, now).catch((error: unknown) => {
    throw new ConfigError(`TELEMETRY_URL: ClickHouse cannot be used: ${messageOf(error)}`, { cause: error })
  })
  return { telemetry, servedTelemetry: telemetry }
}

/** Notes that the telemetry of a database without any is in ClickHouse from now on. */
async function moveToClickHouse(db: Database): Promise<void> {
  const { rows } = await db.execute<{ used: boolean }>(
    sql`select exists (select from ${readings}) or exists (select from ${readingHours}) or exists (select from ${readingDays}) as used`,
  )
  if (rows[0]!.used)
    throw new ConfigError(
      'This database has its telemetry in PostgreSQL, which is not moved: start without TELEMETRY_URL.',
    )
  await db.update(telemetryState).set({ place: 'clickhouse' })
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
