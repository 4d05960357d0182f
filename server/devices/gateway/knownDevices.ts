/** Which devices there are, asked for with every message. */
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { devices } from '../../db/schema/devices.ts'
import { batched } from '../../core/batches.ts'

/** Milliseconds for which an answer is good: twice as long, at most, for a device that is there. */
const knownTtl = 60_000
/** Sooner for one that is not, as it may be created meanwhile. */
const unknownTtl = 5_000
/** Strangers remembered; beyond that they are all forgotten. */
const maxUnknown = 10_000

export interface KnownDevices {
  /** Whether the device exists: at once where that is known, in the order asked where it must be looked up. */
  has(bssid: string): boolean | Promise<boolean>
  /** Forgets devices that were deleted. */
  forget(bssids: readonly string[]): void
}

/** Devices that speak are looked up in batches and remembered for a minute or two. `clock`: milliseconds. */
export function knownDevices(db: Database, clock: () => number = () => performance.now()): KnownDevices {
  // Two generations, so that nobody is looked at one by one to be forgotten.
  let current = new Set<string>()
  let previous = new Set<string>()
  let since = clock()
  const unknown = new Map<string, number>()
  const lookups = new Map<string, Promise<boolean>>()

  const find = batched(async (bssids: readonly string[]) => {
    const found = await db
      .select({ bssid: devices.bssid })
      .from(devices)
      .where(sql`${devices.bssid} = any(${sql.param(bssids)}::text[])`)
    const existing = new Set(found.map(({ bssid }) => bssid))
    return bssids.map(bssid => existing.has(bssid))
  })
  const lookUp = async (bssid: string) => {
    try {
      const found = await find(bssid)
      if (found) current.add(bssid)
      else {
        if (unknown.size >= maxUnknown) unknown.clear()
        unknown.set(bssid, clock() + unknownTtl)
      }
      return found
    } finally {
      lookups.delete(bssid)
    }
  }
  return {
    has: bssid => {
      const at = clock()
      if (at - since >= knownTtl) {
        previous = at - since >= 2 * knownTtl ? new Set() : current
        current = new Set()
        since = at
      }
      const pendingLookup = lookups.get(bssid)
      if (pendingLookup !== undefined) return pendingLookup
      if (current.has(bssid) || previous.has(bssid)) return true
      if ((unknown.get(bssid) ?? 0) > at) return false
      unknown.delete(bssid)
      const lookup = lookUp(bssid)
      lookups.set(bssid, lookup)
      return lookup
    },
    forget: bssids => {
      for (const bssid of bssids) {
        current.delete(bssid)
        previous.delete(bssid)
      }
    },
  }
}
