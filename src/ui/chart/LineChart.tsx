import { useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { Chart } from 'react-chartjs-2'
import { flushSync } from 'react-dom'
import { extrasPlugin } from './extras.ts'
import { drawOverlay, type Dot } from './overlay.ts'
import { queuePaint } from './paintQueue.ts'
import {
  chartConfigOf,
  markSize,
  plotOf,
  type ChartConfig,
  type DrawnChart,
  type Plot,
  type PlotInput,
  type PlotLine,
  type PlotTheme,
} from './plot.ts'
import { trackGestures } from './gestures.ts'

/** A cursor that several charts share, with positions on the time axis. */
export interface SharedCursor {
  read(): { readonly x: number | undefined; readonly anchor: number | undefined }
  /** Calls `moved` when the cursor moves. Returns a function that unsubscribes. */
  subscribe(moved: () => void): () => void
}

/** The parts of a plot except the lines, which are computed when they are painted. `ticks` takes a width in pixels. */
export type PlotFrame = Omit<PlotInput, 'lines' | 'ticks'> & { readonly ticks: (pixels: number) => PlotInput['ticks'] }

export interface ChartProps {
  /** The id of the command that moves the cursor. Without one, keys do not reach the chart: it is a picture. */
  command?: string
  /** The accessible name; of a picture, what it shows. */
  label: string
  describedBy?: string
  /** Whether Tab stops at the chart. */
  tabStop?: boolean
  lines: () => readonly PlotLine[]
  frame: PlotFrame
  theme: PlotTheme
  cursor: SharedCursor
  /** Returns the lines' points at a position. */
  dotsAt: (x: number) => readonly Dot[]
  /** Called when the pointer moves the cursor; undefined removes it. */
  onRead: (x: number | undefined) => void
  /** Called with a range that was marked; without it, dragging marks none. */
  onZoom?: (from: number, to: number) => void
  /** Called at a double click. */
  onReset?: () => void
  /** Called with the index in the frame of a mark that was clicked. */
  onMarkClick?: (mark: number) => void
  /** Called when the chart receives the focus, and before each key while it has it: the mouse may be over another chart. */
  onKeyboard?: () => void
  /** The tooltip beside the cursor. */
  tooltip: ReactNode
}

/** Charts within this distance of the viewport are painted in advance. */
const preloadMargin = '300px'
const tooltipGap = 14

/** A line chart over time, with a cursor that is moved by mouse, by touch, or through `cursor`. */
export function LineChart(props: ChartProps) {
  const { lines, frame, theme, cursor } = props
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<DrawnChart>(null)
  const overlayCanvas = useRef<HTMLCanvasElement>(null)
  const tooltip = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  useLayoutEffect(() => {
    latest.current = props
  })
  const state = useRef<{
    plot: Plot | undefined
    /** The input of the last paint. */
    shown: { input: PlotInput; theme: PlotTheme } | undefined
    width: number
    height: number
    /** Whether the chart is in or near the viewport. */
    near: boolean
    /** Whether the painted chart is out of date. */
    stale: boolean
    paints: number
    marked: [number, number] | undefined
  }>({
    plot: undefined,
    shown: undefined,
    width: 0,
    height: 0,
    near: false,
    stale: true,
    paints: 0,
    marked: undefined,
  }).current

  const [drawing, setDrawing] = useState<ChartConfig & { at: { width: number; height: number } }>()
  const plugins = useMemo(() => [extrasPlugin(() => state.shown)], [state])

  // Paints are queued, and wait until the chart has a size and is near the viewport.
  const owner = useRef({}).current
  const paint = useRef(() => {
    state.stale = true
    if (!state.near || state.width === 0) return
    queuePaint(owner, () => {
      const now = latest.current
      const { ticks, ...rest } = now.frame
      const { width, height } = state
      const input = { ...rest, lines: now.lines(), ticks: ticks(width) }
      state.shown = { input, theme: now.theme }
      // Flushed, so that each chart is painted in a task of its own.
      flushSync(() =>
        setDrawing(before => ({ ...chartConfigOf(input, now.theme, height), at: before?.at ?? { width, height } })),
      )
      const drawn = chart.current
      if (!drawn || !overlayCanvas.current) return
      if (drawn.width !== width || drawn.height !== height) drawn.resize(width, height)
      state.plot = plotOf(drawn)
      const ratio = window.devicePixelRatio
      Object.assign(overlayCanvas.current, { width: state.width * ratio, height: state.height * ratio })
      state.stale = false
      drawn.canvas.dataset.painted = String(++state.paints)
      follow.current()
    })
  })
  const follow = useRef(() => {
    const { plot } = state
    if (!plot || !overlayCanvas.current) return
    const { cursor: shared, dotsAt, theme } = latest.current
    const { x, anchor } = shared.read()
    const marked = state.marked ?? (anchor !== undefined && x !== undefined ? ([anchor, x] as const) : undefined)
    drawOverlay(overlayCanvas.current, plot, { x, range: marked, dots: x === undefined ? [] : dotsAt(x) }, theme)
    if (tooltip.current && x !== undefined) placeTooltip(tooltip.current, overlayCanvas.current, plot, plot.xOf(x))
  })
  useEffect(() => {
    delete chart.current?.canvas.dataset.painted
    paint.current()
  }, [lines, frame, theme])
  useEffect(() => follow.current())

  useEffect(() => {
    const element = box.current!
    const sizes = new ResizeObserver(([entry]) => {
      if (!entry) return
      state.width = Math.floor(entry.contentRect.width)
      state.height = Math.floor(entry.contentRect.height)
      paint.current()
    })
    const visibility = new IntersectionObserver(
      ([entry]) => {
        state.near = entry?.isIntersecting ?? false
        if (state.near && state.stale) paint.current()
      },
      { rootMargin: preloadMargin },
    )
    sizes.observe(element)
    visibility.observe(element)
    const draw = follow.current
    let frameRequest = 0
    const stop = cursor.subscribe(() => {
      cancelAnimationFrame(frameRequest)
      frameRequest = requestAnimationFrame(draw)
    })
    const beforeKey = () => latest.current.onKeyboard?.()
    element.addEventListener('keydown', beforeKey)
    const at = (pixel: number) => state.plot?.timeAt(pixel) ?? 0
    const unfollow = trackGestures(element, {
      onMove: left => latest.current.onRead(left === undefined ? undefined : at(left)),
      onRangeChange(ends) {
        if (!latest.current.onZoom) return
        state.marked = ends && [at(ends[0]), at(ends[1])]
        draw()
      },
      onRangeMarked: (from, to) => latest.current.onZoom?.(at(from), at(to)),
      onClick(left, top) {
        const mark = markAt(state.plot, latest.current.frame.marks, left, top)
        if (mark !== undefined) latest.current.onMarkClick?.(mark)
      },
      onDoubleClick: () => latest.current.onReset?.(),
    })
    return () => {
      sizes.disconnect()
      visibility.disconnect()
      stop()
      element.removeEventListener('keydown', beforeKey)
      unfollow()
      cancelAnimationFrame(frameRequest)
    }
  }, [cursor, state])

  return (
    <div
      ref={box}
      data-command={props.command}
      {...(props.command === undefined
        ? { role: 'img' }
        : { role: 'application', 'aria-roledescription': 'chart', tabIndex: props.tabStop ? 0 : -1 })}
      aria-label={props.label}
      aria-describedby={props.describedBy}
      className="relative min-h-0 flex-1 cursor-crosshair touch-pan-y overflow-hidden rounded-md outline-offset-[-2px] select-none"
      onFocus={props.onKeyboard}
    >
      {drawing && (
        <Chart
          ref={chart}
          type="line"
          data={drawing.data}
          options={drawing.options}
          plugins={plugins}
          updateMode="none"
          // The initial size; later sizes are set by `resize`.
          width={drawing.at.width}
          height={drawing.at.height}
          role="presentation"
          className="absolute inset-0"
          aria-hidden="true"
        />
      )}
      <canvas ref={overlayCanvas} className="pointer-events-none absolute inset-0 size-full" aria-hidden="true" />
      {props.tooltip && (
        <div ref={tooltip} className="pointer-events-none fixed top-0 left-0 z-40" aria-hidden="true">
          {props.tooltip}
        </div>
      )}
    </div>
  )
}

/** Places the tooltip beside the cursor, on the side with more room, within the window. */
function placeTooltip(tooltip: HTMLElement, canvas: HTMLElement, plot: Plot, pixel: number): void {
  const { left, top } = canvas.getBoundingClientRect()
  const area = plot.area()
  const { offsetWidth: width, offsetHeight: height } = tooltip
  const onLeft = pixel > (area.left + area.right) / 2
  const x = left + (onLeft ? pixel - tooltipGap - width : pixel + tooltipGap)
  const clamp = (value: number, max: number) => Math.round(Math.max(4, Math.min(value, max)))
  tooltip.style.transform = `translate(${clamp(x, window.innerWidth - width - 4)}px, ${clamp(top + area.top, window.innerHeight - height - 4)}px)`
}

/** Returns the index of the nearest mark at a position; undefined if none is close enough. */
function markAt(plot: Plot | undefined, marks: PlotInput['marks'], pixel: number, top: number): number | undefined {
  if (!plot || Math.abs(top - plot.area().bottom) > 2 * markSize) return undefined
  const distances = marks.map(({ x }) => Math.abs(plot.xOf(x) - pixel))
  const nearest = Math.min(...distances)
  return nearest <= markSize ? distances.indexOf(nearest) : undefined
}
