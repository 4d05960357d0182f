import { useEffect, useState } from 'react'

/** Returns the value once it has not changed for `after` milliseconds. */
export function useDebouncedValue<Value>(value: Value, after: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), after)
    return () => clearTimeout(timer)
  }, [value, after])
  return settled
}
