/** What is drawn besides the lines of a plot: bands around them, spans, the present, isolated points and marks. */
import type { Plugin } from 'chart.js'
import { drawSpanLabels, drawSpans } from './spans.ts'
import { markSize, type PlotArea, type PlotInput, type PlotMark, type PlotPoint, type PlotTheme } from './plot.ts'

/** Returns a plugin that draws bands, the present, isolated points and marks. `shown` is read at every paint. */
export function extrasPlugin(
  shown: () => { readonly input: PlotInput; readonly theme: PlotTheme } | undefined,
): Plugin<'line'> {
  return {
    id: 'extras',
    beforeDatasetsDraw: ({ ctx, chartArea, scales }) => {
      const now = shown()
      if (!now) return
      const { x, y } = scales
      const pixelsOf = (at: number, value: number): [number, number] => [
        x!.getPixelForValue(at),
        y!.getPixelForValue(value),
      ]
      drawSpans(ctx, now.input.spans, chartArea, value => x!.getPixelForValue(value))
      drawBands(ctx, now.input, chartArea, pixelsOf)
      drawDots(ctx, now.input, chartArea, pixelsOf)
      drawNow(ctx, chartArea, value => x!.getPixelForValue(value), now.input, now.theme)
    },
    afterDatasetsDraw({ ctx, scales, chartArea }) {
      const now = shown()
      if (!now) return
      const { x, y } = scales
      drawIsolatedPoints(ctx, now.input, chartArea, point => [
        x!.getPixelForValue(point.x),
        y!.getPixelForValue(point.y ?? 0),
      ])
      drawMarks(ctx, now.input.marks, chartArea, value => x!.getPixelForValue(value))
      drawSpanLabels(ctx, now.input.spans, chartArea, value => x!.getPixelForValue(value), now.theme)
    },
  }
}

type Context = CanvasRenderingContext2D

/** How opaque a band is: bands of several devices stay visible below each other. */
const bandOpacity = 0.16
/** With more lines, bands are less opaque, so that together they do not hide the lines. */
const maxOpaqueBands = 3

/** Limits what is drawn to an area, until the context is restored. */
function clipTo(ctx: Context, area: PlotArea): void {
  ctx.save()
  ctx.beginPath()
  ctx.rect(area.left, area.top, area.right - area.left, area.bottom - area.top)
  ctx.clip()
}

/** Draws areas around lines. */
function drawBands(
  ctx: Context,
  { lines }: PlotInput,
  area: PlotArea,
  pixelsOf: (x: number, y: number) => [number, number],
): void {
  clipTo(ctx, area)
  const opacity = bandOpacity / Math.max(1, lines.length / maxOpaqueBands)
  for (const { colour, bands, bold } of lines) {
    ctx.globalAlpha = bold ? bandOpacity : opacity
    ctx.fillStyle = colour
    for (const band of bands) {
      ctx.beginPath()
      for (const { x, high } of band) ctx.lineTo(...pixelsOf(x, high))
      for (const { x, low } of band.toReversed()) ctx.lineTo(...pixelsOf(x, low))
      ctx.fill()
    }
  }
  ctx.restore()
}

/** Draws the single values behind lines of means. */
function drawDots(
  ctx: Context,
  { lines, from, to }: PlotInput,
  area: PlotArea,
  pixelsOf: (x: number, y: number) => [number, number],
): void {
  clipTo(ctx, area)
  ctx.globalAlpha = dotOpacity
  for (const { colour, dots = [] } of lines) {
    ctx.fillStyle = colour
    for (const { x, y } of dots) {
      if (y === null || x < from || x > to) continue
      ctx.beginPath()
      ctx.arc(...pixelsOf(x, y), 1.3, 0, 2 * Math.PI)
      ctx.fill()
    }
  }
  ctx.restore()
}
const dotOpacity = 0.6

/** Draws a line at the present. */
function drawNow(ctx: Context, area: PlotArea, xOf: (x: number) => number, input: PlotInput, theme: PlotTheme): void {
  if (input.now === undefined || input.now <= input.from || input.now >= input.to) return
  ctx.save()
  ctx.strokeStyle = theme.text
  ctx.setLineDash([1, 3])
  const x = Math.round(xOf(input.now)) + 0.5
  ctx.beginPath()
  ctx.moveTo(x, area.top)
  ctx.lineTo(x, area.bottom)
  ctx.stroke()
  ctx.restore()
}

/** Draws points without a neighbour as dots. */
function drawIsolatedPoints(
  ctx: Context,
  { lines, from, to }: PlotInput,
  area: PlotArea,
  pixelsOf: (point: PlotPoint) => [number, number],
): void {
  ctx.save()
  ctx.rect(area.left - 3, area.top - 3, area.right - area.left + 6, area.bottom - area.top + 6)
  ctx.clip()
  for (const { colour, isolated } of lines) {
    ctx.fillStyle = colour
    for (const point of isolated) {
      if (point.x < from || point.x > to) continue
      const [x, y] = pixelsOf(point)
      ctx.beginPath()
      ctx.arc(x, y, 2.25, 0, 2 * Math.PI)
      ctx.fill()
    }
  }
  ctx.restore()
}

/** Draws marks as small triangles on the time axis. */
function drawMarks(ctx: Context, marks: readonly PlotMark[], area: PlotArea, xOf: (x: number) => number): void {
  ctx.save()
  for (const mark of marks) {
    const x = xOf(mark.x)
    if (x < area.left - 1 || x > area.right + 1) continue
    ctx.beginPath()
    ctx.moveTo(x, area.bottom - markSize - 1)
    ctx.lineTo(x + markSize / 2, area.bottom - 1)
    ctx.lineTo(x - markSize / 2, area.bottom - 1)
    ctx.closePath()
    ctx.fillStyle = mark.colour
    ctx.fill()
  }
  ctx.restore()
}
