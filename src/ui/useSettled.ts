import { useEffect, useState } from 'react'

/** The value once it has not changed for so many milliseconds; without any, the value itself. */
export function useSettled<Value>(value: Value, after: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    if (after === 0) return undefined
    const waiting = setTimeout(() => setSettled(value), after)
    return () => clearTimeout(waiting)
  }, [value, after])
  return after === 0 ? value : settled
}
