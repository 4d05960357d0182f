/** Caches which devices exist, because every message looks up its device. */
import { anyOf } from '../../db/anyOf.ts'
import type { Database } from '../../db/database.ts'
import { devices } from '../../db/schema/devices.ts'
import { batched } from '../../core/batches.ts'

/** Minimum milliseconds for which an existing device is cached; the maximum is twice as long. */
const existingTtl = 60_000
/** Milliseconds for which an unknown device is cached; shorter, because it may be created at any time. */
const unknownTtl = 5_000
/** Maximum cached unknown devices; when it is reached, they are removed from the cache. */
const maxUnknown = 10_000

export interface DeviceCache {
  /** Returns whether a device exists: synchronously if cached, otherwise resolved in the order of the calls. */
  has(bssid: string): boolean | Promise<boolean>
  /** Removes deleted devices from the cache. */
  forget(bssids: readonly string[]): void
}

/** Opens the cache; lookups are batched. `clock` returns milliseconds. */
export function openDeviceCache(db: Database, clock: () => number = () => performance.now()): DeviceCache {
  // Two generations, so that expiry does not have to scan entries.
  let current = new Set<string>()
  let previous = new Set<string>()
  /** When the current generation began, milliseconds. */
  let since = clock()
  const unknown = new Map<string, number>()
  const lookups = new Map<string, Promise<boolean>>()

  const find = batched(async (bssids: readonly string[]) => {
    const rows = await db.select({ bssid: devices.bssid }).from(devices).where(anyOf(devices.bssid, bssids))
    const existing = new Set(rows.map(({ bssid }) => bssid))
    return bssids.map(bssid => existing.has(bssid))
  })
  const lookUp = async (bssid: string) => {
    try {
      const exists = await find(bssid)
      if (exists) current.add(bssid)
      else {
        if (unknown.size >= maxUnknown) unknown.clear()
        unknown.set(bssid, clock() + unknownTtl)
      }
      return exists
    } finally {
      lookups.delete(bssid)
    }
  }
  return {
    has: bssid => {
      const at = clock()
      if (at - since >= existingTtl) {
        previous = at - since >= 2 * existingTtl ? new Set() : current
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
