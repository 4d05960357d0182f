/** Authentication of devices by their secrets, with throttling. */
import { sql } from 'drizzle-orm'
import { anyOf } from '../../db/anyOf.ts'
import type { Database } from '../../db/database.ts'
import { deviceCredentials } from '../../db/schema/wire.ts'
import { addressGroup } from '../../core/addressGroup.ts'
import { batched } from '../../core/batches.ts'
import { limited } from '../../core/limited.ts'
import { verifySecret } from './credentials.ts'

/** Wrong secrets for a device from an address within one or two minutes, after which further attempts are throttled. */
const maxFailures = 5
const windowLength = 60_000
/** Maximum device and address pairs that are tracked. */
const maxTracked = 10_000
/** Milliseconds by which the response to a wrong secret is delayed, to slow down retries, also when throttled. */
const failureDelay = 1000
const throttledDelay = 5000
/** Secrets that are hashed at the same time: few, because Node's thread pool has four threads for all work. */
const maxChecks = 4
const maxThrottledChecks = 1

export interface SignIn {
  readonly bssid: string
  readonly secret: string
  readonly address: string
  /** Returns whether the connection has closed meanwhile, so that the check is no longer needed. */
  readonly isClosed: () => boolean
}

export type SignInResult =
  | {
      readonly accepted: true
      /** When the device signed in: milliseconds by the database's clock, which orders the sign-ins at all servers. */
      readonly at: number
      /** The hash of the device's secret. */
      readonly hash: string
    }
  | {
      readonly accepted: false
      /** Milliseconds to wait before the refusal is sent. */
      readonly delay: number
    }

/**
 * Returns a function that checks a device's secret against the database; it rejects only if the database fails.
 * Lookups are batched, because a whole fleet may reconnect at once.
 *
 * Wrong secrets never lock a device out, because it may share its address with the sender. After some of them
 * for a device and an address, attempts are checked one at a time, so that guessing uses a fraction of a core, and
 * refused later.
 */
export function openSignIn(db: Database): (attempt: SignIn) => Promise<SignInResult> {
  const find = batched(async (bssids: readonly string[]) => {
    const rows = await db
      .select({
        bssid: deviceCredentials.bssid,
        hash: deviceCredentials.hash,
        at: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::float8`,
      })
      .from(deviceCredentials)
      .where(anyOf(deviceCredentials.bssid, bssids))
    const found = new Map(rows.map(row => [row.bssid, row]))
    return bssids.map(bssid => found.get(bssid))
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
  const check = limited(maxChecks)
  const checkThrottled = limited(maxThrottledChecks)

  return async ({ bssid, secret, address, isClosed }) => {
    rotate()
    const key = `${bssid} ${addressGroup(address)}`
    const isThrottled = failuresOf(key) >= maxFailures
    const stored = await find(bssid)
    const isRight = await (isThrottled ? checkThrottled : check)(
      async () => stored !== undefined && !isClosed() && (await verifySecret(secret, stored.hash)),
    )
    if (stored !== undefined && isRight) return { accepted: true, at: stored.at, hash: stored.hash }
    current.set(key, (current.get(key) ?? 0) + 1)
    return { accepted: false, delay: isThrottled ? throttledDelay : failureDelay }
  }
}
