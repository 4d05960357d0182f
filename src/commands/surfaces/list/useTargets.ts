import { useEffect, useState } from 'react'
import type { ItemOf } from '../../../api/lists.ts'
import type { Entity } from '../../../store/lists.ts'
import { selections, selectionState } from '../../../store/selection.ts'
import { useSettled } from '../../../ui/useSettled.ts'
import { currentContext } from '../../context.ts'
import { useFromContext } from '../live.ts'

/** Milliseconds for which the focus must rest on a row before the panel follows it. */
const rest = 140

/** What commands act on. The selection shows at once; a moving focus only where it comes to rest. */
export function useTargets<E extends Entity>(entity: E): readonly ItemOf<E>[] {
  const version = useFromContext(
    ({ targets, list }) => `${selectionState.version} ${list?.focus.arrivals ?? 0} ${targets(entity)[0]?.id ?? ''}`,
  )
  const settled = useSettled(version, selections[entity].size > 0 ? 0 : rest)
  const [targets, setTargets] = useState<readonly ItemOf<E>[]>([])
  useEffect(() => setTargets(currentContext().targets(entity)), [settled, entity])
  return targets
}
