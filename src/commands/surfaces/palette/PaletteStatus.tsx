import { useEffect, useState } from 'react'

type CountText = readonly [count: number, one: string, many: string]

/** Milliseconds without another letter before counts are announced, so that not every letter typed announces a number. */
const announceDelay = 350

/** Announces the number of results to screen readers. The active row is announced by the search field itself. */
export function PaletteStatus(props: {
  /** The text whose results are counted. */
  query: string
  counts: readonly CountText[]
  /** The text that is shown instead of an empty list. */
  empty: string
  /** False while results are loading, which announces nothing. */
  settled: boolean
  note: string | undefined
}) {
  const { query, counts, empty, settled, note } = props
  const [announced, setAnnounced] = useState('')
  const parts = counts
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => `${count} ${count === 1 ? one : many}`)
  const text = note ?? (parts.length > 0 ? parts.join(', ') : empty)
  useEffect(() => {
    // Another query waits anew, even if it has as many results.
    void query
    if (!settled) return undefined
    const timer = setTimeout(() => setAnnounced(text), announceDelay)
    return () => clearTimeout(timer)
  }, [query, text, settled])
  return (
    <p role="status" className="sr-only">
      {announced}
    </p>
  )
}
