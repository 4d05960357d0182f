import { subscribe } from 'valtio/vanilla'
import { connection } from '../store/connection.ts'
import { afterFirstRowsIdle } from '../store/firstRows.ts'
import { signedInRole } from '../store/session.ts'
import { receivesUpdates } from './useLiveUpdates.ts'

/** Milliseconds after which parts load without a connection, such as in a hidden tab. */
const maxWait = 2_000

/**
 * Resolves once live updates are connected after the first rows, or could not be, for parts whose data would otherwise
 * be read before and again after the connection.
 */
export async function afterConnection(): Promise<void> {
  await afterFirstRowsIdle()
  if (connection.attempted || !receivesUpdates(signedInRole())) return
  await new Promise<void>(resolve => {
    const stop = subscribe(connection, () => connection.attempted && end())
    const timer = setTimeout(end, maxWait)
    function end(): void {
      stop()
      clearTimeout(timer)
      resolve()
    }
  })
}
