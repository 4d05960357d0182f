/** Authentication of devices by their secrets, with throttling. */
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { deviceCredentials } from '../../db/schema/wire.ts'
import { batched } from '../../core/batches.ts'
import { verifySecret } from './credentials.ts'

/** Wrong secrets for a device from an address within one or two minutes, after which attempts are not checked. */
const maxFailures = 5
const windowLength = 60_000
/** Maximum device and address pairs that are tracked. */
const maxTracked = 10_000
/** Milliseconds by which the response to a wrong secret is delayed, to slow down retries. */
const defaultFailureDelay = 1000

export interface SignIn {
  readonly bssid: string
  readonly secret: string
  readonly address: string
}

/**
 * Returns a function that checks a device's secret against the database; it rejects only if the database fails.
 * Lookups are batched, because a whole fleet may reconnect at once.
 */
export function openSignIn(db: Database, failureDelay = defaultFailureDelay): (attempt: SignIn) => Promise<boolean> {
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
    if (performance.now() - since < windowLength && current.size < maxTracked) return
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
