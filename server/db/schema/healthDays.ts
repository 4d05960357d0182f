/** What the health of devices is computed from. */
import { doublePrecision, integer, pgTable, primaryKey, smallint } from 'drizzle-orm/pg-core'
import { bytewise } from './columns.ts'

const count = () => integer().notNull().default(0)
const sum = () => doublePrecision().notNull().default(0)

/**
 * Sums over the readings of a device's local day, or of an old week, while it produced water (`DaySums`): of each channel the
 * number of observations, their sum and the sum of their squares. No foreign key, as of all telemetry: `forgottenDevices`.
 */
export const healthDays = pgTable(
  'health_days',
  {
    bssid: bytewise().notNull(),
    /** Days from 1 January 1970 to the local day. */
    day: integer().notNull(),
    a_n: count(),
    a_sum: sum(),
    a_squares: sum(),
    b_n: count(),
    b_sum: sum(),
    b_squares: sum(),
    brief_n: count(),
    brief_sum: sum(),
    brief_squares: sum(),
    r_n: count(),
    r_sum: sum(),
    r_squares: sum(),
    h_n: count(),
    h_sum: sum(),
    h_squares: sum(),
    f_n: count(),
    f_sum: sum(),
    f_squares: sum(),
    p_n: count(),
    p_sum: sum(),
    p_squares: sum(),
    /** Observations, and the sum of their temperatures, °C. */
    n: count(),
    temperature: sum(),
    /** Permeate flows as measured, and their sum, l/min. Earlier versions did not store them. */
    flows: count(),
    flow: sum(),
    /** Litres. */
    feed: sum(),
    permeate: sum(),
    rest_litres: sum(),
    rest_hours: sum(),
    /** Seconds. */
    max_run: integer().notNull().default(0),
    /** Litres by the meter, and by flow and time. */
    metered: sum(),
    integrated: sum(),
    /** Runs that filled a tank, their litres, and the sum of the falls of 1/p, p its pressure in bar. */
    tank_runs: count(),
    tank_litres: sum(),
    tank_relief: sum(),
    /** Settled readings, and the sum of their permeate's over their feed's TDS. */
    passages: count(),
    passage: sum(),
    /** Days from `day` on that the row stands for: 1, or 7 once it is old. */
    days: smallint().notNull().default(1),
  },
  table => [primaryKey({ columns: [table.bssid, table.day] })],
)
