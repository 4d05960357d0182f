/** Boosts the commands that the selection makes likely, such as what a technician runs first for a leak. */
import type { DeviceItem } from '../../store/selection.ts'
import type { Presentation } from '../core/presentation.ts'
import { appliesHere, type Context } from '../core/context.ts'
import { maxContextBoost } from '../arguments/rank.ts'

/** The maximum number of selected devices that are inspected; they represent the others. */
const maxInspected = 1000

export type ContextBoost = (command: Pick<Presentation, 'suggestedFor' | 'entity' | 'screen' | 'inList'>) => number

/** Returns a function for the boost of each command, up to `maxContextBoost`. Reads the selection only once. */
export function contextBoost(context: Context): ContextBoost {
  const targets: readonly DeviceItem[] = context.targets('devices').slice(0, maxInspected)
  const counts = new Map<number, number>()
  for (const { status } of targets) counts.set(status, (counts.get(status) ?? 0) + 1)
  return command => {
    const actsOnSelection =
      command.entity !== undefined && appliesHere(command, context) && context.targets(command.entity).length > 0
    const matching = (command.suggestedFor ?? []).reduce<number>((sum, status) => sum + (counts.get(status) ?? 0), 0)
    const share = matching / Math.max(1, targets.length)
    return maxContextBoost * ((actsOnSelection ? 0.25 : 0) + 0.75 * share)
  }
}
