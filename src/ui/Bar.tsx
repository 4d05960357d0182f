interface Props {
  readonly parts: readonly { readonly count: number; readonly tone: string }[]
  readonly total: number
  readonly thick?: boolean
}

/** A stacked bar: parts of a total side by side. */
export function Bar({ parts, total, thick = false }: Props) {
  return (
    <span className={`flex overflow-hidden rounded-full bg-mute-soft ${thick ? 'h-2.5' : 'h-1'}`} aria-hidden="true">
      {parts.map(({ count, tone }) => (
        <span key={tone} className={`h-full ${tone}`} style={{ width: `${total > 0 ? (count / total) * 100 : 0}%` }} />
      ))}
    </span>
  )
}
