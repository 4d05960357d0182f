/** Networks from which an account has signed in before. */
import { and, eq, gt, lt } from 'drizzle-orm'
import { addressGroup } from '../core/addressGroup.ts'
import type { Database } from '../db/database.ts'
import { knownNetworks } from '../db/schema/sessions.ts'
import { msPerDay } from '../../src/domain/time.ts'

/** Milliseconds after which a network without a sign-in is forgotten. */
const knownLifetime = 90 * msPerDay

/**
 * Returns whether the account has signed in from the address's network in the last 90 days. Without an account the query runs
 * as well, so that the response time does not reveal whether there is one.
 */
export async function isKnownNetwork(
  db: Database,
  account: string | undefined,
  address: string,
  now: Date,
): Promise<boolean> {
  const recent = gt(knownNetworks.seen_at, new Date(now.getTime() - knownLifetime))
  const sameNetwork = and(eq(knownNetworks.account_id, account ?? ''), eq(knownNetworks.network, addressGroup(address)))
  return (await db.$count(knownNetworks, and(sameNetwork, recent))) > 0
}

/** Remembers that the account has signed in from the address's network, and forgets networks not seen for 90 days. */
export async function rememberNetwork(db: Database, account: string, address: string, now: Date): Promise<void> {
  await db
    .insert(knownNetworks)
    .values({ account_id: account, network: addressGroup(address), seen_at: now })
    .onConflictDoUpdate({ target: [knownNetworks.account_id, knownNetworks.network], set: { seen_at: now } })
  await db.delete(knownNetworks).where(lt(knownNetworks.seen_at, new Date(now.getTime() - knownLifetime)))
}
