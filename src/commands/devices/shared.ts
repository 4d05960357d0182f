/** Shared by commands on devices: needs, previews and messages. */
import { offlineStatus } from '../../domain/device.ts'
import { messages } from '../../domain/messages.ts'
import { isPlaceholder, type DeviceItem } from '../../store/selection.ts'
import type { Needs } from '../core/types.ts'
import type { Outcome } from '../core/runs/outcome.ts'
import { someDevices } from '../core/targetNeeds.ts'

export const settingsUpdatedMessage = (outcome: Outcome, total: number): string =>
  messages.settingsUpdated(outcome.done.length, total)

/** Cached for each selection, because every row of the palette shows it and renders at every key. */
const reachableTexts = new WeakMap<readonly DeviceItem[], { readonly text: string | undefined }>()

/** Returns `7 ready · 3 offline, skipped`, or undefined if no target is known to be offline. */
function reachableText(targets: readonly DeviceItem[]): string | undefined {
  const cached = reachableTexts.get(targets)
  if (cached) return cached.text
  const text = countReachable(targets)
  reachableTexts.set(targets, { text })
  return text
}
function countReachable(targets: readonly DeviceItem[]): string | undefined {
  if (targets.some(isPlaceholder)) return undefined
  const offlineCount = targets.filter(device => device.status === offlineStatus).length
  return offlineCount === 0 ? undefined : `${targets.length - offlineCount} ready · ${offlineCount} offline, skipped`
}

/** Shared by commands that are sent to devices; offline devices are skipped. */
export const deviceCommand = {
  entity: 'devices',
  needs: someDevices,
  preview: reachableText,
  repeatable: true,
} as const
/** Shared by commands that change records of devices, which may be offline. */
export const deviceRecordCommand = { entity: 'devices', needs: someDevices, repeatable: true } as const

/** Needs devices of a single vendor, because a vendor's filtration systems can be assigned only to its own devices. */
export const devicesOfOneVendor: Needs<readonly DeviceItem[]> = context => {
  const all = context.targets('devices')
  return all.some(({ vendor }) => vendor !== all[0]?.vendor) ? { blocked: messages.sameVendor } : someDevices(context)
}
