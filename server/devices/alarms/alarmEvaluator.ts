/** Interface of the alarm evaluation: conditions of devices begin and end, and notifications are created. */
import type { LastWill, Reading, State } from '../../protocol/messages.ts'

/** Types of one-time events, as opposed to conditions. */
export type DeviceEventType = 'filtration_system_changed' | 'cartridge_replaced' | 'firmware_updated'

export interface AlarmEvaluator {
  /** Evaluates new readings, sorted by time within a device, after they were stored. */
  readings(fresh: readonly { readonly bssid: string; readonly reading: Reading }[]): Promise<void>
  /** Evaluates stored states, in order. */
  states(reported: readonly { readonly bssid: string; readonly state: State | LastWill }[]): Promise<void>
  /** Evaluates the next devices by time (cartridges, firmware) and deletes old notifications. */
  sweep(at: Date): Promise<void>
  /** Handles devices that went offline. */
  offline(bssids: readonly string[], at: Date): Promise<void>
  /** Handles devices that are back online. */
  online(bssids: readonly string[], at: Date): Promise<void>
  /** Creates a notification of a one-time event for each device, with values for its text. Never rejects. */
  recordEvent(
    type: DeviceEventType,
    bssids: readonly string[],
    values?: Readonly<Record<string, string | number>>,
  ): Promise<void>
}
