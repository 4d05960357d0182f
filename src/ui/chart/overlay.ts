/** Draws the overlay of a plot: the cursor with its dots, and the range that is being selected. */
import type { Plot, PlotTheme } from './plot.ts'

export interface Dot {
  /** The value, not pixels. */
  readonly y: number
  readonly colour: string
}

export interface OverlayState {
  /** The time of the cursor, as that of a point; undefined without a cursor. */
  readonly x: number | undefined
  /** The times at the ends of the range that is being selected, in either order. */
  readonly range: readonly [number, number] | undefined
  readonly dots: readonly Dot[]
}

/** CSS pixels. */
const dotRadius = 3

/** Clears the canvas and draws the overlay; dots only with a cursor inside the plot. */
export function drawOverlay(
  canvas: HTMLCanvasElement,
  plot: Plot,
  { x, range, dots }: OverlayState,
  theme: PlotTheme,
): void {
  const ctx = canvas.getContext('2d')
  if (!ctx) return
  const { left, right, top, bottom } = plot.area()
  // In canvas pixels: the transform below would shrink the rectangle on a page that is zoomed out.
  ctx.resetTransform()
  ctx.clearRect(0, 0, canvas.width, canvas.height)
  const ratio = window.devicePixelRatio
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
  const clamp = (pixel: number) => Math.min(right, Math.max(left, pixel))
  if (range) {
    const [from, to] = [clamp(plot.xOf(range[0])), clamp(plot.xOf(range[1]))]
    ctx.globalAlpha = 0.12
    ctx.fillStyle = theme.ink
    ctx.fillRect(from, top, to - from, bottom - top)
    ctx.globalAlpha = 1
  }
  if (x === undefined) return
  const pixel = plot.xOf(x)
  if (pixel < left - 1 || pixel > right + 1) return
  ctx.strokeStyle = theme.text
  ctx.lineWidth = 1
  ctx.beginPath()
  ctx.moveTo(Math.round(pixel) + 0.5, top)
  ctx.lineTo(Math.round(pixel) + 0.5, bottom)
  ctx.stroke()
  ctx.strokeStyle = theme.background
  for (const { y, colour } of dots) {
    ctx.beginPath()
    ctx.arc(pixel, plot.yOf(y), dotRadius, 0, 2 * Math.PI)
    ctx.fillStyle = colour
    ctx.fill()
    ctx.stroke()
  }
}
