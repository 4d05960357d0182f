/** Publishes events with a transaction instead of an open bus, for commands on the server's machine. */
import { sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import type { BusEvent } from './bus.ts'
import { payloadsOf } from './payloads.ts'

/** The channel of NOTIFY that every server listens to, whatever its bus is. */
export const notifyChannel = 'permeate'

/** Maximum bytes of a payload: NOTIFY allows fewer than 8,000 (PostgreSQL documentation). */
export const maxNotifyBytes = 7_999

/** Publishes events to all servers once the transaction is committed. */
export async function publishWith(tx: Database, events: readonly BusEvent[]): Promise<void> {
  const { payloads } = payloadsOf(events, maxNotifyBytes)
  await tx.execute(
    sql`select pg_notify(${notifyChannel}, payload) from unnest(${sql.param(payloads)}::text[]) as payload`,
  )
}
