/** Command state for components: each renders again only when what it shows has changed. */
import { useSyncExternalStore } from 'react'
import { useSnapshot } from 'valtio'
import { preferences } from '../../../store/preferences.ts'
import type { AnyItem } from '../../../store/selection.ts'
import type { Availability, Command } from '../../core/types.ts'
import { withTargets, currentContext, subscribeContext, type Context } from '../../core/context.ts'
import { assignedKeysOf, keysOf } from '../../keys/bindings.ts'

/** A value read from the context; must be comparable by ===. */
export function useFromContext<Value extends string | number | boolean | undefined>(
  select: (context: Context) => Value,
): Value {
  return useSyncExternalStore(subscribeContext, () => select(currentContext()))
}

/** Where a command is given something in place of what is selected, the context that it then has. */
const given = (context: Context, { entity }: Command, items: readonly AnyItem[] | undefined): Context =>
  items ? withTargets(context, entity, items) : context

/** The command's state now, with the reason where it is blocked; on these, where it is given them. */
export function useAvailability(command: Command, items?: readonly AnyItem[]): Availability {
  const told = useFromContext(context => {
    const now = command.availability(given(context, command, items))
    return now.is === 'blocked' ? `blocked ${now.reason}` : now.is
  })
  return told === 'ready' || told === 'hidden' ? { is: told } : { is: 'blocked', reason: told.slice('blocked '.length) }
}

/** The keys that give the command, as they are now. */
export const useKeysOf = (command: Command): readonly string[] => keysOf(command, useSnapshot(preferences))

/** The keys that are its, whether they are switched on or not. */
export const useAssignedKeysOf = (command: Command): readonly string[] =>
  assignedKeysOf(command, useSnapshot(preferences))

export const useLabel = (command: Command, items?: readonly AnyItem[]): string =>
  useFromContext(context => command.label(given(context, command, items)))
export const usePreview = (command: Command): string | undefined => useFromContext(context => command.preview(context))
