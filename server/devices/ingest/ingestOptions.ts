import type { Database } from '../../db/database.ts'
import type { Bus } from '../../bus/bus.ts'
import type { Log } from '../../core/log.ts'
import type { AlarmEvaluator } from '../alarms/alarmEvaluator.ts'
import type { DropCounter } from '../gateway/rateLimit.ts'
import type { TelemetryStore } from '../../telemetry/store.ts'
import type { UnsyncedDevices } from './unsynced.ts'

/** Dependencies of the ingest. */
export interface IngestOptions {
  readonly db: Database
  readonly telemetry: TelemetryStore
  readonly bus: Bus
  readonly log: Log
  readonly now: () => Date
  readonly alarms: AlarmEvaluator
  readonly drops: DropCounter
  /** Gets the devices whose values are to be copied to the lists. */
  readonly unsynced: UnsyncedDevices
  /** Days for which readings are kept; older ones are rejected. */
  readonly rawDays: number
  /**
   * Milliseconds between the starts of two batches, unless one is full: a statement costs more than its readings. The first
   * reading after a pause is stored at once. Overridden in tests.
   */
  readonly batchInterval?: number
  /**
   * Milliseconds for which even the first reading after a pause waits for others. Readings of a batch are sorted by time, so
   * it is longer than one way of a device's messages takes more than another one.
   */
  readonly settling?: number
}
