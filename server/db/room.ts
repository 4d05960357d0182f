/** What the server does by itself waits while the disk is full: what came of it could not be stored. */
import { setTimeout as wait } from 'node:timers/promises'
import { msPerSecond } from '../../src/domain/time.ts'
import type { DatabaseState } from './state.ts'

/** Milliseconds between two looks for space. */
export const roomInterval = msPerSecond

/** Resolves once the disk has space, or the signal is aborted. */
export async function untilThereIsRoom(database: DatabaseState, signal: AbortSignal): Promise<void> {
  while (database.isFull && !signal.aborted) await wait(roomInterval, undefined, { signal }).catch(() => undefined)
}
