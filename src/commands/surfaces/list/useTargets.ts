import { useEffect, useState } from 'react'
import type { ItemOf } from '../../../api/lists.ts'
import type { Entity } from '../../../store/lists.ts'
import { selections, selectionState } from '../../../store/selection.ts'
import { useDebouncedValue } from '../../../ui/useDebouncedValue.ts'
import { currentContext } from '../../core/context.ts'
import { useFromContext } from '../run/live.ts'

/** Milliseconds for which the focus must rest on a row, or the selection as it is, before the panel follows. */
const rest = { focus: 140, selection: 50 } as const

/** What commands act on, for the panel: a moment later, so that a held key is not slowed by what it leaves behind. */
export function useTargets<E extends Entity>(entity: E): readonly ItemOf<E>[] {
  const version = useFromContext(
    ({ targets, list }) => `${selectionState.version} ${list?.focus.arrivals ?? 0} ${targets(entity)[0]?.id ?? ''}`,
  )
  const settled = useDebouncedValue(version, rest[selections[entity].size > 0 ? 'selection' : 'focus'])
  const [targets, setTargets] = useState<readonly ItemOf<E>[]>([])
  useEffect(() => setTargets(currentContext().targets(entity)), [settled, entity])
  return targets
}
