/** Draws the overlay of a plot: the cursor with its dots, and the marked range. */
import type { Plot, PlotTheme } from './plot.ts'

export interface Dot {
  readonly y: number
  readonly colour: string
}

export interface OverlayState {
  /** The cursor's position. */
  readonly x: number | undefined
  /** The ends of the marked range. */
  readonly marked: readonly [number, number] | undefined
  readonly dots: readonly Dot[]
}

/** Pixels. */
const dotRadius = 3

export function drawOverlay(
  canvas: HTMLCanvasElement,
  plot: Plot,
  { x, marked, dots }: OverlayState,
  theme: PlotTheme,
): void {
  const ctx = canvas.getContext('2d')
  if (!ctx) return
  const ratio = window.devicePixelRatio
  const { left, right, top, bottom } = plot.area()
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
  ctx.clearRect(0, 0, canvas.width, canvas.height)
  const clamp = (pixel: number) => Math.min(right, Math.max(left, pixel))
  if (marked) {
    const [from, to] = [clamp(plot.xOf(marked[0])), clamp(plot.xOf(marked[1]))].sort((a, b) => a - b) as [
      number,
      number,
    ]
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
