/** The list on which a step acts, for steps of commands that act on the list on screen. */
import { nounsOf } from '../../domain/lists/lists.ts'
import type { Entity } from '../../store/lists.ts'
import type { Step } from '../../store/scripts/recording.ts'
import type { Context } from '../core/context.ts'
import { findCommand } from '../core/registry.ts'
import type { Command } from '../core/types.ts'
import { stepTitle } from './steps.ts'

/** Whether the command acts on the list on screen, whichever it is. */
const actsOnList = ({ id, entity, inList }: Command): boolean =>
  entity === undefined && (inList === true || id.startsWith('list.'))

/** Returns the list on screen; without one, such commands act on devices. */
const listedEntity = ({ list }: Context): Entity => list?.entity ?? 'devices'

/** Returns the list that a step of the command is recorded with; undefined if it acts on none. */
export const recordedList = (command: Command, context: Context): Entity | undefined =>
  actsOnList(command) ? listedEntity(context) : undefined

/**
 * Returns the list on which a step acts; undefined if it may be any. A selecting step that was recorded without its list
 * selects for the next step that acts on rows, unless another screen is opened before.
 */
function listOf(steps: readonly Step[], index: number): Entity | undefined {
  const step = steps[index]
  const command = step && findCommand(step.command)
  if (!command || !actsOnList(command)) return undefined
  if (step.list !== undefined || command.selection !== 'changes') return step.list
  const later = steps.slice(index + 1).map(one => findCommand(one.command))
  return later.find(one => one?.entity !== undefined || one?.id.startsWith('go.'))?.entity
}

/** Returns why a step cannot run here: it acts on another list than the one on screen. Undefined if it can. */
export function listProblem(steps: readonly Step[], index: number, context: Context): string | undefined {
  const step = steps[index]
  const list = listOf(steps, index)
  return step === undefined || list === undefined || list === listedEntity(context)
    ? undefined
    : `“${stepTitle(step)}” acts on the list of ${nounsOf(list)[1]}: open it first`
}
