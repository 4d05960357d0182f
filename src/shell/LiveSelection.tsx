import { useEffect } from 'react'
import { useCount } from '../api/hooks.ts'
import { showsSelected } from '../commands/devices.ts'
import { errorMessages, isAbort } from '../commands/execute.ts'
import { fixSelection } from '../commands/surfaces/fixSelection.ts'
import { toastError } from '../commands/surfaces/toasts.tsx'
import { placeOf } from '../domain/routes.ts'
import { useSelection } from '../store/selection.ts'

/**
 * Keeps the count of devices that are selected by a search up to date. Screens that show the selected devices one by one
 * need to know which they are, so there it is fixed.
 */
export function LiveSelection({ pathname }: { pathname: string }): null {
  const selection = useSelection('devices')
  const { query } = selection
  const { data } = useCount('devices', query)
  useEffect(() => {
    if (query && data) selection.recount(query, data.count)
  }, [selection, query, data])
  const place = placeOf(pathname)
  const needed = query !== undefined && place !== undefined && showsSelected.has(place)
  useEffect(() => {
    if (!needed) return
    fixSelection('devices').catch((error: unknown) => {
      if (!isAbort(error)) for (const message of errorMessages(error)) toastError(message)
    })
  }, [needed, query])
  return null
}
