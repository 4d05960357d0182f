/** Readings and states while the disk is full: they are not acknowledged, so that devices send them again. */
import type { DatabaseState } from '../../db/state.ts'
import type { Ingest } from './readings.ts'
import type { States } from './states.ts'

interface Stores {
  readonly ingest: Pick<Ingest, 'add'>
  readonly states: Pick<States, 'report'>
}

/** Returns stores that reject while the disk is full, before PostgreSQL fails for it. */
export function whileThereIsRoom({ ingest, states }: Stores, database: DatabaseState): Stores {
  const requireRoom = () => {
    if (database.isFull) throw new Error('The disk is full')
  }
  return {
    ingest: {
      add: async (...message) => {
        requireRoom()
        return ingest.add(...message)
      },
    },
    states: {
      report: async (...message) => {
        requireRoom()
        return states.report(...message)
      },
    },
  }
}
