/** Sleep: some devices disconnect for a while, again and again, to save power. */
import { shareOf } from './share.ts'

/** Which devices sleep, and for how long. */
export interface Sleep {
  /** Share of the devices that sleep, from 0 to 1. */
  readonly share: number
  /** Milliseconds between two sleeps, and of a sleep. */
  readonly awake: number
  readonly asleep: number
}

/** Whether a device sleeps, and the time until which that stays so, milliseconds UTC. */
export interface SleepPhase {
  readonly asleep: boolean
  readonly until: number
}

/**
 * Returns when a device sleeps, as a function of the time, milliseconds UTC. It depends only on the BSSID, and devices do not
 * fall asleep together.
 */
export function sleepOf(bssid: string, { share, awake, asleep }: Sleep): (at: number) => SleepPhase {
  if (shareOf(bssid, 'sleep') >= share) return () => ({ asleep: false, until: Number.POSITIVE_INFINITY })
  const cycle = awake + asleep
  const offset = Math.floor(shareOf(bssid, 'phase') * cycle)
  return at => {
    const passed = (at + offset) % cycle
    return passed < awake ? { asleep: false, until: at + awake - passed } : { asleep: true, until: at + cycle - passed }
  }
}
