/** Which conditions hold of each device, as far as they follow from messages: as much as is wrong in the fleet. */
import type { Database } from '../../db/database.ts'
import type { Bus } from '../../bus/bus.ts'
import { noConditions, type ActiveConditions } from './conditions.ts'
import { liveTypes } from './rules.ts'
import { readActiveConditions } from './store.ts'

export interface AlarmCache {
  /** Brings in what other processes have changed: before asking what holds. */
  refresh(): Promise<void>
  of(bssid: string): ActiveConditions
  /** Keeps what this process has stored, and tells the others that it is different. */
  commit(changed: ReadonlyMap<string, ActiveConditions>): void
  /** What holds of these is not known for certain: they are read again. */
  invalidate(bssids: Iterable<string>): void
}

/** Milliseconds after which all is read again, whatever was heard: a server that had no connection tells nothing. */
const reloadInterval = 600_000

export function openAlarmCache(db: Database, bus: Bus, now: () => Date): AlarmCache {
  let active = new Map<string, ActiveConditions>()
  const stale = new Set<string>()
  /** Milliseconds UTC; all is to be read from then on. */
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
      // First, so that what is heard meanwhile is read again.
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
        const found = await readActiveConditions(db, liveTypes, bssids)
        for (const bssid of bssids) set(bssid, found.get(bssid) ?? noConditions)
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
