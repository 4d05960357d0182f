/**
 * Where readings and their sums are kept. What follows from a reading beside them (the devices' newest values and lifetime
 * litres, and which readings wait for the alarms) is in PostgreSQL in any case.
 */
import type { Range } from '../../src/api/contract/statistics.ts'
import type { Database } from '../db/database.ts'
import type { Reading } from '../protocol/messages.ts'
import type { MeanColumns } from './means.ts'
import type { Level, Rollup } from './rollup.ts'

export interface ReadingKey {
  readonly bssid: string
  /** Time of the reading, milliseconds UTC. */
  readonly at: number
}

export interface ReceivedReading extends ReadingKey {
  readonly reading: Reading
}

export interface Batch {
  /** A new id, under which the batch waits for its evaluation. */
  readonly id: string
  /** Now, milliseconds UTC. */
  readonly storedAt: number
  /** Sorted by device and time, without two of the same time. */
  readonly readings: readonly ReceivedReading[]
  /**
   * When the last message of each device was received, milliseconds UTC; even if all of its readings were rejected.
   */
  readonly received: ReadonlyMap<string, number>
}

export interface StoreResult {
  /** Those objects of the batch whose readings were not stored before, sorted by device and time. */
  readonly fresh: readonly ReceivedReading[]
  /** BSSIDs of devices that do not exist. */
  readonly unknown: readonly string[]
}

/** The buckets of a chart. */
export interface Grid {
  readonly range: Range
  /** The time zone of the chart, in whose days the buckets are. */
  readonly zone: string
  /** Start of each bucket and end of the last, milliseconds UTC. */
  readonly edges: readonly number[]
}

/** Days for which readings and ten-minute rollups are kept at least, see `partitionDays`; other rollups are kept forever. */
export interface RetentionPolicy {
  readonly rawDays: number
  readonly tenMinuteDays: number
}

export interface TelemetryStore {
  /** Readings per batch; larger batches are no faster. */
  readonly maxBatch: number
  /**
   * Stores a batch with everything that follows from it, or nothing. A reading that is stored already counts for nothing,
   * however often it comes. Rejects if a database fails; then the readings must not be acknowledged.
   */
  write(batch: Batch): Promise<StoreResult>
  /** Returns the stored readings of these keys in their order, without those that have been removed since. */
  read(keys: readonly ReadingKey[]): Promise<readonly ReceivedReading[]>
  /**
   * Returns the means of each device in the buckets of a grid; devices without readings are absent, and so are buckets
   * without readings. Starts that are none of the grid's edges are to be ignored.
   */
  means(bssids: readonly string[], grid: Grid, now: Date): Promise<ReadonlyMap<string, MeanColumns>>
  /**
   * Imports history: rollups that were not computed from stored readings, each at most once. Each reading must be included
   * in an hourly rollup (and in a ten-minute rollup, within their retention), or in a UTC day only. Charts of a year read
   * all levels; charts of a month and a week need hours. `at` must be the start of a bucket, and keys must be unique.
   * `tx`: a transaction on PostgreSQL, with which the import is done or not.
   */
  importRollups(tx: Database, level: Level, rows: readonly Rollup[]): Promise<void>
  /** Returns which of the devices have rollups before an hour that starts at `before`, milliseconds UTC, or imported days. */
  devicesWithHistory(tx: Database, bssids: readonly string[], before: number): Promise<ReadonlySet<string>>
  /** To be called once much history was imported, so that reading it is fast. */
  settleImport(): Promise<void>
  /** Does what keeps storing and reading fast; to be called every minute. `now`: milliseconds UTC. */
  prepare(now: number, stop: AbortSignal): Promise<void>
  /** Drops the partitions whose readings or ten-minute rollups all exceed their retention. `now`: milliseconds UTC. */
  retain(now: number, policy: RetentionPolicy, stop: AbortSignal): Promise<void>
  /**
   * Removes the telemetry of deleted devices for about `maxTime` milliseconds, or of all. Returns whether some is left that
   * nobody else is removing.
   */
  forgetDeleted(stop: AbortSignal, maxTime?: number): Promise<boolean>
  /** Whether the place beside PostgreSQL takes readings at present; always without one. Follows a failure within seconds. */
  canStore(): boolean
  close(): Promise<void>
}
