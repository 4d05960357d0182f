import { useEffect, useRef, useState } from 'react'

/**
 * Returns the value of the active row and its setters. Typing activates the first row; results that arrive later do not
 * change a row that the person has moved to.
 */
export function useActiveValue(query: string, rows: readonly string[]) {
  const [value, setValue] = useState('')
  const movedAt = useRef<string>(undefined)
  const first = rows[0] ?? ''
  const isListed = rows.includes(value)
  useEffect(() => {
    if (movedAt.current === query && isListed) return
    movedAt.current = undefined
    setValue(first)
  }, [first, query, isListed])
  return {
    value,
    setValue,
    /** Records that the person has moved among the rows of this query. */
    recordMove: () => void (movedAt.current = query),
  }
}
