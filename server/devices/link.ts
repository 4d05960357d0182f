/**
 * The port to the devices: a command goes out, an acknowledgement or a reason comes back.
 * Whatever stands behind it (the wire, a test), the callers are the same.
 */
import type { DeviceCommand } from '../protocol/commands.ts'

export type Acknowledgement = { readonly ok: true } | { readonly ok: false; readonly reason: string }

export interface Link {
  /**
   * Sends one command to one device and resolves once the device acknowledged or refused it, at the latest
   * after `acknowledgementTimeout`. Never rejects: what goes wrong on the way is a reason.
   */
  send(bssid: string, command: DeviceCommand): Promise<Acknowledgement>
  close(): Promise<void>
}

/** Milliseconds within which a device must answer. */
export const acknowledgementTimeout = 10_000
