/** What the readings of devices show about their membranes and sensors: states, findings, and corrections by membrane type. */
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, real, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { FindingState, Severity } from '../../../src/domain/columns/findings.ts'
import type { DayScore } from '../../../src/domain/health/history/scores.ts'
import type { Assessment, Cause, Evidence, DiagnosisGroup } from '../../../src/domain/health/types/assessment.ts'
import type { ByChannel } from '../../../src/domain/health/types/channels.ts'
import type { HealthState } from '../../../src/domain/health/types/state.ts'
import { packed } from '../packed.ts'
import { bytewise, sortKey, time } from './columns.ts'
import { deviceReference, devices } from './devices.ts'
import { cartridgeTypes } from './filtration.ts'

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
    /** The newest day that was stepped before its state began anew; null if it has not. */
    earlier_day: integer(),
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
    index('device_health_supply').on(table.supply_key, table.bssid),
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
  /** Confidence of the likeliest cause. */
  readonly confidence: number | null
  readonly since: string | null
  readonly due_early: string | null
  readonly due_late: string | null
  /** The part that decides the score, and the days of data while it learns. */
  readonly worst: Assessment['worst']
  readonly learned: number
  /** Whether a part of the score has not been measured for long; absent in rows of earlier versions. */
  readonly stale?: boolean
}

/** What is wrong with a device, how sure that is, and what people said of it. */
export const healthFindings = pgTable(
  'health_findings',
  {
    id: bytewise().primaryKey(),
    bssid: deviceReference(),
    /** A copy of the device's, kept by a trigger. */
    vendor_id: bytewise().notNull(),
    /** A copy of the device's, kept by a trigger, by which the list is sorted and searched. */
    description: text().notNull().default(''),
    description_key: sortKey('description'),
    /** Counts the findings of a device. */
    number: integer().notNull(),
    group: text().$type<DiagnosisGroup>().notNull(),
    cause: bytewise().$type<Cause>().notNull(),
    position: smallint(),
    severity: text().$type<Severity>().notNull(),
    tempo: text().$type<'step' | 'ramp'>().notNull(),
    confidence: real().notNull(),
    /** The likeliest cause by the method alone, without verdicts, and its probability; kept as they are once there is a verdict. */
    claimed_cause: bytewise().$type<Cause>().notNull(),
    claimed_confidence: real().notNull(),
    alternatives: jsonb().$type<readonly { readonly cause: Cause; readonly confidence: number }[]>().notNull(),
    evidence: jsonb().$type<readonly Evidence[]>().notNull(),
    /** Its largest change, as ln or l/h. */
    size: real().notNull(),
    detected_at: time().notNull(),
    began_early: time().notNull(),
    began_at: time().notNull(),
    began_late: time().notNull(),
    state: text().$type<FindingState>().notNull().default('open'),
    /** Until when it is shelved, why, and its size when it was, or when it was dismissed: it is open again once it has grown by half. */
    shelved_until: time(),
    reason: text(),
    shelved_size: real(),
    /** What a person found out: the true cause, or that there was none. */
    verdict: text().$type<Cause | 'none'>(),
    /** Who shelved, confirmed or dismissed it. */
    login: text(),
    ended_at: time(),
    updated_at: time().notNull(),
    /** When it first asked for work and was sure enough for a notification; null before. */
    told_at: time(),
  },
  table => [
    uniqueIndex('health_findings_of_device').on(table.bssid, table.number),
    index('health_findings_newest').on(table.detected_at, table.id),
    index('health_findings_of_vendor').on(table.vendor_id, table.detected_at, table.id),
    index('health_findings_open')
      .on(table.vendor_id, table.cause)
      .where(sql`${table.state} = 'open'`),
    index('health_findings_open_newest')
      .on(table.detected_at, table.id)
      .where(sql`${table.state} = 'open'`),
    index('health_findings_by_description').on(table.description_key, table.id, table.vendor_id),
    index('health_findings_description_search').using('gin', table.description_key.op('gin_trgm_ops')),
    index('health_findings_judged')
      .on(table.claimed_cause, table.verdict, table.claimed_confidence)
      .where(sql`${table.verdict} is not null`),
    index('health_findings_told')
      .on(table.told_at)
      .where(sql`${table.state} = 'open'`),
  ],
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
