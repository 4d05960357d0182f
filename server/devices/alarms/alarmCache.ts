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
  keep(changed: ReadonlyMap<string, ActiveConditions>): void
  /** What holds of these is not known for certain: they are read again. */
  doubt(bssids: Iterable<string>): void
}

/** Milliseconds after which all is read again, whatever was heard: a server that had no connection tells nothing. */
const rereadEvery = 600_000

export function openAlarmCache(db: Database, bus: Bus, now: () => Date): AlarmCache {
  let held = new Map<string, ActiveConditions>()
  const doubtful = new Set<string>()
  /** Milliseconds UTC; all is to be read from then on. */
  let rereadAt = 0
  let telling = false
  bus.subscribe(told => {
    if (told.kind === 'missed') rereadAt = 0
    if (told.kind === 'alarms' && !telling) doubt(told.bssids)
    if (told.kind === 'deleted') doubt(told.bssids)
  })

  async function refresh(): Promise<void> {
    const at = now().getTime()
    if (at >= rereadAt) {
      // First, so that what is heard meanwhile is read again.
      doubtful.clear()
      rereadAt = at + rereadEvery
      try {
        held = await readActiveConditions(db, liveTypes)
      } catch (error) {
        rereadAt = 0
        throw error
      }
    } else if (doubtful.size > 0) {
      const bssids = [...doubtful]
      doubtful.clear()
      try {
        const found = await readActiveConditions(db, liveTypes, bssids)
        for (const bssid of bssids) set(bssid, found.get(bssid) ?? noConditions)
      } catch (error) {
        doubt(bssids)
        throw error
      }
    }
  }
  const set = (bssid: string, now: ActiveConditions) => {
    if (now.size > 0) held.set(bssid, now)
    else held.delete(bssid)
  }
  const doubt = (bssids: Iterable<string>) => {
    for (const bssid of bssids) doubtful.add(bssid)
  }
  return {
    refresh,
    of: bssid => held.get(bssid) ?? noConditions,
    keep: changed => {
      for (const [bssid, now] of changed) set(bssid, now)
      telling = true
      bus.publish({ kind: 'alarms', bssids: [...changed.keys()] })
      telling = false
    },
    doubt,
  }
}
