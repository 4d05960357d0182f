/**
 * The link to devices: sends a command and returns its acknowledgement. Implemented over MQTT, and by fakes in tests.
 */
import type { DeviceCommand } from '../protocol/commands.ts'

export type Acknowledgement =
  | { readonly ok: true }
  /** `isUnanswered`: the device has not refused the command, so it may have executed it. */
  | { readonly ok: false; readonly reason: string; readonly isUnanswered?: boolean }

export interface Link {
  /**
   * Sends a command to a device and resolves with its acknowledgement or refusal, after `acknowledgementTimeout` at
   * the latest. Never rejects: failures are returned as a reason. With the `id` of a command that was sent before, the
   * command is sent again, or its result is returned if the device has answered since: a device executes an id once.
   */
  send(bssid: string, command: DeviceCommand, id?: string): Promise<Acknowledgement>
  close(): Promise<void>
}

/** Milliseconds within which a device must acknowledge a command. */
export const acknowledgementTimeout = 10_000
