/** Cache of the active conditions that follow from messages. Its size grows with the number of active conditions. */
import type { Database } from '../../db/database.ts'
import type { Bus } from '../../bus/bus.ts'
import { noConditions, type ActiveConditions } from './conditions.ts'
import { liveTypes } from './rules.ts'
import { readActiveConditions } from './store.ts'

export interface AlarmCache {
  /** Reloads what other processes have changed. Call before `of`. */
  refresh(): Promise<void>
  /** Returns the active conditions of a device. */
  of(bssid: string): ActiveConditions
  /** Caches what this process has stored, and makes other processes reload it. */
  commit(changed: ReadonlyMap<string, ActiveConditions>): void
  /** Marks devices as stale: they are reloaded on the next `refresh`. */
  invalidate(bssids: Iterable<string>): void
}

/** Milliseconds after which everything is reloaded, because events may have been lost. */
const reloadInterval = 600_000

export function openAlarmCache(db: Database, bus: Bus, now: () => Date): AlarmCache {
  let active = new Map<string, ActiveConditions>()
  const stale = new Set<string>()
  /** When everything is reloaded next, milliseconds UTC. */
  let reloadAt = 0
  let isPublishing = false
  bus.subscribe(event => {
    if (event.kind === 'missed') reloadAt = 0
    if (event.kind === 'alarms' && !isPublishing) invalidate(event.bssids)
    if (event.kind === 'deleted') invalidate(event.bssids)
  })

  async function refresh(): Promise<void> {
    const at = now().getTime()
    if (at >= reloadAt) {
      // Cleared before the query, so that events during it make devices stale again.
      stale.clear()
      reloadAt = at + reloadInterval
      try {
        active = await readActiveConditions(db, liveTypes)
      } catch (error) {
        reloadAt = 0
        throw error
      }
    } else if (stale.size > 0) {
      const bssids = [...stale]
      stale.clear()
      try {
        const reloaded = await readActiveConditions(db, liveTypes, bssids)
        for (const bssid of bssids) set(bssid, reloaded.get(bssid) ?? noConditions)
      } catch (error) {
        invalidate(bssids)
        throw error
      }
    }
  }
  const set = (bssid: string, now: ActiveConditions) => {
    if (now.size > 0) active.set(bssid, now)
    else active.delete(bssid)
  }
  const invalidate = (bssids: Iterable<string>) => {
    for (const bssid of bssids) stale.add(bssid)
  }
  return {
    refresh,
    of: bssid => active.get(bssid) ?? noConditions,
    commit: changed => {
      for (const [bssid, now] of changed) set(bssid, now)
      isPublishing = true
      bus.publish({ kind: 'alarms', bssids: [...changed.keys()] })
      isPublishing = false
    },
    invalidate,
  }
}
