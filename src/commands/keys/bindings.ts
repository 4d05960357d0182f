/** The keys of commands: the defaults, or those that the person has assigned. */
import { preferences } from '../../store/preferences.ts'
import type { Command } from '../core/types.ts'
import { appliesHere, type Context } from '../core/context.ts'
import type { PagePart } from '../core/page.ts'

interface KeyPreferences {
  /** Whether keys without a modifier are on. */
  readonly bareKeys: boolean
  readonly keys: Readonly<Record<string, readonly string[]>>
}

/** Returns the keys in the command's definition. */
export const defaultKeysOf = (command: Command): readonly string[] =>
  command.keys === undefined ? [] : typeof command.keys === 'string' ? [command.keys] : command.keys

/** Returns the keys assigned to a command: the person's, or else the defaults. Some may be switched off. */
export const assignedKeysOf = (
  command: Command,
  { keys }: Pick<KeyPreferences, 'keys'> = preferences,
): readonly string[] => keys[command.id] ?? defaultKeysOf(command)

/** Whether a chord is a single character without a modifier. */
const isBare = (chord: string): boolean => chord.replace('shift+', '').length === 1

/** Returns the active keys of a command: those assigned to it that are switched on. */
export const keysOf = (command: Command, keyPreferences: KeyPreferences = preferences): readonly string[] => {
  const assigned = assignedKeysOf(command, keyPreferences)
  return keyPreferences.bareKeys ? assigned : assigned.filter(keys => !keys.split(' ').some(isBare))
}

/** Returns a predicate for the commands whose keys work in a context. `focusIsIn`: whether the focus is in a part of the page. */
export const isBoundIn =
  (context: Context, focusIsIn: (part: PagePart) => boolean = () => false) =>
  (command: Command) =>
    appliesHere(command, context) &&
    (!command.within || focusIsIn(command.within)) &&
    command.availability(context).is !== 'hidden'

/**
 * Whether a command belongs to one screen or a part of the page. Its keys take precedence over the same keys of commands for
 * all screens.
 */
export const isOfScreen = ({ screen, within }: Command): boolean => (screen ?? within) !== undefined

/** Returns the command that runs, among those bound to the same keys in a context. */
export const resolveBinding = (bound: readonly Command[]): Command | undefined => bound.find(isOfScreen) ?? bound[0]
