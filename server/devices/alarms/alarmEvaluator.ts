/** Who decides when a condition of a device begins and ends, and makes the notifications of the beginnings. */
import type { LastWill, Reading, State } from '../../protocol/messages.ts'

/** What is done to a device, and told once: nothing that holds for a time. */
export type DeviceEventType = 'filtration_system_changed' | 'cartridge_replaced' | 'firmware_updated'

export interface AlarmEvaluator {
  /** Readings that were new, in order of time per device, once they are stored. */
  readings(fresh: readonly { readonly bssid: string; readonly reading: Reading }[]): Promise<void>
  /** States that were stored, in order. */
  states(reported: readonly { readonly bssid: string; readonly state: State | LastWill }[]): Promise<void>
  /** What the clock alone brings: cartridges that run out, firmware that devices could take, old notifications. */
  sweep(at: Date): Promise<void>
  /** Devices that have just fallen silent. */
  offline(bssids: readonly string[], at: Date): Promise<void>
  /** Devices that are heard again. */
  online(bssids: readonly string[], at: Date): Promise<void>
  /** Something was done to these devices: a notification each, with what its text needs. */
  recordEvent(
    type: DeviceEventType,
    bssids: readonly string[],
    values?: Readonly<Record<string, string | number>>,
  ): Promise<void>
}
