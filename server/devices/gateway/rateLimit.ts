/** What keeps one device from hurting the others: how much it may say, and the book of what was dropped. */
import type { Log } from '../../core/log.ts'

/** Why a message was dropped. */
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
  /** Notes a dropped message, or a reading of one; `undefined` where no device is known. */
  count(bssid: string | undefined, why: DropReason): void
  /** All that was counted since the start. */
  totals(): Readonly<Record<DropReason, number>>
  /** Logs what has not been logged yet. */
  close(): void
}

/** Milliseconds between two looks at the book: so often, at most, is a device named. */
const defaultLogInterval = 60_000
/** Lines a minute: of a whole fleet that misbehaves, the worst are named and the others counted. */
const maxLines = 50
/** Devices told apart in a minute; the memory that strangers can take is bounded by it. */
const maxDevices = 10_000

type Counts = Map<DropReason, number>

/** Opens the book. `every`: milliseconds between two entries in the log. */
export function openDropCounter({
  log,
  logInterval = defaultLogInterval,
}: {
  readonly log: Log
  readonly logInterval?: number
}): DropCounter {
  const totals = Object.fromEntries(dropReasons.map(why => [why, 0])) as Record<DropReason, number>
  const byDevice = new Map<string, Counts>()
  const unattributed: Counts = new Map()
  let timer: NodeJS.Timeout | undefined

  const write = () => {
    clearTimeout(timer)
    timer = undefined
    const worst = [...byDevice].toSorted(([, a], [, b]) => sum(b) - sum(a))
    for (const [bssid, counts] of worst.slice(0, maxLines))
      log.info(`Dropped from device ${bssid}: ${formatCounts(counts)}`)
    for (const [, counts] of worst.slice(maxLines)) for (const [why, by] of counts) add(unattributed, why, by)
    if (unattributed.size > 0) log.info(`Dropped from others: ${formatCounts(unattributed)}`)
    byDevice.clear()
    unattributed.clear()
  }
  const countsOf = (bssid: string | undefined): Counts => {
    const known = bssid === undefined ? unattributed : byDevice.get(bssid)
    if (known !== undefined) return known
    if (bssid === undefined || byDevice.size >= maxDevices) return unattributed
    const counts: Counts = new Map()
    byDevice.set(bssid, counts)
    return counts
  }
  return {
    count: (bssid, why) => {
      totals[why]++
      add(countsOf(bssid), why, 1)
      timer ??= setTimeout(write, logInterval).unref()
    },
    totals: () => ({ ...totals }),
    close: write,
  }
}

const add = (counts: Counts, why: DropReason, by: number) => counts.set(why, (counts.get(why) ?? 0) + by)
const sum = (counts: Counts) => [...counts.values()].reduce((all, count) => all + count, 0)
const formatCounts = (counts: Counts) => [...counts].map(([why, count]) => `${count} ${why}`).join(', ')

/** Messages a second that a device may send for good, and how many at once after a pause. */
const ratePerSecond = 20
const burst = 200
/** Milliseconds after which a silent device has its whole burst again. */
const refillTime = (burst / ratePerSecond) * 1000

/**
 * A token bucket for each device: whether this message, at `clock` milliseconds, is within what it may send.
 * Only devices that spoke within the last 20 seconds take memory.
 */
export function rateLimit(clock: () => number = () => performance.now()): (bssid: string) => boolean {
  // Two generations: who is not heard for a whole one has a full bucket again and is forgotten with it.
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
