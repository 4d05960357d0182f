/** Which keys give a command. */
import { preferences } from '../store/preferences.ts'
import type { Command } from './command.ts'

/** The keys that it came with. */
export const ownKeysOf = (command: Command): readonly string[] =>
  command.keys === undefined ? [] : typeof command.keys === 'string' ? [command.keys] : command.keys

/** The keys that give it now: those that the person chose for it, or else its own. */
export const keysOf = (command: Command): readonly string[] => preferences.keys[command.id] ?? ownKeysOf(command)
