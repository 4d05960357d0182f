import { useState } from 'react'

/**
 * Returns the value of the active row and its setters. Typing activates the first row; results that arrive later do not
 * change a row that the person has moved to.
 */
export function useActiveValue(query: string, rows: readonly string[]) {
  const [value, setValue] = useState('')
  const [movedAt, setMovedAt] = useState<string>()
  return {
    value: movedAt === query && rows.includes(value) ? value : (rows[0] ?? ''),
    setValue,
    /** Records that the person has moved among the rows of this query. */
    recordMove: () => setMovedAt(query),
  }
}
