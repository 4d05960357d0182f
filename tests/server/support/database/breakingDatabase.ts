/** A database that can be made to fail. */
import type { Database } from '../../../../server/db/database.ts'

export interface BreakingDatabase {
  readonly db: Database
  /** While it is true, each statement is refused. */
  isBroken: boolean
}

export function breakingDatabase(db: Database): BreakingDatabase {
  const refuse = () => {
    throw new Error('connection refused')
  }
  // What prepared statements use.
  const session = { prepareQuery: () => ({ execute: refuse }) }
  const state = { isBroken: false }
  const breaking = new Proxy(db, {
    get: (real, name: keyof typeof db) =>
      state.isBroken ? (name === '_' ? { session } : refuse) : (real[name] as unknown),
  })
  return Object.assign(state, { db: breaking })
}
