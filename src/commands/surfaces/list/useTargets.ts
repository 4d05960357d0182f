import { useEffect, useState } from 'react'
import type { ItemOf } from '../../../api/lists.ts'
import type { Entity } from '../../../store/lists.ts'
import { selections, selectionState } from '../../../store/selection.ts'
import { useDebouncedValue } from '../../../ui/useDebouncedValue.ts'
import { currentContext } from '../../core/context.ts'
import { useContextValue } from '../run/commandHooks.ts'

/** Milliseconds without a change of the focus or the selection before the panel updates. */
const delays = { focus: 140, selection: 50 } as const

/** Returns the targets of commands for the panel, debounced so that the panel does not slow down a held arrow key. */
export function useTargets<E extends Entity>(entity: E): readonly ItemOf<E>[] {
  const version = useContextValue(
    ({ targets, list }) => `${selectionState.version} ${list?.focus.pageLoads ?? 0} ${targets(entity)[0]?.id ?? ''}`,
  )
  const settled = useDebouncedValue(version, delays[selections[entity].size > 0 ? 'selection' : 'focus'])
  const [targets, setTargets] = useState<readonly ItemOf<E>[]>([])
  useEffect(() => setTargets(currentContext().targets(entity)), [settled, entity])
  return targets
}
