/**
 * A clock inside the page that measures from an input event to the end of the frame in which the DOM shows its result.
 * It only observes the DOM; the app does not depend on it.
 */

/** A value of the page that changes when a result is shown; undefined until then. */
export type Probe =
  | 'focusedRow'
  | 'selectedRow'
  | 'pageOfRows'
  | 'foundRows'
  | 'palette'
  | 'paletteList'
  | 'calendarMonth'
  | 'calendarDay'
  | 'notesLoaded'
  | 'focusedNote'
  | 'charts'

export interface Clock {
  /** Starts timing every event of a type until the probe's value changes. */
  time(probe: Probe, event?: 'keydown' | 'click'): void
  /** Resolves with the number of events whose result was not shown within so many milliseconds, which count as that long. */
  settled(within: number): Promise<number>
  /** Stops timing, and returns the milliseconds of each event since `time`. */
  taken(): number[]
  /** Starts recording the intervals between frames. */
  watchFrames(): void
  /** Stops recording, and returns the intervals in milliseconds. */
  frames(): number[]
  /** Milliseconds from the navigation to the end of the frame with the first row; rejects without one. */
  firstRow(): Promise<number>
}

declare global {
  interface Window {
    readonly bench: Clock
  }
}

/** Runs in the page before any other script; it may use no imports, because it is sent there as text. */
export function installClock(): void {
  const one = (selector: string) => document.querySelector<HTMLElement>(selector)
  const settledGrid = () => one('[role=grid][aria-busy=false]')
  const probes: Record<Probe, () => string | undefined> = {
    focusedRow: () => one('.row-focused')?.dataset.id,
    selectedRow() {
      const row = one('.row-focused')
      return row ? `${row.dataset.id} ${row.ariaSelected}` : undefined
    },
    // All rows, because the first one may be the same in another order.
    pageOfRows() {
      const rows = [...document.querySelectorAll<HTMLElement>('[role=row][data-id]')]
      const ready = rows.length > 0 && settledGrid() && one('.row-focused')
      return ready ? rows.map(row => `${row.dataset.id} ${row.ariaRowIndex}`).join() : undefined
    },
    foundRows() {
      const grid = settledGrid()
      return grid && one('[role=row][data-id]') ? (grid.getAttribute('aria-rowcount') ?? undefined) : undefined
    },
    // A chart has another number each time it is painted, and none before that.
    charts() {
      const all = [...document.querySelectorAll<HTMLElement>('[role=application]')].map(
        chart => chart.querySelector('canvas')?.dataset.painted,
      )
      return all.length === 8 && all.every(Boolean) ? all.join() : undefined
    },
    palette: () => (one('[role=dialog] [cmdk-item]') ? 'open' : undefined),
    // React sets the attribute when it has rendered the typed text; cmdk then selects the first item.
    paletteList() {
      const input = one('input[cmdk-input]')
      const ready = input && (one('[cmdk-item][aria-selected=true]') ?? one('[cmdk-empty]'))
      return ready ? (input.getAttribute('value') ?? undefined) : undefined
    },
    // The days, once the events that fit are rendered.
    calendarMonth() {
      const first = one('[role=gridcell][data-date]')?.dataset.date
      return document.querySelectorAll('[role=gridcell] [data-event-id]').length >= 40 ? first : undefined
    },
    calendarDay: () => (document.activeElement as HTMLElement | null)?.dataset.date,
    // The height grows with the loaded notifications.
    notesLoaded: () => one('[role=feed][aria-busy=false]')?.style.height,
    focusedNote: () => one('article:focus')?.dataset.id,
  }

  let probe: (() => string | undefined) | undefined
  let type = 'keydown'
  let waiting: { at: number; before: string | undefined }[] = []
  let times: number[] = []
  let intervals: number[] | undefined
  let lastFrame: number | undefined
  let rowAt: (now: number) => void
  const firstRow = new Promise<number>((resolve, reject) => {
    rowAt = resolve
    setTimeout(() => reject(new Error('No row within 20 s')), 20_000)
  })
  firstRow.catch(() => undefined)
  let rowSeen = false

  const onEvent = (event: Event) => {
    if (probe && event.type === type) waiting.push({ at: event.timeStamp, before: probe() })
  }
  for (const each of ['keydown', 'click']) window.addEventListener(each, onEvent, true)

  /** Reads the DOM at the start of a frame; the next task runs after it was painted. */
  const atFrame = (now: number) => {
    requestAnimationFrame(atFrame)
    if (intervals && lastFrame !== undefined) intervals.push(now - lastFrame)
    lastFrame = now
    const value = probe && waiting.length > 0 ? probe() : undefined
    const shown = value === undefined ? [] : waiting.filter(event => event.before !== value)
    const isFirst = !rowSeen && one('[role=row][data-id], [role=feed] > article') !== null
    if (shown.length === 0 && !isFirst) return
    waiting = waiting.filter(event => !shown.includes(event))
    rowSeen ||= isFirst
    const painted = new MessageChannel()
    painted.port1.addEventListener('message', () => {
      const end = performance.now()
      times.push(...shown.map(event => end - event.at))
      if (isFirst) rowAt(end)
    })
    painted.port1.start()
    painted.port2.postMessage(undefined)
  }
  requestAnimationFrame(atFrame)

  const clock: Clock = {
    time(wanted, event = 'keydown') {
      probe = probes[wanted]
      type = event
      waiting = []
      times = []
    },
    settled: within =>
      new Promise(resolve => {
        const from = performance.now()
        const check = () => {
          const late = performance.now() - from > within ? waiting : []
          if (late.length < waiting.length) return void setTimeout(check, 4)
          times.push(...late.map(event => performance.now() - event.at))
          waiting = []
          resolve(late.length)
          return undefined
        }
        setTimeout(check, 4)
      }),
    taken() {
      probe = undefined
      waiting = []
      return times
    },
    watchFrames() {
      intervals = []
      lastFrame = undefined
    },
    frames() {
      const all = intervals ?? []
      intervals = undefined
      return all
    },
    firstRow: () => firstRow,
  }
  Object.defineProperty(window, 'bench', { value: clock })
}
