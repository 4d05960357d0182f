/** Hooks with the state of commands; a component re-renders only when the value that it shows changes. */
import { useSyncExternalStore } from 'react'
import { useSnapshot } from 'valtio'
import { preferences } from '../../../store/preferences.ts'
import type { AnyItem } from '../../../store/selection.ts'
import { afterFrame } from '../../../store/timing/afterFrame.ts'
import type { Availability, Command } from '../../core/types.ts'
import { withTargets, currentContext, leadsHere, subscribeContext, type Context } from '../../core/context.ts'
import { assignedKeysOf, keysOf } from '../../keys/bindings.ts'

/** The components that show values of the context. */
const listeners = new Set<() => void>()
let unsubscribe: (() => void) | undefined
let isScheduled = false
/** The context while its change is announced, so that it is read once for all listeners. */
let changed: Context | undefined

function announce(): void {
  changed = currentContext()
  try {
    for (const listener of listeners) listener()
  } finally {
    changed = undefined
  }
}

/**
 * Announces changes after the next frame, so that it shows the row that a key moved to or selected without waiting for some
 * hundred buttons, whose state follows in the frame after it.
 */
function announceAfterFrame(): void {
  if (isScheduled) return
  isScheduled = true
  afterFrame(() => {
    isScheduled = false
    announce()
  })
}

/** Subscribes a component to the context, with one subscription to the store for all of them. */
function listen(listener: () => void): () => void {
  listeners.add(listener)
  unsubscribe ??= subscribeContext(announceAfterFrame)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    unsubscribe?.()
    unsubscribe = undefined
  }
}

/** Returns a value from the context; it must be comparable by ===. */
export function useContextValue<Value extends string | number | boolean | undefined>(
  select: (context: Context) => Value,
): Value {
  return useSyncExternalStore(listen, () => select(changed ?? currentContext()))
}

/** Returns the context with these items as the command's targets, instead of the selection. */
const contextWith = (context: Context, { entity }: Command, items: readonly AnyItem[] | undefined): Context =>
  items ? withTargets(context, entity, items) : context

/** Returns the command's availability, on `items` if they are given. */
export function useAvailability(command: Command, items?: readonly AnyItem[]): Availability {
  // As a string, which is comparable by ===.
  const state = useContextValue(context => {
    const availability = command.availability(contextWith(context, command, items))
    return availability.is === 'blocked' ? `blocked ${availability.reason}` : availability.is
  })
  return state === 'ready' || state === 'hidden'
    ? { is: state }
    : { is: 'blocked', reason: state.slice('blocked '.length) }
}

/** Returns the keys that run the command now. */
export const useKeysOf = (command: Command): readonly string[] => keysOf(command, useSnapshot(preferences))

/** Returns the keys that are assigned to the command, including keys that are turned off. */
export const useAssignedKeysOf = (command: Command): readonly string[] =>
  assignedKeysOf(command, useSnapshot(preferences))

export const useLabel = (command: Command, items?: readonly AnyItem[]): string =>
  useContextValue(context => command.label(contextWith(context, command, items)))
export const usePreview = (command: Command): string | undefined => useContextValue(context => command.preview(context))
/** Returns whether the command leads to the screen that is open. */
export const useLeadsHere = (command: Command): boolean => useContextValue(context => leadsHere(command, context))
