import { useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { Chart } from 'react-chartjs-2'
import { flushSync } from 'react-dom'
import { drawOverlay, type Dot } from './overlay.ts'
import { paintSoon } from './paintQueue.ts'
import {
  drawingOf,
  extrasOf,
  markSize,
  plotOf,
  type Drawing,
  type DrawnChart,
  type Plot,
  type PlotInput,
  type PlotLine,
  type PlotLook,
} from './plot.ts'
import { followPointers } from './pointers.ts'

/** A cursor that several charts share; positions are those of the time axis. */
export interface SharedCursor {
  read(): { readonly x: number | undefined; readonly anchor: number | undefined }
  /** Calls back when it has moved; returns how to stop. */
  subscribe(moved: () => void): () => void
}

/** All of what is drawn but the lines, which are made when they are needed. `ticks` for so many pixels. */
export type PlotFrame = Omit<PlotInput, 'lines' | 'ticks'> & { readonly ticks: (pixels: number) => PlotInput['ticks'] }

export interface ChartProps {
  /** The id of the command that moves its cursor. */
  command: string
  /** Its name for who cannot see it. */
  label: string
  describedBy: string
  lines: () => readonly PlotLine[]
  frame: PlotFrame
  look: PlotLook
  cursor: SharedCursor
  /** The lines' points at a position. */
  dotsAt: (x: number) => readonly Dot[]
  /** The cursor is moved here; undefined takes it away. */
  onRead: (x: number | undefined) => void
  onZoom: (from: number, to: number) => void
  onReset: () => void
  /** A mark was pressed, by its place among the frame's. */
  onMark: (mark: number) => void
  onFocus: () => void
  /** What stands beside the cursor. */
  tip: ReactNode
}

/** How far from its edges in pixels a chart is painted before it is seen. */
const near = '300px'
const gap = 14

/** A chart of lines over time, with a cursor that is moved by mouse, finger and whoever holds `cursor`. */
export function LineChart(props: ChartProps) {
  const { lines, frame, look, cursor } = props
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<DrawnChart>(null)
  const over = useRef<HTMLCanvasElement>(null)
  const tip = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  useLayoutEffect(() => {
    latest.current = props
  })
  const state = useRef<{
    plot: Plot | undefined
    /** What it was told to draw. */
    shown: { input: PlotInput; look: PlotLook } | undefined
    width: number
    height: number
    /** In view, or nearly. */
    near: boolean
    /** What has been painted is not what is to be seen. */
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

  const [drawing, setDrawing] = useState<Drawing & { at: { width: number; height: number } }>()
  const plugins = useMemo(() => [extrasOf(() => state.shown)], [state])

  // What is drawn, and when: in its turn, once it has a size and is near the view.
  const owner = useRef({}).current
  const paint = useRef(() => {
    state.stale = true
    if (!state.near || state.width === 0) return
    paintSoon(owner, () => {
      const now = latest.current
      const { ticks, ...rest } = now.frame
      const { width, height } = state
      const input = { ...rest, lines: now.lines(), ticks: ticks(width) }
      state.shown = { input, look: now.look }
      // Painted in this task, and not in one with all the others'.
      flushSync(() => setDrawing(before => ({ ...drawingOf(input, now.look), at: before?.at ?? { width, height } })))
      const drawn = chart.current
      if (!drawn || !over.current) return
      if (drawn.width !== width || drawn.height !== height) drawn.resize(width, height)
      state.plot = plotOf(drawn)
      const ratio = window.devicePixelRatio
      Object.assign(over.current, { width: state.width * ratio, height: state.height * ratio })
      state.stale = false
      drawn.canvas.dataset.painted = String(++state.paints)
      follow.current()
    })
  })
  const follow = useRef(() => {
    const { plot } = state
    if (!plot || !over.current) return
    const { cursor: shared, dotsAt, look: colours } = latest.current
    const { x, anchor } = shared.read()
    const marked = state.marked ?? (anchor !== undefined && x !== undefined ? ([anchor, x] as const) : undefined)
    drawOverlay(over.current, plot, { x, marked, dots: x === undefined ? [] : dotsAt(x) }, colours)
    if (tip.current && x !== undefined) placeTip(tip.current, over.current, plot, plot.xOf(x))
  })
  useEffect(() => {
    delete chart.current?.canvas.dataset.painted
    paint.current()
  }, [lines, frame, look])
  useEffect(() => follow.current())

  useEffect(() => {
    const element = box.current!
    const sizes = new ResizeObserver(([entry]) => {
      if (!entry) return
      state.width = Math.floor(entry.contentRect.width)
      state.height = Math.floor(entry.contentRect.height)
      paint.current()
    })
    const sight = new IntersectionObserver(
      ([entry]) => {
        state.near = entry?.isIntersecting ?? false
        if (state.near && state.stale) paint.current()
      },
      { rootMargin: near },
    )
    sizes.observe(element)
    sight.observe(element)
    const draw = follow.current
    let frameAsked = 0
    const stop = cursor.subscribe(() => {
      cancelAnimationFrame(frameAsked)
      frameAsked = requestAnimationFrame(draw)
    })
    const at = (pixel: number) => state.plot?.at(pixel) ?? 0
    const unfollow = followPointers(element, {
      read: pixel => latest.current.onRead(pixel === undefined ? undefined : at(pixel)),
      mark(ends) {
        state.marked = ends && [at(ends[0]), at(ends[1])]
        draw()
      },
      marked: (from, to) => latest.current.onZoom(at(from), at(to)),
      press(pixel, top) {
        const mark = markAt(state.plot, latest.current.frame.marks, pixel, top)
        if (mark !== undefined) latest.current.onMark(mark)
      },
      reset: () => latest.current.onReset(),
    })
    return () => {
      sizes.disconnect()
      sight.disconnect()
      stop()
      unfollow()
      cancelAnimationFrame(frameAsked)
    }
  }, [cursor, state])

  return (
    <div
      ref={box}
      data-command={props.command}
      role="application"
      aria-roledescription="chart"
      aria-label={props.label}
      aria-describedby={props.describedBy}
      tabIndex={0}
      className="relative min-h-0 flex-1 cursor-crosshair touch-pan-y overflow-hidden rounded-md outline-offset-[-2px] select-none"
      onFocus={props.onFocus}
    >
      {drawing && (
        <Chart
          ref={chart}
          type="line"
          data={drawing.data}
          options={drawing.options}
          plugins={plugins}
          updateMode="none"
          // Later ones are the library's to change.
          width={drawing.at.width}
          height={drawing.at.height}
          role="presentation"
          className="absolute inset-0"
          aria-hidden="true"
        />
      )}
      <canvas ref={over} className="pointer-events-none absolute inset-0 size-full" aria-hidden="true" />
      {props.tip && (
        <div ref={tip} className="pointer-events-none fixed top-0 left-0 z-40" aria-hidden="true">
          {props.tip}
        </div>
      )}
    </div>
  )
}

/** Beside the cursor, on the side with more room, within the window. */
function placeTip(tip: HTMLElement, canvas: HTMLElement, plot: Plot, pixel: number): void {
  const { left, top } = canvas.getBoundingClientRect()
  const area = plot.area()
  const { offsetWidth: width, offsetHeight: height } = tip
  const onLeft = pixel > (area.left + area.right) / 2
  const x = left + (onLeft ? pixel - gap - width : pixel + gap)
  const within = (value: number, most: number) => Math.round(Math.max(4, Math.min(value, most)))
  tip.style.transform = `translate(${within(x, window.innerWidth - width - 4)}px, ${within(top + area.top, window.innerHeight - height - 4)}px)`
}

/** The mark under the hand, the nearest of several. */
function markAt(plot: Plot | undefined, marks: PlotInput['marks'], pixel: number, top: number): number | undefined {
  if (!plot || Math.abs(top - plot.area().bottom) > 2 * markSize) return undefined
  const distances = marks.map(({ x }) => Math.abs(plot.xOf(x) - pixel))
  const least = Math.min(...distances)
  return least <= markSize ? distances.indexOf(least) : undefined
}
