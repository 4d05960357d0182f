/** What is heard on the stream, put where the screens see it. */
import { mutate, unstable_serialize } from 'swr'
import { cache } from './cache.ts'
import { detailWithChanged, keepChanged, withChanged } from './changed.ts'
import { devices, type Device, type DeviceDetail } from './contract/devices.ts'
import { resourceOf, type List } from './contract/endpoint.ts'
import { notifications } from './contract/notifications.ts'
import { revalidateResources } from './hooks.ts'
import { hearNotifications, rereadNotifications } from './notificationFeed.ts'
import { rereadUnseen } from './notifications.ts'
import { callProgressed } from './progress.ts'
import { followStream } from './stream.ts'

/** Milliseconds between two readings of the same lists, however often they change as a whole. */
const rereadEvery = 3_000

/** Keeps what is on screen up to date. Returns how to stop. */
export function startLive(): () => void {
  const reread = rereader()
  const stop = followStream({
    opened: rereadAll,
    lost: rereadAll,
    heard: {
      devices: ({ devices: rows }) => showChanged(rows),
      notifications({ notifications: rows }) {
        hearNotifications(rows)
        reread.soon([resourceOf(notifications.list.path)])
      },
      changed({ resources }) {
        reread.soon(resources)
        // Those of a device go with it.
        if (resources.some(resource => notified.has(resource))) reread.feedSoon()
      },
      seen: () => void rereadUnseen(),
      progress: ({ id, done, failed }) => callProgressed(id, { done, failed }),
      ping: () => undefined,
    },
  })
  return () => {
    stop()
    reread.stop()
  }
}

function rereadAll(): void {
  void mutate(isKey)
  rereadNotifications()
}

const notified: ReadonlySet<string> = new Set([notifications, devices].map(({ list }) => resourceOf(list.path)))

const isKey = (key: unknown): key is readonly [path: string, query: unknown] => Array.isArray(key)

/** Writes the changed rows into every list and every detail that has them. */
function showChanged(rows: readonly Device[]): void {
  const changed = new Map(rows.map(row => [row.bssid, row]))
  keepChanged(rows, performance.now())
  void mutate(
    key => isKey(key) && key[0] === devices.list.path && isSettled(key),
    (list?: List<Device>) => list && withChanged(list, changed),
    { revalidate: false },
  )
  void mutate(
    key => isKey(key) && key[0] === devices.detail.path && changed.has(String(key[1])) && isSettled(key),
    (detail?: DeviceDetail) => detail && detailWithChanged(detail, changed),
    { revalidate: false },
  )
}

/**
 * Whether there is an answer and none on its way: SWR drops an answer that it was asked for before a change of its
 * cache. Those that are on their way take the changed rows over when they arrive.
 */
function isSettled(key: readonly unknown[]): boolean {
  const state = cache.get(unstable_serialize(key))
  return state?.data !== undefined && !state.isValidating
}

/** Reads lists again at once, and then not before some time has passed. */
function rereader() {
  const waiting = new Set<string>()
  let feedToo = false
  let last = -Infinity
  let timer: ReturnType<typeof setTimeout> | undefined
  const reread = () => {
    timer = undefined
    last = performance.now()
    void revalidateResources([...waiting])
    waiting.clear()
    if (feedToo) rereadNotifications()
    feedToo = false
  }
  return {
    /** With the next of those, the notifications on screen. */
    feedSoon() {
      feedToo = true
    },
    soon(resources: readonly string[]) {
      for (const resource of resources) waiting.add(resource)
      timer ??= setTimeout(reread, Math.max(0, last + rereadEvery - performance.now()))
    },
    stop: () => clearTimeout(timer),
  }
}
