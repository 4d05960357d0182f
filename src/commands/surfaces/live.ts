/** Command state for components: each renders again only when what it shows has changed. */
import { useSyncExternalStore } from 'react'
import { useSnapshot } from 'valtio'
import { preferences } from '../../store/preferences.ts'
import type { Availability, Command } from '../command.ts'
import { currentContext, subscribeContext, type Context } from '../context.ts'
import { ownKeysOf } from '../keysOf.ts'

/** A value read from the context; must be comparable by ===. */
export function useFromContext<Value extends string | number | boolean | undefined>(
  select: (context: Context) => Value,
): Value {
  return useSyncExternalStore(subscribeContext, () => select(currentContext()))
}

/** The command's state now, with the reason where it is blocked. */
export function useAvailability(command: Command): Availability {
  const told = useFromContext(context => {
    const now = command.availability(context)
    return now.is === 'blocked' ? `blocked ${now.reason}` : now.is
  })
  return told === 'ready' || told === 'hidden' ? { is: told } : { is: 'blocked', reason: told.slice('blocked '.length) }
}

/** The keys that give the command, as they are now. */
export const useKeysOf = (command: Command): readonly string[] =>
  useSnapshot(preferences).keys[command.id] ?? ownKeysOf(command)

export const useLabel = (command: Command): string => useFromContext(context => command.label(context))
export const usePreview = (command: Command): string | undefined => useFromContext(context => command.preview(context))
