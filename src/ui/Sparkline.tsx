/** A series as small as a word: how it went, not what it was. It knows no units; `label` says it in words. */

const width = 100
const height = 32
/** Room for the line's own thickness. */
const edge = 2

interface Props {
  /** At even steps; null is a gap, and drawn as one. */
  values: readonly (number | null)[]
  label: string
  /** `bars` for sums, which begin at 0; a line for what was measured. */
  kind?: 'line' | 'bars'
}

export function Sparkline({ values, label, kind = 'line' }: Props) {
  const known = values.filter(value => value !== null)
  const low = kind === 'bars' ? 0 : Math.min(...known)
  const span = Math.max(...known) - low
  // What does not change runs through the middle.
  const y = (value: number) => (span > 0 ? height - edge - ((value - low) / span) * (height - 2 * edge) : height / 2)
  const x = (place: number) => ((place + 0.5) / values.length) * width
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="block h-8 w-full overflow-visible"
    >
      <line x1={0} x2={width} y1={height} y2={height} stroke="var(--line)" vectorEffect="non-scaling-stroke" />
      {known.length > 0 && kind === 'bars' && <Bars values={values} x={x} y={y} />}
      {known.length > 0 && kind === 'line' && <Line values={values} x={x} y={y} />}
    </svg>
  )
}

interface Drawn {
  values: readonly (number | null)[]
  x: (place: number) => number
  y: (value: number) => number
}

/** Runs of values between the gaps; one that stands alone is a dot. */
function Line({ values, x, y }: Drawn) {
  const last = values.findLastIndex(value => value !== null)
  const path = values
    .map((value, place) => {
      if (value === null) return ''
      const at = `${x(place).toFixed(2)} ${y(value).toFixed(2)}`
      const before = values[place - 1] ?? null
      const after = values[place + 1] ?? null
      if (before !== null) return `L${at}`
      return after === null ? `M${at}h.01` : `M${at}`
    })
    .join('')
  return (
    <g fill="none" stroke="currentColor" strokeLinecap="round" strokeLinejoin="round">
      <path d={path} strokeWidth={1.5} vectorEffect="non-scaling-stroke" />
      <path d={`M${x(last)} ${y(values[last] ?? 0)}h.01`} strokeWidth={5} vectorEffect="non-scaling-stroke" />
    </g>
  )
}

function Bars({ values, x, y }: Drawn) {
  const each = (width / values.length) * 0.76
  return (
    <g fill="currentColor">
      {values.map((value, place) =>
        value === null || value <= 0 ? null : (
          <rect
            key={place}
            x={x(place) - each / 2}
            width={each}
            y={Math.min(y(value), height - 1)}
            height={Math.max(1, height - y(value))}
          />
        ),
      )}
    </g>
  )
}
