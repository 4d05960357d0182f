/** Waits for rows to load. */
import { focus } from '../../../store/focus.ts'
import { entities } from '../../../store/lists.ts'
import { subscribeContext } from '../context.ts'

const hasFailed = () => entities.some(entity => focus[entity].hasFailed)

/**
 * Resolves with whether rows have loaded: true also once none are pending any more, false as soon as loading them has
 * failed or the signal is aborted.
 */
export function whenRowsLoaded(arePending: () => boolean, signal: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  let hasWaited = false
  const check = () => {
    if (signal.aborted) return resolve(false)
    if (!arePending()) return resolve(!(hasWaited && hasFailed()))
    hasWaited = true
  }
  const stop = subscribeContext(check)
  signal.addEventListener('abort', check)
  check()
  return promise.finally(stop)
}
