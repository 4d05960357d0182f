/** The chart.js configuration for lines over a time axis, without events or animation. */
import 'chartjs-adapter-date-fns'
import {
  Chart,
  Decimation,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  TimeScale,
  type ChartData,
  type ChartOptions,
  type Plugin,
} from 'chart.js'

export interface PlotPoint {
  readonly x: number
  /** Null interrupts the line. */
  readonly y: number | null
}
export interface PlotLine {
  readonly colour: string
  /** Lengths of dashes and gaps in pixels; empty is a solid line. */
  readonly dash: readonly number[]
  /** In order of `x`. */
  readonly points: readonly PlotPoint[]
  /** Points without a neighbour, which are drawn as dots. */
  readonly isolated: readonly PlotPoint[]
}
export interface PlotMark {
  readonly x: number
  readonly colour: string
}
export interface PlotInput {
  readonly lines: readonly PlotLine[]
  readonly from: number
  readonly to: number
  readonly ticks: readonly { readonly x: number; readonly label: string; readonly major: boolean }[]
  /** Whether the value axis starts at 0, as for amounts. */
  readonly fromZero: boolean
  /** Whether a value extends until the next, as for amounts. */
  readonly stepped: boolean
  /** Whether there are no values; the value axis is then hidden. */
  readonly empty: boolean
  readonly marks: readonly PlotMark[]
  /** The position of the line that marks the present; undefined for none. */
  readonly now: number | undefined
}
/** Colours and the font family, as CSS values for a canvas. */
export interface PlotTheme {
  readonly grid: string
  readonly text: string
  readonly ink: string
  /** The background colour. */
  readonly ground: string
  readonly font: string
}
export interface PlotArea {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** A drawn chart. */
export type DrawnChart = Chart<'line', PlotPoint[]>

/** Coordinates of a drawn chart. */
export interface Plot {
  readonly area: () => PlotArea
  /** Return pixels from the canvas's left and top. */
  readonly xOf: (x: number) => number
  readonly yOf: (y: number) => number
  /** Returns the position at a distance in pixels from the canvas's left. */
  readonly at: (pixel: number) => number
}

Chart.register(Decimation, LinearScale, LineController, LineElement, PointElement, TimeScale)

/** Pixels; the same for all charts, so that their time axes align. */
const valuesWidth = 46
const timesHeight = 20
const topPadding = 8
const fontSize = 11
export const markSize = 7
/** With more lines than this, each is drawn thinner. */
const maxThickLines = 8

/** Returns functions that convert between values and pixels of a drawn chart. */
export const plotOf = (chart: DrawnChart): Plot => ({
  area: () => chart.chartArea,
  xOf: x => chart.scales.x?.getPixelForValue(x) ?? 0,
  yOf: y => chart.scales.y?.getPixelForValue(y) ?? 0,
  at: pixel => chart.scales.x?.getValueForPixel(pixel) ?? 0,
})

export interface ChartConfig {
  readonly data: ChartData<'line', PlotPoint[]>
  readonly options: ChartOptions<'line'>
}

/** Returns the chart.js data and options for a plot. */
export const chartConfigOf = (input: PlotInput, theme: PlotTheme): ChartConfig => ({
  data: dataOf(input),
  options: {
    responsive: false,
    maintainAspectRatio: false,
    animation: false,
    events: [],
    locale: 'en',
    // Points are already sorted and in chart.js's format.
    parsing: false,
    normalized: true,
    spanGaps: false,
    layout: { padding: { top: topPadding, right: 10 } },
    elements: { line: { borderJoinStyle: 'round', tension: 0 }, point: { radius: 0 } },
    // Takes effect from four points per pixel.
    plugins: { decimation: { enabled: true, algorithm: 'min-max' } },
    scales: scalesOf(input, theme),
  },
})

/** Returns a plugin that draws the present, isolated points and marks. `shown` is read at every paint. */
export function extrasPlugin(
  shown: () => { readonly input: PlotInput; readonly theme: PlotTheme } | undefined,
): Plugin<'line'> {
  return {
    id: 'extras',
    beforeDatasetsDraw: ({ ctx, chartArea, scales }) => {
      const now = shown()
      if (now) drawNow(ctx, chartArea, value => scales.x!.getPixelForValue(value), now.input, now.theme)
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
    },
  }
}

// The casts drop `readonly`: chart.js's types require mutable arrays, but it only reads them.
const dataOf = ({ lines, stepped }: PlotInput): ChartData<'line', PlotPoint[]> => ({
  datasets: lines.map(({ points, colour, dash }, index) => ({
    // Identifies the dataset at the next update.
    label: String(index),
    data: points as PlotPoint[],
    borderColor: colour,
    borderDash: dash as number[],
    stepped,
    borderWidth: lines.length > maxThickLines ? 1 : 1.6,
  })),
})

function scalesOf(input: PlotInput, theme: PlotTheme): NonNullable<ChartOptions<'line'>['scales']> {
  const font = { family: theme.font, size: fontSize }
  return {
    x: {
      type: 'time',
      min: input.from,
      max: input.to,
      border: { color: theme.grid },
      grid: { color: theme.grid, tickLength: 4, drawOnChartArea: false },
      ticks: {
        color: theme.text,
        font,
        autoSkip: false,
        maxRotation: 0,
        padding: 2,
        callback: (_, index) => input.ticks[index]?.label,
      },
      afterBuildTicks: axis => {
        axis.ticks = input.ticks.map(({ x, major }) => ({ value: x, major }))
      },
      afterFit: axis => {
        axis.height = timesHeight
      },
    },
    y: {
      type: 'linear',
      beginAtZero: input.fromZero,
      border: { display: false },
      grid: { color: theme.grid, drawTicks: false, display: !input.empty },
      ticks: { display: !input.empty, color: theme.text, font, maxTicksLimit: 5, padding: 6 },
      afterFit: axis => {
        axis.width = valuesWidth
      },
    },
  }
}

type Context = CanvasRenderingContext2D

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
