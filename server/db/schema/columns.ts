/** Column types and shapes that several tables share. */
import { sql } from 'drizzle-orm'
import { customType, doublePrecision, smallint, text, timestamp, type AnyPgColumn } from 'drizzle-orm/pg-core'
import type { SmartFlush } from '../../../src/domain/device.ts'

/** Text that is compared byte by byte: keys, and what is sorted by. Fast, and alike on every server. */
export const bytewise = customType<{ data: string }>({ dataType: () => 'text collate "C"' })

/** Milliseconds are what JSON carries: finer times would not equal themselves after a round trip. */
export const time = (name: string) => timestamp(name, { precision: 3, withTimezone: true, mode: 'date' })

export const timestamps = () => ({
  createdAt: time('created_at').notNull().defaultNow(),
  updatedAt: time('updated_at').notNull().defaultNow(),
})

/**
 * What a text is sorted and searched by, kept by the database: lower case by Unicode's simple mapping whatever
 * the server's locale.
 */
export const sortKey = (name: string, of: () => AnyPgColumn) =>
  bytewise(name)
    .notNull()
    .generatedAlwaysAs(() => sql`lower(${of()} collate "pg_c_utf8")`)

/** Auto-flush: the settings of a device, and the defaults that a filtration system gives. */
export const flushColumns = () => ({
  flushSmart: text('flush_smart').$type<SmartFlush>(),
  flushMode: smallint('flush_mode').$type<0 | 1 | 2>().notNull().default(0),
  flushFrequency: smallint('flush_frequency').$type<2 | 5 | 10 | 20>().notNull().default(5),
  flushDuration: smallint('flush_duration').$type<9 | 18 | 36>().notNull().default(18),
  /** Litres. */
  flushVolume: doublePrecision('flush_volume').notNull().default(0),
})
