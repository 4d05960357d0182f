/** Gathers what is read of several devices, each by itself, so that it is shown together. */
import type { DeviceStatistics, StatisticsQuery } from '../../api/statistics.ts'

export interface DeviceState {
  readonly bssid: string
  /** Undefined while it is on its way, or where it failed. */
  readonly data: DeviceStatistics | undefined
  readonly error: unknown
  readonly retry: () => void
}

export interface View {
  readonly asked: StatisticsQuery
  /** In the order in which they were asked for. */
  readonly devices: readonly DeviceState[]
}

/** Milliseconds for which what is there waits for what is on its way: painting once is quicker than often. */
const patience = 800
/** Milliseconds for which what is read again waits for that of other devices: they are asked at about the same time. */
const gathering = 200

export type Board = ReturnType<typeof createBoard>

/**
 * A board that shows the answer to the question before until all of a new one is there, or patience ends. Nobody is
 * told of what is not shown.
 */
export function createBoard() {
  let bssids: readonly string[] = []
  let asked: StatisticsQuery | undefined
  let question = ''
  let view: View | undefined
  let waiting: ReturnType<typeof setTimeout> | undefined
  const told = new Map<string, DeviceState>()
  const listeners = new Set<() => void>()

  const show = () => {
    clearTimeout(waiting)
    waiting = undefined
    if (!asked) return
    const nothing = { data: undefined, error: undefined, retry: () => undefined }
    view = { asked, devices: bssids.map(bssid => told.get(bssid) ?? { bssid, ...nothing }) }
    for (const listener of listeners) listener()
  }
  const showWithin = (most: number) => {
    waiting ??= setTimeout(show, most)
  }
  const showInTime = () => {
    const isWhole = bssids.every(bssid => {
      const state = told.get(bssid)
      return state?.data !== undefined || state?.error !== undefined
    })
    if (isWhole) show()
    else showWithin(patience)
  }

  return {
    view: (): View | undefined => view,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** What is to be shown from now on; the same again changes nothing. */
    ask(nextBssids: readonly string[], nextAsked: StatisticsQuery): void {
      const next = JSON.stringify(nextAsked)
      if (next === question && nextBssids.join() === bssids.join()) return
      if (next !== question) told.clear()
      ;[bssids, asked, question] = [nextBssids, nextAsked, next]
      clearTimeout(waiting)
      waiting = undefined
      showInTime()
    },
    /** What has come of a device; of another question than the present one it is passed over. */
    tell(state: DeviceState, of: StatisticsQuery): void {
      if (JSON.stringify(of) !== question) return
      const before = told.get(state.bssid)
      if (before?.data === state.data && before?.error === state.error) return
      told.set(state.bssid, state)
      if (before?.data && state.data) showWithin(gathering)
      else showInTime()
    },
    close: () => clearTimeout(waiting),
  }
}
