/** Which keys give a command. */
import { preferences } from '../../store/preferences.ts'
import type { Command } from '../core/types.ts'
import { appliesHere, type Context } from '../core/context.ts'

interface Chosen {
  readonly bareKeys: boolean
  readonly keys: Readonly<Record<string, readonly string[]>>
}

/** The keys that it came with. */
export const ownKeysOf = (command: Command): readonly string[] =>
  command.keys === undefined ? [] : typeof command.keys === 'string' ? [command.keys] : command.keys

/** The keys that are its: those that the person chose for it, or else its own. Not all need to be switched on. */
export const assignedKeysOf = (command: Command, { keys }: Pick<Chosen, 'keys'> = preferences): readonly string[] =>
  keys[command.id] ?? ownKeysOf(command)

/** A character that is pressed without a modifier. */
const isBare = (chord: string): boolean => chord.replace('shift+', '').length === 1

/** The keys that give it now: of those that are its, what is switched on. */
export const keysOf = (command: Command, chosen: Chosen = preferences): readonly string[] => {
  const assigned = assignedKeysOf(command, chosen)
  return chosen.bareKeys ? assigned : assigned.filter(keys => !keys.split(' ').some(isBare))
}

/** Returns whether a command's keys mean something here. */
export const isBoundIn = (context: Context) => (command: Command) =>
  appliesHere(command, context) && command.availability(context).is !== 'hidden'

/** Returns whether a command is one screen's: its keys come before the same keys of commands for everywhere. */
export const isOfScreen = ({ place }: Command): boolean => place !== undefined

/** Returns which of the commands that are bound to the same keys here those keys give. */
export const resolveBinding = (bound: readonly Command[]): Command | undefined => bound.find(isOfScreen) ?? bound[0]
