/** Cache of the active conditions that follow from messages, of the devices whose messages this process evaluates. */
import type { Database } from '../../db/database.ts'
import type { Bus } from '../../bus/bus.ts'
import { noConditions, type ActiveConditions } from './conditions.ts'
import { liveTypes } from './rules.ts'
import { readActiveConditions } from './store.ts'

export interface AlarmCache {
  /** Returns the active conditions of devices, and reads those that are not cached. Calls must not overlap. */
  read(bssids: readonly string[]): Promise<ReadonlyMap<string, ActiveConditions>>
  /** Caches what this process has stored, and makes other processes forget these devices. */
  commit(changed: ReadonlyMap<string, ActiveConditions>): void
  /** Forgets devices, whose conditions are not known any more. */
  forget(bssids: Iterable<string>): void
  /** Forgets devices, and makes other processes forget them, too. */
  forgetEverywhere(bssids: readonly string[]): void
}

/** Milliseconds after which all devices are forgotten, because events may have been lost. */
const maxAge = 600_000
/** Maximum number of cached devices; the oldest entry is removed first. */
const maxCached = 200_000

export function openAlarmCache(db: Database, bus: Bus, now: () => Date): AlarmCache {
  /** The conditions of most devices are `noConditions`. */
  const cached = new Map<string, ActiveConditions>()
  /** When all devices are forgotten next, milliseconds UTC. */
  let expiresAt = 0
  /** What is forgotten while devices are read, as the query may return what was before; undefined while none are read. */
  let forgotten: { readonly bssids: Set<string>; all: boolean } | undefined
  let isPublishing = false
  bus.subscribe(event => {
    if (event.kind === 'missed') forgetAll()
    if (event.kind === 'alarms' && !isPublishing) forget(event.bssids)
    if (event.kind === 'deleted') forget(event.bssids)
  })

  function forgetAll(): void {
    cached.clear()
    if (forgotten) forgotten.all = true
    expiresAt = now().getTime() + maxAge
  }
  function forget(bssids: Iterable<string>): void {
    for (const bssid of bssids) {
      cached.delete(bssid)
      forgotten?.bssids.add(bssid)
    }
  }
  function store(bssid: string, conditions: ActiveConditions): void {
    cached.set(bssid, conditions)
    if (cached.size <= maxCached) return
    const [first] = cached.keys()
    cached.delete(first!)
  }
  function publish(bssids: readonly string[]): void {
    isPublishing = true
    bus.publish({ kind: 'alarms', bssids })
    isPublishing = false
  }

  async function read(bssids: readonly string[]): Promise<ReadonlyMap<string, ActiveConditions>> {
    if (now().getTime() >= expiresAt) forgetAll()
    const active = new Map<string, ActiveConditions>()
    const missing = new Set<string>()
    for (const bssid of bssids) {
      const conditions = cached.get(bssid)
      if (conditions) active.set(bssid, conditions)
      else missing.add(bssid)
    }
    if (missing.size === 0) return active
    const meanwhile = (forgotten = { bssids: new Set<string>(), all: false })
    try {
      const found = await readActiveConditions(db, liveTypes, [...missing])
      for (const bssid of missing) {
        const conditions = found.get(bssid) ?? noConditions
        active.set(bssid, conditions)
        if (!meanwhile.all && !meanwhile.bssids.has(bssid)) store(bssid, conditions)
      }
      return active
    } finally {
      forgotten = undefined
    }
  }

  return {
    read,
    commit: changed => {
      for (const [bssid, conditions] of changed) store(bssid, conditions)
      publish([...changed.keys()])
    },
    forget,
    forgetEverywhere: bssids => {
      forget(bssids)
      publish(bssids)
    },
  }
}
