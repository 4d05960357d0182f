/**
 * A stop watch inside the page: from an input event's own time to the end of the frame in which the DOM shows its
 * result. It looks at the page from outside; the app knows nothing of it.
 */

/** What of the page tells that a result is there; undefined while it is not. */
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
  /** From now on every event of that type is timed until the probe's value changes. */
  time(probe: Probe, event?: 'keydown' | 'click'): void
  /** Resolves once every event has had its frame; what has none after that many milliseconds counts with them. */
  settled(within: number): Promise<number>
  /** Milliseconds of each event since `time`, which stops. */
  taken(): number[]
  /** Starts noting the intervals between frames. */
  watchFrames(): void
  /** The intervals in milliseconds; noting stops. */
  frames(): number[]
  /** Milliseconds from the navigation to the end of the frame with the first row; rejects where none comes. */
  firstRow(): Promise<number>
}

declare global {
  interface Window {
    readonly bench: Clock
  }
}

/** Runs in the page before anything else; stands alone, because it is sent there as text. */
export function installClock(): void {
  const one = (selector: string) => document.querySelector<HTMLElement>(selector)
  const settledGrid = () => one('[role=grid][aria-busy=false]')
  const probes: Record<Probe, () => string | undefined> = {
    focusedRow: () => one('.row-focused')?.dataset.id,
    selectedRow() {
      const row = one('.row-focused')
      return row ? `${row.dataset.id} ${row.ariaSelected}` : undefined
    },
    // All of them: in another order the first may be the same.
    pageOfRows() {
      const rows = [...document.querySelectorAll<HTMLElement>('[role=row][data-id]')]
      const ready = rows.length > 0 && settledGrid() && one('.row-focused')
      return ready ? rows.map(row => `${row.dataset.id} ${row.ariaRowIndex}`).join() : undefined
    },
    foundRows() {
      const grid = settledGrid()
      return grid && one('[role=row][data-id]') ? (grid.getAttribute('aria-rowcount') ?? undefined) : undefined
    },
    // Each time a chart is painted it has another number; while it is to be painted, none.
    charts() {
      const all = [...document.querySelectorAll<HTMLElement>('[role=application]')].map(
        chart => chart.querySelector('canvas')?.dataset.painted,
      )
      return all.length === 8 && all.every(Boolean) ? all.join() : undefined
    },
    palette: () => (one('[role=dialog] [cmdk-item]') ? 'open' : undefined),
    // React writes the attribute when it has rendered what was typed; cmdk marks the first of the list last.
    paletteList() {
      const input = one('input[cmdk-input]')
      const ready = input && (one('[cmdk-item][aria-selected=true]') ?? one('[cmdk-empty]'))
      return ready ? (input.getAttribute('value') ?? undefined) : undefined
    },
    // Its days, with as many events as it has room for.
    calendarMonth() {
      const first = one('[role=gridcell][data-date]')?.dataset.date
      return document.querySelectorAll('[role=gridcell] [data-event-id]').length >= 40 ? first : undefined
    },
    calendarDay: () => (document.activeElement as HTMLElement | null)?.dataset.date,
    // It grows with what is loaded.
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

  const noted = (event: Event) => {
    if (probe && event.type === type) waiting.push({ at: event.timeStamp, before: probe() })
  }
  for (const each of ['keydown', 'click']) window.addEventListener(each, noted, true)

  /** What a frame shows is known when it begins; that it has been painted, at the next task. */
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
        const look = () => {
          const late = performance.now() - from > within ? waiting : []
          if (late.length < waiting.length) return void setTimeout(look, 4)
          times.push(...late.map(event => performance.now() - event.at))
          waiting = []
          resolve(late.length)
          return undefined
        }
        setTimeout(look, 4)
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
