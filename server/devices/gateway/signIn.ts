/** Whether a device is who it says it is. */
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { deviceCredentials } from '../../db/schema/wire.ts'
import { batched } from '../../core/batches.ts'
import { verifySecret } from './credentials.ts'

/** Wrong secrets from one address for one device within a minute or two; the next ones are refused unseen. */
const maxFailures = 5
const windowLength = 60_000
/** Devices and addresses remembered with wrong secrets. */
const maxRemembered = 10_000
/** Milliseconds until a wrong secret is answered, so that who tries again at once is slow. */
const defaultFailureDelay = 1000

export interface SignIn {
  readonly bssid: string
  readonly secret: string
  readonly address: string
}

/**
 * Checks secrets against the database, looked up in batches: a whole fleet may come back at once. The returned function
 * rejects only where the database failed.
 */
export function openSignIn(db: Database, failureDelay = defaultFailureDelay): (given: SignIn) => Promise<boolean> {
  const hashOf = batched(async (bssids: readonly string[]) => {
    const rows = await db
      .select({ bssid: deviceCredentials.bssid, hash: deviceCredentials.hash })
      .from(deviceCredentials)
      .where(sql`${deviceCredentials.bssid} = any(${sql.param(bssids)}::text[])`)
    const hashes = new Map(rows.map(({ bssid, hash }) => [bssid, hash]))
    return bssids.map(bssid => hashes.get(bssid))
  })
  let current = new Map<string, number>()
  let previous = new Map<string, number>()
  let since = performance.now()
  const failuresOf = (key: string) => (current.get(key) ?? 0) + (previous.get(key) ?? 0)
  const rotate = () => {
    if (performance.now() - since < windowLength && current.size < maxRemembered) return
    previous = current
    current = new Map()
    since = performance.now()
  }
  return async ({ bssid, secret, address }) => {
    rotate()
    const key = `${bssid} ${address}`
    const hash = failuresOf(key) < maxFailures ? await hashOf(bssid) : undefined
    if (hash !== undefined && (await verifySecret(secret, hash))) return true
    current.set(key, (current.get(key) ?? 0) + 1)
    await wait(failureDelay, undefined, { ref: false })
    return false
  }
}
