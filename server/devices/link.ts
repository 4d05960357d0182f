/**
 * The link to devices: sends a command and returns its acknowledgement. Implemented over MQTT, and by fakes in tests.
 */
import type { DeviceCommand } from '../protocol/commands.ts'

export type Acknowledgement = { readonly ok: true } | { readonly ok: false; readonly reason: string }

export interface Link {
  /**
   * Sends a command to a device and resolves with its acknowledgement or refusal, after `acknowledgementTimeout` at
   * the latest. Never rejects: failures are returned as a reason.
   */
  send(bssid: string, command: DeviceCommand): Promise<Acknowledgement>
  close(): Promise<void>
}

/** Milliseconds within which a device must acknowledge a command. */
export const acknowledgementTimeout = 10_000
