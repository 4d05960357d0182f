/** Which devices there are, asked for with every message. */
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { devices } from '../../db/schema/devices.ts'
import { inBatches } from '../../core/batches.ts'

/** Milliseconds for which an answer is good: twice as long, at most, for a device that is there. */
const fresh = 60_000
/** Sooner for one that is not, as it may be created meanwhile. */
const freshAbsence = 5_000
/** Strangers remembered; beyond that they are all forgotten. */
const maxStrangers = 10_000

export interface KnownDevices {
  /** Whether the device exists: at once where that is known, in the order asked where it must be looked up. */
  has(bssid: string): boolean | Promise<boolean>
  /** Forgets devices that were deleted. */
  forget(bssids: readonly string[]): void
}

/** Devices that speak are looked up in batches and remembered for a minute or two. `clock`: milliseconds. */
export function knownDevices(db: Database, clock: () => number = () => performance.now()): KnownDevices {
  // Two generations, so that nobody is looked at one by one to be forgotten.
  let young = new Set<string>()
  let old = new Set<string>()
  let since = clock()
  const strangers = new Map<string, number>()
  const asked = new Map<string, Promise<boolean>>()

  const find = inBatches(async (bssids: readonly string[]) => {
    const found = await db
      .select({ bssid: devices.bssid })
      .from(devices)
      .where(sql`${devices.bssid} = any(${sql.param(bssids)}::text[])`)
    const there = new Set(found.map(({ bssid }) => bssid))
    return bssids.map(bssid => there.has(bssid))
  })
  const lookUp = async (bssid: string) => {
    try {
      const found = await find(bssid)
      if (found) young.add(bssid)
      else {
        if (strangers.size >= maxStrangers) strangers.clear()
        strangers.set(bssid, clock() + freshAbsence)
      }
      return found
    } finally {
      asked.delete(bssid)
    }
  }
  return {
    has: bssid => {
      const at = clock()
      if (at - since >= fresh) {
        old = at - since >= 2 * fresh ? new Set() : young
        young = new Set()
        since = at
      }
      const waiting = asked.get(bssid)
      if (waiting !== undefined) return waiting
      if (young.has(bssid) || old.has(bssid)) return true
      if ((strangers.get(bssid) ?? 0) > at) return false
      strangers.delete(bssid)
      const looking = lookUp(bssid)
      asked.set(bssid, looking)
      return looking
    },
    forget: bssids => {
      for (const bssid of bssids) {
        young.delete(bssid)
        old.delete(bssid)
      }
    },
  }
}
