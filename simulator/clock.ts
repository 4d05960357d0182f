/** The simulated clock, which may run faster than real time. */

export interface Clock {
  /** Returns the simulated time, milliseconds UTC. */
  readonly now: () => number
  /** Returns the real milliseconds until the simulated clock reaches a time. */
  readonly realTimeUntil: (time: number) => number
}

/** Opens a clock that starts at `from` now and runs `speed` times as fast as `realTime`. */
export function openClock(from: number, speed: number, realTime: () => number = Date.now): Clock {
  const startedAt = realTime()
  const now = () => from + (realTime() - startedAt) * speed
  return { now, realTimeUntil: time => (time - now()) / speed }
}
