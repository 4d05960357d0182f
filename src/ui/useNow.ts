import { useEffect, useState } from 'react'

/** Returns the current time in epoch milliseconds, updated every `every` milliseconds. */
export function useNow(every = 10_000): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const tick = setInterval(() => setNow(Date.now()), every)
    return () => clearInterval(tick)
  }, [every])
  return now
}
