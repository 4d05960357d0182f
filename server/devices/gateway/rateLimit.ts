/** Rate limit of devices' messages, and a counter of dropped messages. */
import type { Log } from '../../core/log.ts'

/** Reasons for dropping a message. */
export const dropReasons = [
  'malformed',
  'oversized',
  'flooding',
  'unknown device',
  'foreign topic',
  'wrong credentials',
  'ahead of time',
  'too old',
] as const
export type DropReason = (typeof dropReasons)[number]

export interface DropCounter {
  /** Counts a dropped message or reading; `bssid` is `undefined` if the device is not known. */
  count(bssid: string | undefined, reason: DropReason): void
  /** Returns the counts since the start. */
  totals(): Readonly<Record<DropReason, number>>
  /** Logs the remaining counts. */
  close(): void
}

/** Milliseconds between two logs of the counts. */
const defaultLogInterval = 60_000
/** Maximum devices that a log names, those with the most drops; others are summed up. */
const maxLines = 50
/** Maximum devices counted separately, which limits the memory that unknown devices can use. */
const maxDevices = 10_000

type Counts = Map<DropReason, number>

/** Opens a counter that logs every `logInterval` milliseconds. */
export function openDropCounter({
  log,
  logInterval = defaultLogInterval,
}: {
  readonly log: Log
  readonly logInterval?: number
}): DropCounter {
  const totals = Object.fromEntries(dropReasons.map(reason => [reason, 0])) as Record<DropReason, number>
  const byDevice = new Map<string, Counts>()
  const unattributed: Counts = new Map()
  let timer: NodeJS.Timeout | undefined

  const write = () => {
    clearTimeout(timer)
    timer = undefined
    const worst = [...byDevice].toSorted(([, a], [, b]) => sum(b) - sum(a))
    for (const [bssid, counts] of worst.slice(0, maxLines))
      log.info(`Dropped from device ${bssid}: ${formatCounts(counts)}`)
    for (const [, counts] of worst.slice(maxLines))
      for (const [reason, count] of counts) add(unattributed, reason, count)
    if (unattributed.size > 0) log.info(`Dropped from other devices: ${formatCounts(unattributed)}`)
    byDevice.clear()
    unattributed.clear()
  }
  const countsOf = (bssid: string | undefined): Counts => {
    const existing = bssid === undefined ? unattributed : byDevice.get(bssid)
    if (existing !== undefined) return existing
    if (bssid === undefined || byDevice.size >= maxDevices) return unattributed
    const counts: Counts = new Map()
    byDevice.set(bssid, counts)
    return counts
  }
  return {
    count: (bssid, reason) => {
      totals[reason]++
      add(countsOf(bssid), reason, 1)
      timer ??= setTimeout(write, logInterval).unref()
    },
    totals: () => ({ ...totals }),
    close: write,
  }
}

const add = (counts: Counts, reason: DropReason, count: number) => counts.set(reason, (counts.get(reason) ?? 0) + count)
const sum = (counts: Counts) => [...counts.values()].reduce((all, count) => all + count, 0)
const formatCounts = (counts: Counts) => [...counts].map(([reason, count]) => `${count} ${reason}`).join(', ')

/** Sustained messages per second and burst size of a device. */
const ratePerSecond = 20
const burst = 200
/** Milliseconds until an empty bucket is full again. */
const refillTime = (burst / ratePerSecond) * 1000

/**
 * Returns a function that checks whether a device may send another message now (a token bucket per device). `clock`
 * returns milliseconds. Only devices that sent within the last 20 seconds use memory.
 */
export function rateLimit(clock: () => number = () => performance.now()): (bssid: string) => boolean {
  // Two generations: a device that is silent for a whole one has a full bucket and can be dropped with it.
  let current = new Map<string, { tokens: number; at: number }>()
  let previous = new Map<string, { tokens: number; at: number }>()
  let since = clock()
  return bssid => {
    const at = clock()
    if (at - since >= refillTime) {
      previous = at - since >= 2 * refillTime ? new Map() : current
      current = new Map()
      since = at
    }
    const bucket = current.get(bssid) ?? previous.get(bssid) ?? { tokens: burst, at }
    current.set(bssid, bucket)
    bucket.tokens = Math.min(burst, bucket.tokens + ((at - bucket.at) * ratePerSecond) / 1000)
    bucket.at = at
    if (bucket.tokens < 1) return false
    bucket.tokens--
    return true
  }
}
