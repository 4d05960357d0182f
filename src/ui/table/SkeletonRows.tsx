/** Placeholder rows while the first rows load. */
export function SkeletonRows({ columns, height }: { columns: number; height: number }) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: 12 }, (_, row) => (
        <div
          key={row}
          className="grid items-center border-b border-line"
          style={{ gridTemplateColumns: 'var(--template)', height }}
        >
          {Array.from({ length: columns + 1 }, (_, cell) => (
            <span key={cell} className="px-2">
              <span className="skeleton block h-3" style={{ width: `${50 + ((row * 7 + cell * 13) % 45)}%` }} />
            </span>
          ))}
        </div>
      ))}
    </div>
  )
}
