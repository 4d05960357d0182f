/** The text in previews about whether and how a command can be undone. */
import { findCommand } from '../core/registry.ts'
import type { Command } from '../core/types.ts'
import { changesTargets } from '../core/changesTargets.ts'
import { isApple } from '../../store/platform.ts'
import { keycaps } from '../keys/keymap.ts'
import { keysOf } from '../keys/bindings.ts'

/** Returns `Undo with z`, perhaps with an exception, or `Can’t be undone`; undefined if the command changes nothing. */
export function undoText(command: Command): string | undefined {
  if (!changesTargets(command)) return undefined
  if (!command.undo) return 'Can’t be undone'
  const undo = findCommand(command.id === 'run.undo' ? 'run.redo' : 'run.undo')
  const [keys] = undo ? keysOf(undo) : []
  const does = command.id === 'run.undo' ? 'Redo' : 'Undo'
  const text = keys ? `${does} with ${keycaps(keys, isApple()).join(' ')}` : 'Can be undone'
  return command.notUndoable ? `${text}, but not ${command.notUndoable}` : text
}
