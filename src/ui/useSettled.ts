import { useEffect, useState } from 'react'

/** The value once it has not changed for so many milliseconds. */
export function useSettled<Value>(value: Value, after: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const waiting = setTimeout(() => setSettled(value), after)
    return () => clearTimeout(waiting)
  }, [value, after])
  return settled
}
