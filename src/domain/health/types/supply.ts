/**
 * What the devices of a water supply have in common. Days are local, counted from 1 January 1970
 * (`Math.floor(localMilliseconds / msPerDay)`). All objects survive `JSON.stringify`.
 */

import type { ByChannel } from './channels.ts'

/** The same day's residuals of the devices on the same supply, without the device itself. */
export interface Neighbours {
  readonly n: number
  readonly median: number
}

/** A day of a supply: medians of its devices' residuals. */
export interface SupplyDay {
  readonly day: number
  readonly medians: ByChannel<Neighbours>
}

/** A change of the water or the pressure that a supply's devices share. */
export interface SharedChange {
  readonly cause: 'feed_water' | 'feed_pressure'
  /** Days; `ended` is absent while it goes on. */
  readonly began: number
  /** The day whose values showed it. */
  readonly found: number
  readonly ended?: number
  /** Largest change, as ln. */
  readonly value: number
  readonly devices: number
}
