/** The devices' clock, which may run faster than the world's. */

export interface Clock {
  /** The devices' time, milliseconds UTC. */
  readonly now: () => number
  /** Milliseconds of the world until the devices' clock shows a time. */
  readonly until: (time: number) => number
}

/** A clock that shows `from` now. */
export function openClock(from: number, speed: number, world: () => number = Date.now): Clock {
  const began = world()
  const now = () => from + (world() - began) * speed
  return { now, until: time => (time - now()) / speed }
}
