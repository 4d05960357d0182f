/** The group in which servers share the messages of devices at an external broker. */
import { randomBytes } from 'node:crypto'
import type { Database } from '../../db/database.ts'
import { shareGroups } from '../../db/schema/wire.ts'

/** The group of earlier versions, which devices could join: Mosquitto's access list does not check subscriptions. */
export const earlierGroup = 'permeate'

/** Returns the name of the group, which is a secret and the same for all servers of a database. */
export async function shareGroupOf(db: Database): Promise<string> {
  const name = `permeate-${randomBytes(16).toString('hex')}`
  // The server that starts first decides the name.
  await db.insert(shareGroups).values({ id: 1, name }).onConflictDoNothing()
  const [stored] = await db.select().from(shareGroups)
  return stored!.name
}
