import { encode } from 'uqr'

/** A QR code, black on white in every theme, so that all cameras read it. `label` says what it is of. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-44 rounded-lg bg-[#fff]"
    >
      <path d={squares.join('')} fill="#000" />
    </svg>
  )
}
