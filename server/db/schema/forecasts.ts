/** When cartridges are due, and how earlier forecasts turned out. */
import { sql } from 'drizzle-orm'
import {
  boolean,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
} from 'drizzle-orm/pg-core'
import type { CartridgeKind, UncertainBasis } from '../../../src/domain/health/types/cartridges.ts'
import { accounts } from './accounts.ts'
import { bytewise, time } from './columns.ts'
import { deviceReference } from './devices.ts'

/** When a cartridge is due, as forecast last. 80 % of the actual ends lie between `early` and `late`. */
export const cartridgeForecasts = pgTable(
  'cartridge_forecasts',
  {
    bssid: deviceReference(),
    position: smallint().notNull(),
    made_at: time().notNull(),
    due_at: time().notNull(),
    early_at: time().notNull(),
    late_at: time().notNull(),
    basis: text().$type<'date' | 'litres' | 'condition'>().notNull(),
    /** Number of clogged pre-filters on the supply by which its condition is forecast; null if it is by its own pressure. */
    like_ends: integer(),
    /** Whether the interval is from the bench, because there are too few own outcomes. */
    typical: boolean().notNull(),
  },
  table => [primaryKey({ columns: [table.bssid, table.position] })],
)

/**
 * Forecasts by litres or condition, of each cartridge the first one at each horizon, until the cartridge has ended and then
 * with what became of them. Times by which they are judged are local to the device, as if it were in UTC.
 */
export const keptForecasts = pgTable(
  'kept_forecasts',
  {
    bssid: deviceReference(),
    position: smallint().notNull(),
    installed_at: time().notNull(),
    /** 0 for less than 30 days, 1 up to 60, 2 up to 120, 3 for more. */
    horizon: smallint().notNull(),
    kind: smallint().$type<CartridgeKind>().notNull(),
    made_at: time().notNull(),
    due_at: time().notNull(),
    early_at: time().notNull(),
    late_at: time().notNull(),
    basis: text().$type<UncertainBasis>().notNull(),
    /** As in `cartridge_forecasts`. */
    like_ends: integer(),
    typical: boolean().notNull(),
    /** When the cartridge ended; null until then, and the rest with it. */
    ended_at: time(),
    /** Whether it was replaced while it would have lasted longer. */
    replaced_early: boolean(),
    /** Whether it ended in the interval, and |ln(actual ÷ forecast)|; null if that is unknown. */
    inside: boolean(),
    score: real(),
  },
  table => [
    primaryKey({ columns: [table.bssid, table.position, table.installed_at, table.horizon] }),
    index('kept_forecasts_ended').on(table.ended_at),
  ],
)

/** How a vendor's forecasts of a kind of cartridge turned out, by what they rested on. */
export const forecastScores = pgTable(
  'forecast_scores',
  {
    vendor_id: bytewise()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    kind: smallint().$type<CartridgeKind>().notNull(),
    basis: text().$type<UncertainBasis>().notNull(),
    /** Forecasts with a known outcome, those of them that ended inside, and others whose cartridge was replaced early. */
    outcomes: integer().notNull().default(0),
    inside: integer().notNull().default(0),
    replaced_early: integer().notNull().default(0),
    /** Scores in multiples of the typical width, newest first, at most 200. */
    scores: real().array().notNull(),
    /** The level α for which the next interval is made. */
    level: doublePrecision().notNull(),
  },
  table => [primaryKey({ columns: [table.vendor_id, table.kind, table.basis] })],
)

/**
 * Lives of pre-filters whose pressure is followed from new on, for forecasts of like ones on the supply. They go on until they are
 * clogged or a pre-filter of the device is replaced.
 */
export const prefilterLives = pgTable(
  'prefilter_lives',
  {
    bssid: deviceReference(),
    /** When the newest pre-filter of the device was installed, and the device's lifetime litres of feed then. */
    installed_at: time().notNull(),
    volume_before: doublePrecision().notNull(),
    /** Litres of feed that it has filtered; null while it goes on: then they are the device's counter less `volume_before`. */
    litres: doublePrecision(),
    clogged: boolean().notNull(),
    ended_at: time(),
  },
  table => [
    primaryKey({ columns: [table.bssid, table.installed_at] }),
    index('prefilter_lives_ended').on(table.ended_at),
    index('prefilter_lives_clogged')
      .on(table.bssid)
      .where(sql`${table.clogged}`),
  ],
)
