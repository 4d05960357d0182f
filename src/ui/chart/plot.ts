/** Lines over a time axis on one canvas, drawn by chart.js. It hears no events and moves nothing: it is told what to draw. */
import {
  Chart,
  Decimation,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  type ChartData,
  type ChartOptions,
  type Plugin,
} from 'chart.js'

export interface PlotPoint {
  readonly x: number
  /** Null breaks the line. */
  readonly y: number | null
}
export interface PlotLine {
  readonly colour: string
  /** Lengths of dashes and gaps, pixels; none is a solid line. */
  readonly dash: readonly number[]
  /** In order of `x`. */
  readonly points: readonly PlotPoint[]
  /** Those of the points that have no neighbour, and so no line. */
  readonly alone: readonly PlotPoint[]
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
  /** The value axis begins at nought: for amounts. */
  readonly fromZero: boolean
  /** A value holds until the next: for what adds up. */
  readonly stepped: boolean
  /** There are no values, and so no axis of them. */
  readonly empty: boolean
  readonly marks: readonly PlotMark[]
  /** Where a hairline stands across; undefined is nowhere. */
  readonly now: number | undefined
}
/** CSS colours and a font family, as the canvas takes them. */
export interface PlotLook {
  readonly grid: string
  readonly text: string
  readonly ink: string
  /** Of what the plot stands on. */
  readonly ground: string
  readonly font: string
}
export interface PlotArea {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

export interface Plot {
  draw(input: PlotInput, look: PlotLook, width: number, height: number): void
  readonly area: () => PlotArea
  /** Pixels from the canvas' left and top. */
  readonly xOf: (x: number) => number
  readonly yOf: (y: number) => number
  /** The position at so many pixels from the canvas' left. */
  readonly at: (pixel: number) => number
  destroy(): void
}

Chart.register(Decimation, LinearScale, LineController, LineElement, PointElement)

/** Pixels. The same for all, so that what happens at one time stands at one place in each. */
const valuesWidth = 46
const timesHeight = 20
const head = 8
const fontSize = 11
export const markSize = 7
/** Of more lines each is thinner. */
const few = 8

export function createPlot(canvas: HTMLCanvasElement): Plot {
  let chart: Chart<'line', PlotPoint[]> | undefined
  let shown: { input: PlotInput; look: PlotLook } | undefined

  const extras: Plugin<'line'> = {
    id: 'extras',
    beforeDatasetsDraw: ({ ctx, chartArea, scales }) => {
      if (shown) drawNow(ctx, chartArea, value => scales.x!.getPixelForValue(value), shown.input, shown.look)
    },
    afterDatasetsDraw({ ctx, scales, chartArea }) {
      if (!shown) return
      const { x, y } = scales
      drawAlone(ctx, shown.input, chartArea, point => [x!.getPixelForValue(point.x), y!.getPixelForValue(point.y ?? 0)])
      drawMarks(ctx, shown.input.marks, chartArea, value => x!.getPixelForValue(value))
    },
  }

  const create = (width: number, height: number, { input, look }: { input: PlotInput; look: PlotLook }) => {
    Object.assign(canvas, { width, height })
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` })
    return new Chart<'line', PlotPoint[]>(canvas, {
      type: 'line',
      data: dataOf(input),
      plugins: [extras],
      options: {
        responsive: false,
        maintainAspectRatio: false,
        animation: false,
        events: [],
        locale: 'en',
        // Points come in order and as they are drawn.
        parsing: false,
        normalized: true,
        spanGaps: false,
        layout: { padding: { top: head, right: 10 } },
        elements: { line: { borderJoinStyle: 'round', tension: 0 }, point: { radius: 0 } },
        // Sets in where there are four points to a pixel.
        plugins: { decimation: { enabled: true, algorithm: 'min-max' } },
        scales: scalesOf(input, look),
      },
    })
  }

  return {
    draw(input, look, width, height) {
      shown = { input, look }
      if (!chart) {
        chart = create(width, height, shown)
        return
      }
      chart.data = dataOf(input)
      chart.options.scales = scalesOf(input, look)
      if (chart.width === width && chart.height === height) chart.update('none')
      else chart.resize(width, height)
    },
    area: () => chart?.chartArea ?? { left: 0, right: 0, top: 0, bottom: 0 },
    xOf: x => chart?.scales.x?.getPixelForValue(x) ?? 0,
    yOf: y => chart?.scales.y?.getPixelForValue(y) ?? 0,
    at: pixel => chart?.scales.x?.getValueForPixel(pixel) ?? 0,
    destroy: () => chart?.destroy(),
  }
}

// The library's types would change what it only reads.
const dataOf = ({ lines, stepped }: PlotInput): ChartData<'line', PlotPoint[]> => ({
  datasets: lines.map(({ points, colour, dash }) => ({
    data: points as PlotPoint[],
    borderColor: colour,
    borderDash: dash as number[],
    stepped,
    borderWidth: lines.length > few ? 1 : 1.6,
  })),
})

function scalesOf(input: PlotInput, look: PlotLook): NonNullable<ChartOptions<'line'>['scales']> {
  const font = { family: look.font, size: fontSize }
  return {
    x: {
      type: 'linear',
      min: input.from,
      max: input.to,
      border: { color: look.grid },
      grid: { color: look.grid, tickLength: 4, drawOnChartArea: false },
      ticks: {
        color: look.text,
        font,
        autoSkip: false,
        maxRotation: 0,
        padding: 2,
        callback: (_, at) => input.ticks[at]?.label,
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
      grid: { color: look.grid, drawTicks: false, display: !input.empty },
      ticks: { display: !input.empty, color: look.text, font, maxTicksLimit: 5, padding: 6 },
      afterFit: axis => {
        axis.width = valuesWidth
      },
    },
  }
}

type Context = CanvasRenderingContext2D

/** A hairline where now is. */
function drawNow(ctx: Context, area: PlotArea, xOf: (x: number) => number, input: PlotInput, look: PlotLook): void {
  if (input.now === undefined || input.now <= input.from || input.now >= input.to) return
  ctx.save()
  ctx.strokeStyle = look.text
  ctx.setLineDash([1, 3])
  const x = Math.round(xOf(input.now)) + 0.5
  ctx.beginPath()
  ctx.moveTo(x, area.top)
  ctx.lineTo(x, area.bottom)
  ctx.stroke()
  ctx.restore()
}

function drawAlone(
  ctx: Context,
  { lines, from, to }: PlotInput,
  area: PlotArea,
  pixelsOf: (point: PlotPoint) => [number, number],
): void {
  ctx.save()
  ctx.rect(area.left - 3, area.top - 3, area.right - area.left + 6, area.bottom - area.top + 6)
  ctx.clip()
  for (const { colour, alone } of lines) {
    ctx.fillStyle = colour
    for (const point of alone) {
      if (point.x < from || point.x > to) continue
      const [x, y] = pixelsOf(point)
      ctx.beginPath()
      ctx.arc(x, y, 2.25, 0, 2 * Math.PI)
      ctx.fill()
    }
  }
  ctx.restore()
}

/** Little triangles that stand on the time axis. */
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
