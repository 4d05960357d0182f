/**
 * A clock inside the page that measures from an input event to the end of the frame in which the DOM shows its result.
 * It only observes the DOM; the app does not depend on it.
 */

/** A value of the page that changes when a result is shown; undefined until then. */
export type Probe =
  | 'focusedRow'
  | 'selectedRow'
  | 'selectedRows'
  | 'selectedPage'
  | 'pageOfRows'
  | 'foundRows'
  | 'palette'
  | 'paletteFrame'
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
  /** Times the next keydown: to the end of its frame, and to that after the last change once nothing has changed for `quiet` ms. */
  stroke(quiet: number): void
  /** Resolves once the timed key's changes have ended. */
  struck(): Promise<Stroke>
  /** Starts recording the intervals between frames. */
  watchFrames(): void
  /** Stops recording, and returns the intervals in milliseconds. */
  frames(): number[]
  /** The same, of the frames between the first and the last scroll event. */
  scrollFrames(): number[]
  /** Scrolls what was scrolled last back to its start, and resolves once it stays there. */
  rewind(): Promise<void>
  /** Milliseconds from the navigation to the end of the frame with the first row; rejects without one. */
  firstRow(): Promise<number>
  /** Milliseconds from the navigation to the first contentful paint. */
  firstPaint(): Promise<number>
}

/** The milliseconds from a key to the end of the frame after it, and to the end of the frame of its last change. */
export interface Stroke {
  readonly painted: number
  readonly settled: number
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
  const isVisible = (element: Element | null) => !!element && element.getBoundingClientRect().height > 0
  /** The rows of a list or table, without its header. */
  const rows = () => [...document.querySelectorAll<HTMLElement>('[role=grid] [role=row][aria-selected]')]
  /** The row that has the focus, by focus or by `aria-activedescendant`. */
  const focusedRow = () => {
    const active = document.activeElement
    const descendant = active?.getAttribute('aria-activedescendant')
    const element = descendant ? document.getElementById(descendant) : active
    return element?.closest<HTMLElement>('[role=row][aria-selected]')
  }
  const selections = () => new Set(rows().map(row => row.ariaSelected))
  const probes: Record<Probe, () => string | undefined> = {
    focusedRow: () => focusedRow()?.ariaRowIndex ?? undefined,
    selectedRow() {
      const row = focusedRow()
      return row ? `${row.ariaRowIndex} ${row.ariaSelected}` : undefined
    },
    selectedRows: () =>
      rows()
        .map(row => row.ariaSelected)
        .join(),
    selectedPage: () => (selections().size === 1 ? String([...selections()][0]) : undefined),
    // All rows, because the first one may be the same in another order.
    pageOfRows() {
      const all = rows()
      return all.length > 0 && settledGrid() ? all.map(row => row.textContent).join() : undefined
    },
    // With the rows, because an estimated number of them is none.
    foundRows: () => {
      const [grid, found] = [settledGrid(), rows()]
      return grid && found.length > 0
        ? `${grid.getAttribute('aria-rowcount')} ${found.map(row => row.textContent).join()}`
        : undefined
    },
    // A chart has another number each time it is painted, and none before that.
    charts() {
      const all = [...document.querySelectorAll<HTMLElement>('[role=application]')].map(
        chart => chart.querySelector('canvas')?.dataset.painted,
      )
      return all.length === 8 && all.every(Boolean) ? all.join() : undefined
    },
    palette() {
      const input = one('[role=dialog] [role=combobox]')
      const open = input !== null && document.activeElement === input && isVisible(one('[role=dialog] [role=option]'))
      return open ? 'open' : undefined
    },
    // Also while its code loads.
    paletteFrame: () =>
      document.body.textContent.includes('Loading the commands') || one('[role=dialog]') ? 'shown' : undefined,
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
  /** When each watched frame began, and the milliseconds since the frame before it. */
  let watched: { at: number; interval: number }[] | undefined
  let lastFrame: number | undefined
  let scrolled: { first: number; last: number } | undefined
  let scroller: Element | undefined
  let stroke: Promise<Stroke> | undefined
  let rowAt: (now: number) => void
  const firstRow = new Promise<number>((resolve, reject) => {
    rowAt = resolve
    setTimeout(() => reject(new Error('No row within 20 s')), 20_000)
  })
  firstRow.catch(() => undefined)
  // The browser may report it after the first row has been painted.
  const firstPaint = new Promise<number>(resolve => {
    new PerformanceObserver(list => {
      const [paint] = list.getEntriesByName('first-contentful-paint')
      if (paint) resolve(paint.startTime)
    }).observe({ type: 'paint', buffered: true })
  })
  let rowSeen = false

  const onEvent = (event: Event) => {
    if (probe && event.type === type) waiting.push({ at: event.timeStamp, before: probe() })
  }
  for (const each of ['keydown', 'click']) window.addEventListener(each, onEvent, true)

  addEventListener(
    'scroll',
    ({ target }) => {
      const now = performance.now()
      scrolled = { first: scrolled?.first ?? now, last: now }
      if (target instanceof Element) scroller = target
    },
    { capture: true, passive: true },
  )

  /**
   * Called within a frame: calls back in the first task after its rendering, or at the start of the next frame if that comes
   * first, because on a busy page queued input runs before messages.
   */
  const atEndOfFrame = (done: (end: number) => void) => {
    let called = false
    const call = () => {
      if (called) return
      called = true
      done(performance.now())
    }
    const rendered = new MessageChannel()
    rendered.port1.addEventListener('message', call)
    rendered.port1.start()
    rendered.port2.postMessage(undefined)
    requestAnimationFrame(call)
  }

  /** Reads the DOM at the start of a frame. */
  const atFrame = (now: number) => {
    requestAnimationFrame(atFrame)
    if (watched && lastFrame !== undefined) watched.push({ at: now, interval: now - lastFrame })
    lastFrame = now
    const value = probe && waiting.length > 0 ? probe() : undefined
    const shown = value === undefined ? [] : waiting.filter(event => event.before !== value)
    const isFirst = !rowSeen && hasFirstRow()
    if (shown.length === 0 && !isFirst) return
    waiting = waiting.filter(event => !shown.includes(event))
    rowSeen ||= isFirst
    atEndOfFrame(end => {
      times.push(...shown.map(event => end - event.at))
      if (isFirst) rowAt(end)
    })
  }
  /** Whether there is a row, or a notification, with its text. */
  const hasFirstRow = () => {
    const first = one('[role=grid] [role=row][aria-selected], [role=feed] > article')
    return first !== null && first.textContent.trim().length > 3 && isVisible(first)
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
    stroke(quiet) {
      stroke = new Promise(resolve => {
        const onKey = ({ timeStamp }: Event) => {
          let painted: number | undefined
          let last = 0
          let changed = performance.now()
          let pending = false
          const changes = new MutationObserver(() => {
            changed = performance.now()
            if (pending) return
            pending = true
            requestAnimationFrame(() =>
              atEndOfFrame(end => {
                pending = false
                last = end
              }),
            )
          })
          changes.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
          requestAnimationFrame(() => atEndOfFrame(end => (painted = end)))
          const check = () => {
            if (painted === undefined || pending || performance.now() - changed < quiet)
              return void setTimeout(check, 25)
            changes.disconnect()
            resolve({ painted: painted - timeStamp, settled: Math.max(painted, last) - timeStamp })
            return undefined
          }
          setTimeout(check, 25)
        }
        addEventListener('keydown', onKey, { capture: true, once: true })
      })
    },
    struck: () => stroke ?? Promise.reject(new Error('No key is timed')),
    watchFrames() {
      watched = []
      lastFrame = undefined
      scrolled = undefined
    },
    frames() {
      const all = watched ?? []
      watched = undefined
      return all.map(({ interval }) => interval)
    },
    scrollFrames() {
      const [all, span] = [watched ?? [], scrolled]
      watched = undefined
      if (!span) return []
      return all.filter(({ at }) => at >= span.first && at <= span.last + 17).map(({ interval }) => interval)
    },
    rewind: () =>
      new Promise(resolve => {
        let still = 0
        const check = () => {
          if (!scroller || still === 6) return resolve()
          still = scroller.scrollTop === 0 ? still + 1 : 0
          scroller.scrollTop = 0
          setTimeout(check, 50)
          return undefined
        }
        check()
      }),
    firstRow: () => firstRow,
    firstPaint: () => firstPaint,
  }
  Object.defineProperty(window, 'bench', { value: clock })
}
