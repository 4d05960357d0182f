/** Draws times at which something began: an area from the earliest to the latest, a line at the likeliest, and a label. */
import type { PlotArea, PlotInput, PlotSpan, PlotTheme } from './plot.ts'

type Context = CanvasRenderingContext2D
type Spans = PlotInput['spans']
type XOf = (x: number) => number

const opacity = 0.12
const fontSize = 11
const gap = 4
const lineHeight = 14

/** Draws the areas and the lines, which are below those of the plot. */
export function drawSpans(ctx: Context, spans: Spans = [], { left, right, top, bottom }: PlotArea, xOf: XOf): void {
  ctx.save()
  ctx.beginPath()
  ctx.rect(left, top, right - left, bottom - top)
  ctx.clip()
  for (const { from, at, to, colour } of spans) {
    ctx.globalAlpha = opacity
    ctx.fillStyle = colour
    ctx.fillRect(xOf(from), top, Math.max(1, xOf(to) - xOf(from)), bottom - top)
    ctx.globalAlpha = 1
    ctx.strokeStyle = colour
    const x = Math.round(xOf(at)) + 0.5
    ctx.beginPath()
    ctx.moveTo(x, top)
    ctx.lineTo(x, bottom)
    ctx.stroke()
  }
  ctx.restore()
}

/** Draws the labels beside their lines, each on a line of its own, on the side with more room. */
export function drawSpanLabels(
  ctx: Context,
  spans: Spans = [],
  { left, right, top }: PlotArea,
  xOf: XOf,
  { background, font }: PlotTheme,
): void {
  ctx.save()
  ctx.font = `${fontSize}px ${font}`
  ctx.textBaseline = 'top'
  ctx.lineJoin = 'round'
  ctx.lineWidth = 3
  ctx.strokeStyle = background
  const visible = spans.filter(({ at }: PlotSpan) => xOf(at) >= left && xOf(at) <= right)
  for (const [row, { at, label, colour }] of visible.entries()) {
    const x = xOf(at)
    const isOnLeft = x > (left + right) / 2
    ctx.textAlign = isOnLeft ? 'right' : 'left'
    ctx.fillStyle = colour
    const place = [isOnLeft ? x - gap : x + gap, top + 2 + row * lineHeight] as const
    // The outline keeps it readable above lines.
    ctx.strokeText(label, ...place)
    ctx.fillText(label, ...place)
  }
  ctx.restore()
}
