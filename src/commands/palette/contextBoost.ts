/** What the selection makes likely: what a technician does first about devices in such a state. */
import type { DeviceItem } from '../../store/selection.ts'
import type { Presentation } from '../core/presentation.ts'
import { appliesHere, type Context } from '../core/context.ts'
import { maxContextBoost } from '../arguments/rank.ts'

/** So many of the selected tell what the others are like. */
const maxInspected = 1000

export type ContextBoost = (command: Pick<Presentation, 'suggestedFor' | 'entity' | 'place' | 'inList'>) => number

/** How likely each command is for what is selected now, up to `maxContextBoost`. Looks at the selection once, now. */
export function contextBoost(context: Context): ContextBoost {
  const targets: readonly DeviceItem[] = context.targets('devices').slice(0, maxInspected)
  const counts = new Map<number, number>()
  for (const { status } of targets) counts.set(status, (counts.get(status) ?? 0) + 1)
  return command => {
    const here =
      command.entity !== undefined && appliesHere(command, context) && context.targets(command.entity).length > 0
    const answered = (command.suggestedFor ?? []).reduce<number>((sum, status) => sum + (counts.get(status) ?? 0), 0)
    const answers = answered / Math.max(1, targets.length)
    return maxContextBoost * ((here ? 0.25 : 0) + 0.75 * answers)
  }
}
