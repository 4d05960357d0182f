/** What the readings of devices tell of their membranes, cartridges and sensors: days, states, findings and forecasts. */
import { sql } from 'drizzle-orm'
import {
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { FindingState, Severity } from '../../../src/domain/columns/findings.ts'
import type { DayScore } from '../../../src/domain/health/history/scores.ts'
import type { Assessment, Cause, Evidence, FindingGroup } from '../../../src/domain/health/types/assessment.ts'
import type { ByChannel } from '../../../src/domain/health/types/channels.ts'
import type { CartridgeKind, UncertainBasis } from '../../../src/domain/health/types/context.ts'
import type { HealthState } from '../../../src/domain/health/types/state.ts'
import type { Neighbours, SupplyIncident } from '../../../src/domain/health/types/supply.ts'
import { packed } from '../packed.ts'
import { accounts } from './accounts.ts'
import { bytewise, sortKey, time } from './columns.ts'
import { devices } from './devices.ts'
import { cartridgeTypes } from './filtration.ts'

const count = () => integer().notNull().default(0)
const sum = () => doublePrecision().notNull().default(0)
const deviceReference = () =>
  bytewise()
    .notNull()
    .references(() => devices.bssid, { onDelete: 'cascade' })

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

/** The health of each device, which the daily step advances. A trigger creates the row with its device. */
export const deviceHealth = pgTable(
  'device_health',
  {
    bssid: bytewise()
      .primaryKey()
      .references(() => devices.bssid, { onDelete: 'cascade' }),
    /** When the next step is due: an hour after the end of its local day. */
    due_at: time().notNull().defaultNow(),
    /** Devices of one supply have the same key, so that a step sees neighbours together. Updated by each step. */
    supply_key: bytewise().notNull().default(''),
    /** Null before the first step, as is the newest day that was stepped. */
    state: packed<HealthState>(),
    day: integer(),
    /** Values of the channels when new, with which neighbours are compared. */
    baselines: jsonb().$type<ByChannel<number>>().notNull().default({}),
    /** Known levels of the channels, from which observations are clipped. */
    levels: jsonb().$type<ByChannel<number>>().notNull().default({}),
    boosted: boolean().notNull().default(false),
    /** Findings before its state began anew, which counts from 1. */
    earlier_findings: integer().notNull().default(0),
    /** Lifetime litres of the last weeks, oldest first. */
    volumes: jsonb().$type<readonly Volume[]>().notNull().default([]),
    /** Scores of the last weeks, oldest first. */
    scores: jsonb().$type<readonly DayScore[]>().notNull().default([]),
    /** What lists show besides the columns of `devices`; null before the first step. */
    shown: jsonb().$type<ShownHealth>(),
    /** The day before which its `health_days` are weeks. */
    weeks_to: integer().notNull().default(0),
  },
  table => [
    index('device_health_due').on(table.due_at, table.supply_key, table.bssid),
    index('device_health_weeks').on(table.weeks_to, table.bssid),
  ],
)

/** Lifetime litres of a device at the end of a local day. */
export interface Volume {
  readonly day: number
  readonly feed: number
  readonly permeate: number
}

/** Times are in ISO 8601. */
export interface ShownHealth {
  /** Of the likeliest cause. */
  readonly confidence: number | null
  readonly since: string | null
  readonly due_early: string | null
  readonly due_late: string | null
  /** The part that decides the score, and the days of data while it learns. */
  readonly worst: Assessment['worst']
  readonly learned: number
}

/** What is wrong with a device, how sure that is, and what people said of it. */
export const healthFindings = pgTable(
  'health_findings',
  {
    id: bytewise().primaryKey(),
    bssid: deviceReference(),
    /** A copy of the device's, kept by a trigger. */
    vendor_id: bytewise().notNull(),
    /** Counts the findings of a device. */
    number: integer().notNull(),
    group: text().$type<FindingGroup>().notNull(),
    cause: bytewise().$type<Cause>().notNull(),
    position: smallint(),
    severity: text().$type<Severity>().notNull(),
    tempo: text().$type<'step' | 'ramp'>().notNull(),
    confidence: real().notNull(),
    alternatives: jsonb().$type<readonly { readonly cause: Cause; readonly confidence: number }[]>().notNull(),
    evidence: jsonb().$type<readonly Evidence[]>().notNull(),
    /** Its largest change, as ln or l/h. */
    size: real().notNull(),
    detected_at: time().notNull(),
    began_early: time().notNull(),
    began_at: time().notNull(),
    began_late: time().notNull(),
    state: text().$type<FindingState>().notNull().default('open'),
    /** Until when it is shelved, why, and its size when it was: it is open again once it has grown by half. */
    shelved_until: time(),
    reason: text(),
    shelved_size: real(),
    /** What a person found out: the true cause, or that there was none. */
    verdict: text().$type<Cause | 'none'>(),
    /** Who shelved, confirmed or dismissed it. */
    login: text(),
    ended_at: time(),
    updated_at: time().notNull(),
  },
  table => [
    uniqueIndex('health_findings_of_device').on(table.bssid, table.number),
    index('health_findings_newest').on(table.detected_at, table.id),
    index('health_findings_of_vendor').on(table.vendor_id, table.detected_at, table.id),
    index('health_findings_open')
      .on(table.vendor_id, table.cause)
      .where(sql`${table.state} = 'open'`),
  ],
)

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
    outcomes: count(),
    inside: count(),
    replaced_early: count(),
    /** Scores in multiples of the typical width, newest first, at most 200. */
    scores: real().array().notNull(),
    /** The level α for which the next interval is made. */
    level: doublePrecision().notNull(),
  },
  table => [primaryKey({ columns: [table.vendor_id, table.kind, table.basis] })],
)

/** What a type of membrane has shown in the seasons: corrections of its temperature coefficients, in K. */
export const membraneFits = pgTable('membrane_fits', {
  cartridge_type_id: bytewise()
    .primaryKey()
    .references(() => cartridgeTypes.id, { onDelete: 'cascade' }),
  water_k: real().notNull(),
  salt_k: real().notNull(),
  fitted_at: time().notNull(),
})

/** Medians of the residuals of a supply's devices by local day, in which a change of the water or the pressure shows. */
export const supplyDays = pgTable(
  'supply_days',
  {
    supply_key: bytewise().notNull(),
    day: integer().notNull(),
    medians: jsonb().$type<ByChannel<Neighbours>>().notNull(),
  },
  table => [primaryKey({ columns: [table.supply_key, table.day] })],
)

/** Changes of feed water or feed pressure that the devices of a supply share. */
export const supplyIncidents = pgTable(
  'supply_incidents',
  {
    supply_key: bytewise().notNull(),
    cause: text().$type<SupplyIncident['cause']>().notNull(),
    began_at: time().notNull(),
    vendor_id: bytewise().notNull(),
    /** Null for devices without a label, which have the same zone and a similar feed TDS. */
    water_supply: text(),
    /** The change, as ln, and the devices in whose median it was found. */
    value: real().notNull(),
    devices: integer().notNull(),
    ended_at: time(),
  },
  table => [
    primaryKey({ columns: [table.supply_key, table.cause, table.began_at] }),
    index('supply_incidents_of_vendor').on(table.vendor_id, table.began_at),
  ],
)

/** The analyses of supplies' water, as people have entered them. A supply is a label, in any case, of one vendor. */
export const supplyWaters = pgTable(
  'supply_waters',
  {
    vendor_id: bytewise()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    water_supply: text().notNull(),
    water_supply_key: sortKey('water_supply'),
    /** mg/l as CaCO₃. */
    calcium_hardness: doublePrecision().notNull(),
    alkalinity: doublePrecision().notNull(),
    ph: doublePrecision().notNull(),
    /** Who entered it last. */
    login: text().notNull(),
    updated_at: time().notNull(),
  },
  table => [primaryKey({ columns: [table.vendor_id, table.water_supply_key] })],
)
