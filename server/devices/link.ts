/**
 * The port to the devices: a command goes out, an acknowledgement or a reason comes back.
 * Whatever stands behind it (a simulated fleet, the wire), the callers are the same.
 */
import type { FlushSettings } from '../../src/api/contract/settings.ts'

export type DeviceCommand =
  | { readonly type: 'flush' | 'reboot' }
  | { readonly type: 'lock'; readonly locked: boolean }
  | { readonly type: 'valve'; readonly closed: boolean }
  | { readonly type: 'reset'; readonly scope: 'settings' | 'factory' }
  | { readonly type: 'set_flush'; readonly settings: Partial<FlushSettings> }
  | { readonly type: 'set_idle_protection'; readonly duration: number }
  | { readonly type: 'set_bypass'; readonly smart?: number | undefined; readonly state?: number | undefined }
  | { readonly type: 'set_uv'; readonly mode: number }

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
