import { useEffect } from 'react'
import { useCount } from '../api/useCount.ts'
import { showsSelected } from '../commands/devices/commands.ts'
import { isAbort } from '../commands/core/execution/execute.ts'
import { materializeWithProgress } from '../commands/surfaces/host/materializeSelection.ts'
import { toastFailure } from '../commands/surfaces/toasts/toasts.tsx'
import { screenAt } from '../domain/lists/routes.ts'
import type { Entity } from '../store/lists.ts'
import { useSelection } from '../store/selection.ts'

/**
 * Keeps the count of a followed search up to date. Screens that show the selected devices individually need their ids, so
 * there the selection is materialized.
 */
export function LiveSelection({ entity, pathname }: { entity: Entity; pathname: string }): null {
  const selection = useSelection(entity)
  const { query } = selection
  const { data } = useCount(entity, query)
  useEffect(() => {
    if (query && data) selection.setMatchCount(query, data.count)
  }, [selection, query, data])
  const screen = screenAt(pathname)
  const needed = entity === 'devices' && query !== undefined && screen !== undefined && showsSelected.has(screen)
  useEffect(() => {
    if (!needed) return
    materializeWithProgress(entity).catch((error: unknown) => {
      if (!isAbort(error)) toastFailure(error)
    })
  }, [needed, entity, query])
  return null
}
