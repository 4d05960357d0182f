/** Column types and shapes that several tables share. */
import { sql } from 'drizzle-orm'
import { customType, doublePrecision, smallint, text, timestamp } from 'drizzle-orm/pg-core'
import type { SmartFlush } from '../../../src/domain/device.ts'

/** Text with the "C" collation, compared bytewise: fast, and the same on every server. For ids and sort keys. */
export const bytewise = customType<{ data: string }>({ dataType: () => 'text collate "C"' })

/** A timestamp in milliseconds, which is the precision of `Date`, so that times survive a round trip. */
export const time = () => timestamp({ precision: 3, withTimezone: true, mode: 'date' })

export const timestamps = () => ({
  created_at: time().notNull().defaultNow(),
  updated_at: time().notNull().defaultNow(),
})

/**
 * Returns a generated column by which a nullable text column is sorted and searched: lower case by Unicode's simple
 * mapping, independent of the server's locale.
 */
export const optionalSortKey = (column: string) =>
  bytewise().generatedAlwaysAs(() => sql`lower(${sql.identifier(column)} collate "pg_c_utf8")`)

/** Returns the sort key of a text column that is not null. */
export const sortKey = (column: string) => optionalSortKey(column).notNull()

/** Columns of the auto-flush settings, of devices and (as defaults) of filtration systems. */
export const flushColumns = () => ({
  flush_smart: text().$type<SmartFlush>(),
  flush_mode: smallint().$type<0 | 1 | 2>().notNull().default(0),
  flush_frequency: smallint().$type<2 | 5 | 10 | 20>().notNull().default(5),
  flush_duration: smallint().$type<9 | 18 | 36>().notNull().default(18),
  /** Litres. */
  flush_volume: doublePrecision().notNull().default(0),
})

/** Columns of a device's newest values, in its twin and where lists read them. */
export const newestValues = () => ({
  /** Lifetime litres. */
  feed: doublePrecision().notNull().default(0),
  permeate: doublePrecision().notNull().default(0),
  waste: doublePrecision().notNull().default(0),
  /** Newest reading: %, %, °C, bar, ppm, ppm; null if a sensor gives none. */
  rejection_rate: doublePrecision(),
  recovery_rate: doublePrecision(),
  temperature: doublePrecision(),
  pressure: doublePrecision(),
  feed_tds: doublePrecision(),
  permeate_tds: doublePrecision(),
})
