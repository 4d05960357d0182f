import { useEffect, useState } from 'react'

type Counted = readonly [count: number, one: string, many: string]

/** Milliseconds of quiet before a count is said: one who types hears no number for each letter. */
const quiet = 350

/** How much was found, for those who do not see the list; its active row is said by the field itself. */
export function PaletteStatus(props: {
  counts: readonly Counted[]
  /** What is shown in place of the list where there is none. */
  empty: string
  settled: boolean
  note: string | undefined
}) {
  const { counts, empty, settled, note } = props
  const [said, setSaid] = useState('')
  const parts = counts
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => `${count} ${count === 1 ? one : many}`)
  const text = note ?? (parts.length > 0 ? parts.join(', ') : empty)
  useEffect(() => {
    if (!settled) return undefined
    const waiting = setTimeout(() => setSaid(text), quiet)
    return () => clearTimeout(waiting)
  }, [text, settled])
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  )
}
