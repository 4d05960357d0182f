import { useEffect, useRef, useState } from 'react'

/**
 * The value of the active row. Typing goes to the first row; an answer that arrives later leaves the row that one has
 * moved to under Enter.
 */
export function useActiveValue(query: string, rows: readonly string[]) {
  const [value, setValue] = useState('')
  const movedAt = useRef<string>(undefined)
  const first = rows[0] ?? ''
  const listed = rows.includes(value)
  useEffect(() => {
    if (movedAt.current === query && listed) return
    movedAt.current = undefined
    setValue(first)
  }, [first, query, listed])
  return {
    value,
    setValue,
    /** Notes that one has moved among the rows of this query. */
    noteMove: () => void (movedAt.current = query),
  }
}
