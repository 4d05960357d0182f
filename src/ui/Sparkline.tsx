/** A word-sized chart of a series, without axes or units. `label` describes it in words. */

const width = 100
const height = 32
/** Padding for the line's thickness. */
const linePadding = 2

interface Props {
  /** Values at equal intervals; null is a gap. */
  values: readonly (number | null)[]
  label: string
  /** `bars` for amounts, with an axis from 0; `line` for measured values. */
  kind?: 'line' | 'bars'
}

export function Sparkline({ values, label, kind = 'line' }: Props) {
  const readings = values.filter(value => value !== null)
  const low = kind === 'bars' ? 0 : Math.min(...readings)
  const span = Math.max(...readings) - low
  // A constant series is drawn in the middle.
  const y = (value: number) =>
    span > 0 ? height - linePadding - ((value - low) / span) * (height - 2 * linePadding) : height / 2
  const x = (index: number) => ((index + 0.5) / values.length) * width
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="block h-8 w-full overflow-visible"
    >
      <line x1={0} x2={width} y1={height} y2={height} stroke="var(--line)" vectorEffect="non-scaling-stroke" />
      {readings.length > 0 && kind === 'bars' && <Bars values={values} x={x} y={y} />}
      {readings.length > 0 && kind === 'line' && <Line values={values} x={x} y={y} />}
    </svg>
  )
}

interface SeriesProps {
  values: readonly (number | null)[]
  x: (index: number) => number
  y: (value: number) => number
}

/** Draws a line between gaps; a value without neighbours is a dot. */
function Line({ values, x, y }: SeriesProps) {
  const last = values.findLastIndex(value => value !== null)
  const path = values
    .map((value, index) => {
      if (value === null) return ''
      const point = `${x(index).toFixed(2)} ${y(value).toFixed(2)}`
      const before = values[index - 1] ?? null
      const after = values[index + 1] ?? null
      if (before !== null) return `L${point}`
      return after === null ? `M${point}h.01` : `M${point}`
    })
    .join('')
  return (
    <g fill="none" stroke="currentColor" strokeLinecap="round" strokeLinejoin="round">
      <path d={path} strokeWidth={1.5} vectorEffect="non-scaling-stroke" />
      <path d={`M${x(last)} ${y(values[last] ?? 0)}h.01`} strokeWidth={5} vectorEffect="non-scaling-stroke" />
    </g>
  )
}

function Bars({ values, x, y }: SeriesProps) {
  const barWidth = (width / values.length) * 0.76
  return (
    <g fill="currentColor">
      {values.map((value, index) =>
        value === null || value <= 0 ? null : (
          <rect
            key={index}
            x={x(index) - barWidth / 2}
            width={barWidth}
            y={Math.min(y(value), height - 1)}
            height={Math.max(1, height - y(value))}
          />
        ),
      )}
    </g>
  )
}
