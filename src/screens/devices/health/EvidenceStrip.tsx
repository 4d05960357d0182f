import type { Finding } from '../../../api/contract/findings.ts'

type Evidence = Finding['evidence'][number]

/** Returns how far a strip must reach to each side for a channel. */
export const extent = ({ value, error, expected }: Evidence) =>
  [value - 2 * error, value + 2 * error, ...expected].map(each => Math.abs(each ?? 0))

const width = 120
const height = 18

/** The observed change as a bar with its interval, and the expected ones as a full and a hollow mark. */
export function Strip(props: { evidence: Evidence; reach: number; isKnown: boolean }) {
  const { evidence, reach, isKnown } = props
  const { value, error, expected } = evidence
  const x = (change: number) => width / 2 + (change / reach) * (width / 2 - 5)
  const [first, second] = expected
  const [start, end] = [Math.min(0, value), Math.max(0, value)]
  return (
    <svg width={width} height={height} className="block">
      <line x1={width / 2} x2={width / 2} y1={0} y2={height} stroke="var(--line)" />
      <rect x={x(start)} width={Math.max(1, x(end) - x(start))} y={6} height={6} fill="var(--accent)" opacity={0.5} />
      <line x1={x(value - 2 * error)} x2={x(value + 2 * error)} y1={9} y2={9} stroke="var(--ink)" strokeWidth={1.5} />
      {second !== null && <path d={diamond(x(second))} fill="var(--panel)" stroke="var(--ink2)" strokeWidth={1.2} />}
      {isKnown && <path d={diamond(x(first))} fill="var(--ink2)" />}
    </svg>
  )
}

const diamond = (x: number) => `M${x} 4l4 5l-4 5l-4 -5Z`

/** What the marks of the strips are. */
export function Key({ isKnown }: { isKnown: boolean }) {
  return (
    <span className="flex items-center gap-2 text-[10.5px] whitespace-nowrap">
      <span className="flex items-center gap-1">
        <span className="h-1.5 w-3 bg-accent opacity-50" />
        seen
      </span>
      {isKnown && (
        <span className="flex items-center gap-1">
          <svg width="8" height="10">
            <path d="M4 0l4 5l-4 5l-4 -5Z" fill="var(--ink2)" />
          </svg>
          1st
        </span>
      )}
      <span className="flex items-center gap-1">
        <svg width="10" height="12">
          <path d="M5 1l4 5l-4 5l-4 -5Z" fill="none" stroke="var(--ink2)" />
        </svg>
        2nd
      </span>
    </span>
  )
}
