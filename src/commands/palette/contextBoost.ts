/** What the selection makes likely: what a technician does first about devices in such a state. */
import type { StatusCode } from '../../domain/device.ts'
import type { DeviceItem } from '../../store/selection.ts'
import type { Presentation } from '../core/presentation.ts'
import { inPlace, type Context } from '../core/context.ts'
import { maxContextBoost } from '../arguments/rank.ts'

type Status = StatusCode
/** By status, the commands that answer it. A sensor that fails is seen on a chart. */
const answering: Readonly<Partial<Record<Status, readonly string[]>>> = {
  3: ['device.open'],
  4: ['device.valve'],
  5: ['device.reboot', 'device.resetSettings'],
  8: ['device.flush'],
  10: ['device.reboot'],
  11: ['device.charts'],
  12: ['device.charts'],
  13: ['device.charts'],
  14: ['device.charts'],
  15: ['device.charts'],
  16: ['device.charts'],
  17: ['device.charts'],
  18: ['device.valve'],
}

/** So many of the selected tell what the others are like. */
const maxInspected = 1000

export type ContextBoost = (command: Pick<Presentation, 'id' | 'entity' | 'place' | 'inList'>) => number

/** How likely each command is for what is selected now, up to `maxContextBoost`. Looks at the selection once, now. */
export function contextBoost(context: Context): ContextBoost {
  const targets: readonly DeviceItem[] = context.targets('devices').slice(0, maxInspected)
  const counts = new Map<string, number>()
  for (const { status } of targets)
    for (const id of answering[status as Status] ?? []) counts.set(id, (counts.get(id) ?? 0) + 1)
  return command => {
    const here = command.entity !== undefined && inPlace(command, context) && context.targets(command.entity).length > 0
    const answers = (counts.get(command.id) ?? 0) / Math.max(1, targets.length)
    return maxContextBoost * ((here ? 0.25 : 0) + 0.75 * answers)
  }
}
