/** What commands on devices have in common. */
import { offline } from '../../domain/device.ts'
import { messages } from '../../domain/messages.ts'
import { isPlaceholder, type DeviceItem } from '../../store/selection.ts'
import type { Needs } from '../core/types.ts'
import type { Outcome } from '../core/runs/outcome.ts'
import { someDevices } from '../core/needs.ts'

export const updated = (outcome: Outcome, total: number): string => messages.settingsUpdated(outcome.done.length, total)

/** Counted once for each selection: every row of the palette says it, at every key. */
const counted = new WeakMap<readonly DeviceItem[], { readonly text: string | undefined }>()

/** `7 now · 3 offline would be skipped`; nothing where none is known to be offline. */
function reachable(targets: readonly DeviceItem[]): string | undefined {
  const before = counted.get(targets)
  if (before) return before.text
  const text = countReachable(targets)
  counted.set(targets, { text })
  return text
}
function countReachable(targets: readonly DeviceItem[]): string | undefined {
  if (targets.some(isPlaceholder)) return undefined
  const away = targets.filter(device => device.status === offline).length
  return away === 0 ? undefined : `${targets.length - away} now · ${away} offline would be skipped`
}

/** Of every command that many devices are asked to obey. */
export const onDevices = { entity: 'devices', needs: someDevices, preview: reachable, repeatable: true } as const
/** Of what is written down about devices, which need not be reached for it. */
export const aboutDevices = { entity: 'devices', needs: someDevices, repeatable: true } as const

/** What is assigned to a vendor can go to its devices only. */
export const devicesOfOneVendor: Needs<readonly DeviceItem[]> = context => {
  const all = context.targets('devices')
  return all.some(({ vendor }) => vendor !== all[0]?.vendor) ? { blocked: messages.sameVendor } : someDevices(context)
}
