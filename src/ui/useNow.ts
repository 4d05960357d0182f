import { useEffect, useState } from 'react'

/** The time, in epoch milliseconds, renewed so often: for what says how long ago or how long still. */
export function useNow(every = 10_000): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const tick = setInterval(() => setNow(Date.now()), every)
    return () => clearInterval(tick)
  }, [every])
  return now
}
