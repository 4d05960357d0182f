/** Assigns keys to commands, and finds reserved keys and conflicts with other commands. Loaded when first needed. */
import type { ScreenId } from '../../domain/lists/routes.ts'
import { entities } from '../../store/lists.ts'
import { preferences } from '../../store/preferences.ts'
import { commands, findCommand } from '../core/registry.ts'
import type { Command, Option } from '../core/types.ts'
import type { Context } from '../core/context.ts'
import { groups } from '../core/presentation.ts'
import { isApple } from '../../store/platform.ts'
import { keycaps } from './keymap.ts'
import { displayName } from '../core/displayName.ts'
import { bestScore } from '../arguments/rank.ts'
import { assignedKeysOf, isOfScreen, defaultKeysOf } from './bindings.ts'

/**
 * Chords with mod that the browser does not pass to pages, or that people need on every page, such as copy and paste.
 */
const reservedWithMod: ReadonlySet<string> = new Set(
  't n w q r l shift+t shift+n shift+w shift+r c v x z y shift+z + - 0 F4'.split(' ').map(key => `mod+${key}`),
)
const reservedOthers: ReadonlySet<string> = new Set(['F5', 'F11', 'F12', 'alt+F4', 'alt+ArrowLeft', 'alt+ArrowRight'])

const display = (keys: string): string => keycaps(keys, isApple()).join(' ')

/** Returns the reason why these keys cannot be assigned; undefined if they can. */
export function reservedKeysReason(keys: string): string | undefined {
  for (const chord of keys.split(' ')) {
    if (reservedWithMod.has(chord) || reservedOthers.has(chord)) return `${display(chord)} is reserved by the browser`
    if (/^(meta|ctrl)\+/.test(chord)) return `${display(chord)} is reserved by the system`
    if (/(^|\+)Escape$/.test(chord)) return 'Esc always goes back'
    if (/(^|\+)Tab$/.test(chord)) return 'Tab always moves the focus'
  }
  return undefined
}

/** Returns the screens on which a command's keys work; undefined means all. */
function screensOf({ screen, entity, inList }: Command): readonly ScreenId[] | undefined {
  if (screen) return [screen]
  if (inList) return entity ? [entity] : entities
  return entity && (entity === 'devices' ? ['devices', 'device'] : [entity])
}

/** Whether both commands can apply on one screen and neither takes precedence. `same`: their keys are equal. */
function canConflict(one: Command, other: Command, same: boolean): boolean {
  if (!one.roles.some(role => other.roles.includes(role))) return false
  const screens = screensOf(one)
  const otherScreens = screensOf(other)
  // For the same keys, a command of one screen takes precedence there over a command for all screens.
  if (same && isOfScreen(one) !== isOfScreen(other) && !(screens && otherScreens)) return false
  return !screens || !otherScreens || screens.some(screen => otherScreens.includes(screen))
}

/** Keys of another command that conflict with new ones. */
export interface Conflict {
  readonly command: Command
  readonly keys: string
}

/**
 * Returns the conflicts of keys for a command: other commands with the same keys, or with keys that start with them or
 * are their start.
 */
export const conflictsOf = (command: Command, keys: string, all: readonly Command[] = commands): readonly Conflict[] =>
  all
    .filter(other => other.id !== command.id)
    .flatMap(other =>
      assignedKeysOf(other)
        .filter(theirs => {
          const same = theirs === keys
          const prefix = theirs.startsWith(`${keys} `) || keys.startsWith(`${theirs} `)
          return (same || prefix) && canConflict(command, other, same)
        })
        .map(theirs => ({ command: other, keys: theirs })),
    )

/** Returns a conflict as a sentence without its full stop. */
export const conflictText = ({ command, keys }: Conflict, wanted: string): string =>
  `${display(keys)} is assigned to “${displayName(command)}”${keys === wanted ? '' : keys.length > wanted.length ? ' and starts with these keys' : ' and would run first'}`

/**
 * Assigns exactly these keys to a command and removes them from the commands that had them. Returns the message. Throws
 * for reserved keys.
 */
export function rebind(id: string, keys: readonly string[]): string {
  const command = findCommand(id)
  if (!command) throw new Error(`There is no command ${id}`)
  const added = keys.filter(one => !assignedKeysOf(command).includes(one))
  for (const one of added) {
    const reason = defaultKeysOf(command).includes(one) ? undefined : reservedKeysReason(one)
    if (reason) throw new Error(`${reason}. Choose other keys.`)
  }
  const conflicts = added.flatMap(one => conflictsOf(command, one))
  for (const { command: other, keys: theirs } of conflicts)
    setKeys(
      other,
      assignedKeysOf(other).filter(one => one !== theirs),
    )
  setKeys(command, [...new Set(keys)])
  const losers = [...new Set(conflicts.map(({ command: other }) => `“${displayName(other)}”`))]
  const assigned = keys.length === 0 ? 'now has no keys' : `now uses ${keys.map(display).join(' or ')}`
  return `“${displayName(command)}” ${assigned}${losers.length > 0 ? `, removed from ${losers.join(' and ')}` : ''}`
}

/** Assigns the default keys to a command. Returns the message. */
export function reset(id: string): string {
  const command = findCommand(id)
  return rebind(id, command ? defaultKeysOf(command) : [])
}

function setKeys(command: Command, keys: readonly string[]): void {
  if (keys.join() === defaultKeysOf(command).join()) delete preferences.keys[command.id]
  else preferences.keys[command.id] = [...keys]
}

/**
 * Returns the commands to which keys can be assigned: all of the role, except those that are run only from their
 * control.
 */
export const bindableCommands = (context: Context): readonly Command[] =>
  commands.filter(
    command =>
      command.availability(context).is !== 'hidden' && !(command.keysOnly && defaultKeysOf(command).length === 0),
  )

/** Returns the bindable commands whose name, group, keywords or keys match the query. */
export const searchBindable = (context: Context, query: string): readonly Command[] =>
  bindableCommands(context).filter(
    command =>
      bestScore(query, displayName(command), [
        groups[command.group],
        ...(command.keywords ?? []),
        ...assignedKeysOf(command),
      ]) > 0,
  )

export const bindableOptions = (context: Context, query: string): readonly Option[] =>
  searchBindable(context, query).map(command => ({
    value: command.id,
    name: displayName(command),
    detail: assignedKeysOf(command).map(display).join(', ') || groups[command.group],
  }))
