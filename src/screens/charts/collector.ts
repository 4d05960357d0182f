/** Collects the statistics of several devices, which load separately, so that they are shown together. */
import type { DeviceStatistics, ChartQuery } from '../../api/statistics.ts'

/** The loading state of one device's statistics. */
export interface DeviceState {
  readonly bssid: string
  /** Undefined while loading, or if loading failed. */
  readonly data: DeviceStatistics | undefined
  readonly error: unknown
  readonly retry: () => void
}

/** The statistics that are shown together. */
export interface CollectedStatistics {
  readonly query: ChartQuery
  /** In the order of the query. */
  readonly devices: readonly DeviceState[]
}

/** Milliseconds that loaded devices wait for pending ones, because painting once is faster. */
const maxWait = 800
/** Milliseconds that refreshed devices wait for others, which are polled at about the same time. */
const batchDelay = 200

export type Collector = ReturnType<typeof createCollector>

/**
 * Creates a collector that keeps the previous query's statistics until all devices of a new query have loaded, or until
 * `maxWait`. Listeners are called only when the visible statistics change.
 */
export function createCollector() {
  let bssids: readonly string[] = []
  let query: ChartQuery | undefined
  let queryKey = ''
  let view: CollectedStatistics | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const states = new Map<string, DeviceState>()
  const listeners = new Set<() => void>()

  const show = () => {
    clearTimeout(timer)
    timer = undefined
    if (!query) return
    const nothing = { data: undefined, error: undefined, retry: () => undefined }
    view = { query, devices: bssids.map(bssid => states.get(bssid) ?? { bssid, ...nothing }) }
    for (const listener of listeners) listener()
  }
  const showWithin = (delay: number) => {
    timer ??= setTimeout(show, delay)
  }
  const showWhenLoaded = () => {
    const isComplete = bssids.every(bssid => {
      const state = states.get(bssid)
      return state?.data !== undefined || state?.error !== undefined
    })
    if (isComplete) show()
    else showWithin(maxWait)
  }

  return {
    view: (): CollectedStatistics | undefined => view,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Sets the query to show. Setting the same query again changes nothing. */
    setQuery(nextBssids: readonly string[], nextQuery: ChartQuery): void {
      const next = JSON.stringify(nextQuery)
      if (next === queryKey && nextBssids.join() === bssids.join()) return
      if (next !== queryKey) states.clear()
      ;[bssids, query, queryKey] = [nextBssids, nextQuery, next]
      clearTimeout(timer)
      timer = undefined
      showWhenLoaded()
    },
    /** Sets a device's state. A state of another query is ignored. */
    setState(state: DeviceState, stateQuery: ChartQuery): void {
      if (JSON.stringify(stateQuery) !== queryKey) return
      const before = states.get(state.bssid)
      if (before?.data === state.data && before?.error === state.error) return
      states.set(state.bssid, state)
      if (before?.data && state.data) showWithin(batchDelay)
      else showWhenLoaded()
    },
    close: () => clearTimeout(timer),
  }
}
