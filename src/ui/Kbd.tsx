/** Keycaps, one after another. */
export function Kbd({ caps, className = '' }: { caps: readonly string[]; className?: string }) {
  return (
    <span className={`inline-flex gap-1 ${className}`} aria-hidden="true">
      {caps.map((cap, index) => (
        <kbd key={index}>{cap}</kbd>
      ))}
    </span>
  )
}
