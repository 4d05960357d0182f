/** A stacked bar: parts of a total side by side. */
export function Bar(props: { parts: readonly { readonly count: number; readonly tone: string }[]; total: number }) {
  return (
    <div className="flex h-1 overflow-hidden rounded-full bg-mute-soft" aria-hidden="true">
      {props.parts.map(({ count, tone }) => (
        <div
          key={tone}
          className={`h-full ${tone}`}
          style={{ width: `${props.total > 0 ? (count / props.total) * 100 : 0}%` }}
        />
      ))}
    </div>
  )
}
