/** Column types and shapes that several tables share. */
import { sql } from 'drizzle-orm'
import { customType, doublePrecision, smallint, text, timestamp } from 'drizzle-orm/pg-core'
import type { SmartFlush } from '../../../src/domain/device.ts'

/** Text that is compared byte by byte: keys, and what is sorted by. Fast, and alike on every server. */
export const bytewise = customType<{ data: string }>({ dataType: () => 'text collate "C"' })

/** Milliseconds are what JSON carries: finer times would not equal themselves after a round trip. */
export const time = () => timestamp({ precision: 3, withTimezone: true, mode: 'date' })

export const timestamps = () => ({
  created_at: time().notNull().defaultNow(),
  updated_at: time().notNull().defaultNow(),
})

/**
 * What the text column `of`, which may have no value, is sorted and searched by, kept by the database: lower case by
 * Unicode's simple mapping whatever the server's locale.
 */
export const optionalSortKey = (of: string) =>
  bytewise().generatedAlwaysAs(() => sql`lower(${sql.identifier(of)} collate "pg_c_utf8")`)

/** The same of a text column that always has a value. */
export const sortKey = (of: string) => optionalSortKey(of).notNull()

/** Auto-flush: the settings of a device, and the defaults that a filtration system gives. */
export const flushColumns = () => ({
  flush_smart: text().$type<SmartFlush>(),
  flush_mode: smallint().$type<0 | 1 | 2>().notNull().default(0),
  flush_frequency: smallint().$type<2 | 5 | 10 | 20>().notNull().default(5),
  flush_duration: smallint().$type<9 | 18 | 36>().notNull().default(18),
  /** Litres. */
  flush_volume: doublePrecision().notNull().default(0),
})
