/** The chart.js configuration of lines over a time axis, without chart.js's pointer events and animation. */
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
} from 'chart.js'

export interface PlotPoint {
  /** Milliseconds along the time axis; an instant only if the axis shows one zone. */
  readonly x: number
  /** Null interrupts the line. */
  readonly y: number | null
}
export interface PlotLine {
  readonly colour: string
  /** Lengths of dashes and gaps in pixels; empty is a solid line. */
  readonly dash: readonly number[]
  /** Whether the line is thicker than others. */
  readonly bold: boolean
  /** Whether it is thinner than others. */
  readonly thin?: boolean
  /** In order of `x`. */
  readonly points: readonly PlotPoint[]
  /** Points without a neighbour: a line cannot show them, so each is drawn as a circle. */
  readonly isolated: readonly PlotPoint[]
  /** Values whose mean is the line, drawn as fine dots under it. */
  readonly dots?: readonly PlotPoint[]
  /** Areas around the line, each in order of `x`. */
  readonly bands: readonly (readonly PlotBandPoint[])[]
}
export interface PlotBandPoint {
  readonly x: number
  readonly low: number
  readonly high: number
}
/** A triangle on the time axis where something happened, such as a notification. */
export interface PlotMark {
  readonly x: number
  readonly colour: string
}
/** A time at which something began, as far as it is known: an area from the earliest to the latest, and a line at the likeliest. */
export interface PlotSpan {
  readonly from: number
  readonly at: number
  readonly to: number
  readonly label: string
  readonly colour: string
}
export interface PlotInput {
  readonly lines: readonly PlotLine[]
  readonly from: number
  readonly to: number
  readonly ticks: readonly { readonly x: number; readonly label: string; readonly major: boolean }[]
  /** Whether the value axis starts at 0, as for litres. */
  readonly fromZero: boolean
  /** A range that the value axis always includes, so that several charts have one scale; undefined for none. */
  readonly includedRange: { readonly min: number; readonly max: number } | undefined
  /** Whether a value is drawn as a step until the next, as for litres of a day. */
  readonly stepped: boolean
  /** Whether there are no values; the value axis is then hidden. */
  readonly empty: boolean
  readonly marks: readonly PlotMark[]
  readonly spans?: readonly PlotSpan[]
  /** The position of the line that marks the present; undefined for none. */
  readonly now: number | undefined
}
/** Colours and the font family, as CSS values for a canvas. */
export interface PlotTheme {
  readonly grid: string
  readonly text: string
  /** The colour of a selected range. */
  readonly ink: string
  readonly background: string
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

/** Converts between values and pixels of a drawn chart. */
export interface Plot {
  readonly area: () => PlotArea
  /** Returns the pixels of a time from the canvas's left. */
  readonly xOf: (x: number) => number
  /** Returns the pixels of a value from the canvas's top. */
  readonly yOf: (y: number) => number
  /** Returns the time at a distance in pixels from the canvas's left. */
  readonly timeAt: (pixel: number) => number
}

Chart.register(Decimation, LinearScale, LineController, LineElement, PointElement, TimeScale)

/** Pixels of the value axis; the same for all charts, so that their time axes align. */
const valueAxisWidth = 46
/** Pixels of the time axis. */
const timeAxisHeight = 20
const topPadding = 8
const fontSize = 11
/** Pixels of a chart's height for each label of the value axis, which has five in any case. */
const pixelsPerLabel = 70
export const markSize = 7
/** Maximum lines of normal width: with more, lines that are not bold are thinner. */
const maxThickLines = 8

/** Returns functions that convert between values and pixels of a drawn chart. */
export const plotOf = (chart: DrawnChart): Plot => ({
  area: () => chart.chartArea,
  xOf: x => chart.scales.x?.getPixelForValue(x) ?? 0,
  yOf: y => chart.scales.y?.getPixelForValue(y) ?? 0,
  timeAt: pixel => chart.scales.x?.getValueForPixel(pixel) ?? 0,
})

export interface ChartConfig {
  readonly data: ChartData<'line', PlotPoint[]>
  readonly options: ChartOptions<'line'>
}

/** Returns the chart.js data and options for a plot of a height in pixels. */
export const chartConfigOf = (input: PlotInput, theme: PlotTheme, height: number): ChartConfig => ({
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
    // Draws the extreme values only, from four points a pixel (chart.js's default).
    plugins: { decimation: { enabled: true, algorithm: 'min-max' } },
    scales: scalesOf(input, theme, Math.max(5, Math.round(height / pixelsPerLabel))),
  },
})

// The casts drop `readonly`: chart.js's types require mutable arrays, but it only reads them.
const dataOf = ({ lines, stepped }: PlotInput): ChartData<'line', PlotPoint[]> => ({
  datasets: lines.map(({ points, colour, dash, bold, thin }, index) => ({
    // By its label, react-chartjs-2 finds the dataset at the next update.
    label: String(index),
    data: points as PlotPoint[],
    borderColor: colour,
    borderDash: dash as number[],
    stepped,
    borderWidth: bold ? 2.4 : thin || lines.length > maxThickLines ? 1 : 1.6,
  })),
})

function scalesOf(
  input: PlotInput,
  theme: PlotTheme,
  maxTicksLimit: number,
): NonNullable<ChartOptions<'line'>['scales']> {
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
        axis.height = timeAxisHeight
      },
    },
    y: {
      type: 'linear',
      beginAtZero: input.fromZero,
      ...suggestedRange(input),
      border: { display: false },
      grid: { color: theme.grid, drawTicks: false, display: !input.empty },
      ticks: { display: !input.empty, color: theme.text, font, maxTicksLimit, padding: 6 },
      afterFit: axis => {
        axis.width = valueAxisWidth
      },
    },
  }
}

/** Returns the range that the value axis includes besides the lines. */
function suggestedRange({ lines, includedRange }: PlotInput): { suggestedMin?: number; suggestedMax?: number } {
  let [min, max] = [includedRange?.min ?? Infinity, includedRange?.max ?? -Infinity]
  for (const { bands, dots = [] } of lines) {
    for (const { low, high } of bands.flat()) [min, max] = [Math.min(min, low), Math.max(max, high)]
    for (const { y } of dots) if (y !== null) [min, max] = [Math.min(min, y), Math.max(max, y)]
  }
  return min <= max ? { suggestedMin: min, suggestedMax: max } : {}
}
