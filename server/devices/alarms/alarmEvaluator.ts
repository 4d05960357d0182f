/** Interface of the alarm evaluation: conditions of devices begin and end, and notifications are created. */
import type { Database } from '../../db/database.ts'
import type { LastWill, Reading, State } from '../../protocol/messages.ts'

/** Types of one-time events, as opposed to conditions. */
export const deviceEventTypes = ['filtration_system_changed', 'cartridge_replaced', 'firmware_updated'] as const
export type DeviceEventType = (typeof deviceEventTypes)[number]

export interface MarkedDevices {
  readonly bssids: readonly string[]
}

export interface AlarmEvaluator {
  /**
   * Evaluates new readings, sorted by time within a device, after they were stored, and deletes the row that says that
   * their batch waits for it.
   */
  readings(fresh: readonly { readonly bssid: string; readonly reading: Reading }[], batch: string): Promise<void>
  /** Evaluates batches of readings that a server has stored and not evaluated, because it was killed or failed. */
  recover(): Promise<void>
  /** Evaluates stored states, in order. */
  states(reported: readonly { readonly bssid: string; readonly state: State | LastWill }[]): Promise<void>
  /** Evaluates the next devices that are due by time (cartridges, firmware), beside other workers. */
  sweep(at: Date): Promise<void>
  /** Deletes some of the notifications that exceed their retention. */
  prune(at: Date): Promise<void>
  /**
   * Handles devices that went offline, which `mark` marks and returns. It runs in the transaction that stores their
   * conditions, so that a device is not marked without its notification. May run again after a conflict.
   */
  offline<Marked extends MarkedDevices>(mark: (tx: Database) => Promise<Marked>, at: Date): Promise<Marked>
  /** Handles devices that are back online. */
  online(bssids: readonly string[], at: Date): Promise<void>
  /**
   * Creates a notification of a one-time event for each device, with values for its text. Never rejects. `db` is the one of
   * what follows it: that of a call has a time-out.
   */
  recordEvent(
    db: Database,
    type: DeviceEventType,
    bssids: readonly string[],
    values?: Readonly<Record<string, string | number>>,
  ): Promise<void>
}
