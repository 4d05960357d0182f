/** Applies the stream's events to the cache. */
import { mutate, unstable_serialize } from 'swr'
import { SWRGlobalState } from 'swr/_internal'
import { listDefinitions } from '../domain/lists/lists.ts'
import { devicePath } from '../domain/lists/query.ts'
import { cache } from './cache.ts'
import { deliveredDevices } from './deliveredDevices.ts'
import { recordUpdates, updateDetail, updateList } from './deviceUpdates.ts'
import { devices, type Device, type DeviceDetail } from './contract/devices.ts'
import type { List } from './contract/endpoint.ts'
import { resourceOf } from './contract/address.ts'
import { notifications } from './contract/notifications.ts'
import { revalidateResources } from './hooks.ts'
import { receiveNotifications, reloadNotifications } from './notificationFeed.ts'
import { revalidateUnseen } from './notifications.ts'
import { openStream } from './stream.ts'

/** The minimum number of milliseconds between two reloads, however often lists change. */
const minReloadInterval = 3_000

/** Starts applying live updates. Returns a function that stops. */
export function startLiveUpdates(): () => void {
  const reloader = createReloader()
  const stop = openStream({
    onOpen: reloadEverything,
    onLost: reloadEverything,
    onDevices: applyUpdates,
    handlers: {
      notifications({ notifications: rows }) {
        receiveNotifications(rows)
        reloader.schedule([resourceOf(notifications.list.path)])
      },
      changed({ resources }) {
        reloader.schedule(resources)
        // A deleted device's notifications are deleted with it.
        if (resources.some(resource => notificationResources.has(resource))) reloader.scheduleFeed()
      },
      seen: () => void revalidateUnseen(),
      // The server's jobs are read with their counts; nothing of this page sends a `progress-id`.
      progress: () => undefined,
      ping: () => undefined,
    },
  })
  return () => {
    stop()
    reloader.stop()
  }
}

function reloadEverything(): void {
  void mutate(isKey)
  reloadNotifications()
}

const notificationResources: ReadonlySet<string> = new Set(
  [notifications, devices].map(({ list }) => resourceOf(list.path)),
)

const isKey = (key: unknown): key is readonly [path: string, query: unknown] => Array.isArray(key)

/** Writes the rows of a `devices` event into every cached list and detail that contains them. */
function applyUpdates(data: string): void {
  trimCache()
  const changed = deliveredDevices(data)
  recordUpdates(changed, performance.now())
  void mutate(
    key => isKey(key) && key[0] === devices.list.path && isSettled(key),
    (list?: List<Device>) => list && updateList(list, changed),
    { revalidate: false },
  )
  void mutate(
    key => isKey(key) && key[0] === devices.detail.path && changed.has(String(key[1])) && isSettled(key),
    (detail?: DeviceDetail) => detail && updateDetail(detail, changed),
    { revalidate: false },
  )
}

/**
 * Returns whether a key has data and no pending request. SWR drops a pending response when its cache is changed;
 * pending responses are merged with the updates when they arrive instead.
 */
function isSettled(key: readonly unknown[]): boolean {
  const state = cache.get(unstable_serialize(key))
  return state?.data !== undefined && !state.isValidating
}

/** Throttles reloads: the first runs at once, the next after `minReloadInterval`. */
function createReloader() {
  const pendingResources = new Set<string>()
  let isFeedPending = false
  let last = -Infinity
  let timer: ReturnType<typeof setTimeout> | undefined
  const reload = () => {
    timer = undefined
    last = performance.now()
    void revalidateResources([...pendingResources])
    pendingResources.clear()
    if (isFeedPending) reloadNotifications()
    isFeedPending = false
  }
  return {
    /** Reloads the notifications on screen with the next reload. */
    scheduleFeed() {
      isFeedPending = true
    },
    /** Reloads the resources with the next reload. */
    schedule(resources: readonly string[]) {
      for (const resource of resources) pendingResources.add(resource)
      timer ??= setTimeout(reload, Math.max(0, last + minReloadInterval - performance.now()))
    },
    stop: () => clearTimeout(timer),
  }
}

/** The number of responses that are kept without being on screen. */
const maxUnused = 200

/** What the keys of the pages of lists and of devices start with. */
const prefixes = [devicePath, ...Object.values(listDefinitions).map(({ endpoint }) => endpoint.path)].map(path =>
  unstable_serialize([path]),
)

/**
 * Removes the oldest pages of lists and devices that nothing on screen shows, beyond the number that is kept: each search, page
 * and device that is opened adds one, and each update looks at all of them.
 */
export function trimCache(): void {
  const [shown] = SWRGlobalState.get(cache)!
  const isUnused = (key: string) => !shown[key]?.length && prefixes.some(prefix => key.startsWith(prefix))
  for (const key of [...cache.keys()].filter(isUnused).slice(0, -maxUnused)) cache.delete(key)
}
