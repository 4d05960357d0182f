/** A firmware version that fails on some devices, always the same ones, and on no others. */
import type { UpdateOutcome } from './model/firmware.ts'
import { shareOf } from './share.ts'

/** `failed`: the update is accepted, then fails, and the device keeps its version. `refused`: it is refused at once. */
export const failures = ['failed', 'refused'] as const

export interface FailingFirmware {
  readonly version: string
  /** Share of the devices on which it fails, from 0 to 1. */
  readonly share: number
  readonly failure: (typeof failures)[number]
}

/** Returns how a device's update to a version ends; undefined if that is left to chance. */
export function updateOutcome(
  bssid: string,
  failing: FailingFirmware | undefined,
  version: string,
): UpdateOutcome | undefined {
  if (failing === undefined || failing.version !== version) return undefined
  return shareOf(bssid, `firmware ${version}`) < failing.share ? failing.failure : 'installed'
}
