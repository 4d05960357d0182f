/** A sequence of keycaps. */
export function Kbd({ caps }: { caps: readonly string[] }) {
  return (
    <span className="inline-flex gap-1" aria-hidden="true">
      {caps.map((cap, index) => (
        <kbd key={index}>{cap}</kbd>
      ))}
    </span>
  )
}
