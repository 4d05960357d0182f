/** Giving commands other keys: what the browser keeps, what another command has already. Loaded when first needed. */
import type { Place } from '../../domain/lists/routes.ts'
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
import { assignedKeysOf, isOfScreen, ownKeysOf } from './bindings.ts'

/** Chords that no page gets, or that people need for something else in every page. */
const browsers: ReadonlySet<string> = new Set(
  't n w q r l shift+t shift+n shift+w shift+r c v x z y shift+z + - 0 F4'.split(' ').map(key => `mod+${key}`),
)
const others: ReadonlySet<string> = new Set(['F5', 'F11', 'F12', 'alt+F4', 'alt+ArrowLeft', 'alt+ArrowRight'])

const read = (keys: string): string => keycaps(keys, isApple()).join(' ')

/** Why these keys cannot be had; undefined where they can. */
export function rebindRefusal(keys: string): string | undefined {
  for (const chord of keys.split(' ')) {
    if (browsers.has(chord) || others.has(chord)) return `${read(chord)} is the browser’s`
    if (/^(meta|ctrl)\+/.test(chord)) return `${read(chord)} is the system’s`
    if (/(^|\+)Escape$/.test(chord)) return 'Esc always goes back'
    if (/(^|\+)Tab$/.test(chord)) return 'Tab always moves on'
  }
  return undefined
}

/** The screens on which a command's keys mean something; undefined stands for all. */
function placesOf({ place, entity, inList }: Command): readonly Place[] | undefined {
  if (place) return [place]
  if (inList) return entity ? [entity] : entities
  return entity && (entity === 'devices' ? ['devices', 'device'] : [entity])
}

/** Whether both may be meant on one screen, where neither comes before the other. */
function meet(one: Command, other: Command, same: boolean): boolean {
  if (!one.roles.some(role => other.roles.includes(role))) return false
  const here = placesOf(one)
  const there = placesOf(other)
  // The same keys mean on one screen what they mean there, and something else everywhere else.
  if (same && isOfScreen(one) !== isOfScreen(other) && !(here && there)) return false
  return !here || !there || here.some(place => there.includes(place))
}

export interface Conflict {
  readonly command: Command
  /** Its keys that cannot be had beside the new ones. */
  readonly keys: string
}

/** What other commands have that stands in the way: the same keys, or some that begin with or are the beginning of them. */
export const conflictsOf = (command: Command, keys: string, all: readonly Command[] = commands): readonly Conflict[] =>
  all
    .filter(other => other.id !== command.id)
    .flatMap(other =>
      assignedKeysOf(other)
        .filter(theirs => {
          const same = theirs === keys
          const begins = theirs.startsWith(`${keys} `) || keys.startsWith(`${theirs} `)
          return (same || begins) && meet(command, other, same)
        })
        .map(theirs => ({ command: other, keys: theirs })),
    )

/** What is in the way, in a sentence. */
export const conflictText = ({ command, keys }: Conflict, wanted: string): string =>
  `${read(keys)} is “${displayName(command)}”${keys === wanted ? '' : keys.length > wanted.length ? ', which begins with it' : ', and would come first'}`

/** Gives a command these keys and no others, and takes them from those that had them. Says so. Throws what is refused. */
export function rebind(id: string, keys: readonly string[]): string {
  const command = findCommand(id)
  if (!command) throw new Error(`There is no command ${id}`)
  const added = keys.filter(one => !assignedKeysOf(command).includes(one))
  for (const one of added) {
    const reason = ownKeysOf(command).includes(one) ? undefined : rebindRefusal(one)
    if (reason) throw new Error(`${reason}. Choose other keys.`)
  }
  const lost = added.flatMap(one => conflictsOf(command, one))
  for (const { command: other, keys: theirs } of lost)
    give(
      other,
      assignedKeysOf(other).filter(one => one !== theirs),
    )
  give(command, [...new Set(keys)])
  const losers = [...new Set(lost.map(({ command: other }) => `“${displayName(other)}”`))]
  const now = keys.length === 0 ? 'has no keys' : `is ${keys.map(read).join(' or ')}`
  return `“${displayName(command)}” ${now}${losers.length > 0 ? `, taken from ${losers.join(' and ')}` : ''}`
}

/** A command's own keys again. */
export function reset(id: string): string {
  const command = findCommand(id)
  return rebind(id, command ? ownKeysOf(command) : [])
}

function give(command: Command, keys: readonly string[]): void {
  if (keys.join() === ownKeysOf(command).join()) delete preferences.keys[command.id]
  else preferences.keys[command.id] = [...keys]
}

/** Commands that may have keys: all that the role has, but for those that only their place gives what they need. */
export const bindable = (context: Context): readonly Command[] =>
  commands.filter(
    command => command.availability(context).is !== 'hidden' && !(command.keysOnly && ownKeysOf(command).length === 0),
  )

/** They are found by name, group, or the keys that they have. */
export const bindableLike = (context: Context, query: string): readonly Command[] =>
  bindable(context).filter(
    command =>
      bestScore(query, displayName(command), [
        groups[command.group],
        ...(command.keywords ?? []),
        ...assignedKeysOf(command),
      ]) > 0,
  )

export const bindableOptions = (context: Context, query: string): readonly Option[] =>
  bindableLike(context, query).map(command => ({
    value: command.id,
    name: displayName(command),
    detail: assignedKeysOf(command).map(read).join(', ') || groups[command.group],
  }))
