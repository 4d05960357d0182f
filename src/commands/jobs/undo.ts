/** What is said before something is done: whether, and how, it can be undone. */
import { findCommand } from '../core/registry.ts'
import type { Command } from '../core/types.ts'
import { changesTargets } from '../core/execution/execute.ts'
import { isApple } from '../../store/platform.ts'
import { keycaps } from '../keys/keymap.ts'
import { keysOf } from '../keys/bindings.ts'

/** `Z undoes it`, perhaps with what it does not, or `Can’t be undone`; nothing of what changes nothing. */
export function undoText(command: Command): string | undefined {
  if (!changesTargets(command)) return undefined
  if (!command.undo) return 'Can’t be undone'
  const undo = findCommand(command.id === 'run.undo' ? 'run.redo' : 'run.undo')
  const [keys] = undo ? keysOf(undo) : []
  const does = command.id === 'run.undo' ? 'does it again' : 'undoes it'
  const text = keys ? `${keycaps(keys, isApple()).join(' ').toUpperCase()} ${does}` : 'Can be undone'
  return command.notUndoable ? `${text}, but not ${command.notUndoable}` : text
}
