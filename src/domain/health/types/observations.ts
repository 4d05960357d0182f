/** From a stored reading to the sums of a local day. Times are milliseconds UTC. All objects survive `JSON.stringify`. */

import type { Flux } from '../maths/tank.ts'
import type { ObservedChannel, ByChannel } from './channels.ts'

/** A stored reading with what the server knows about the draw that it is part of. Null: no sensor, or one held defective. */
export interface HealthReading {
  /** Milliseconds UTC. */
  readonly at: number
  /** Litres since the previous reading. */
  readonly feed: number
  readonly permeate: number
  /** l/min at the moment. */
  readonly feed_flow: number | null
  readonly permeate_flow: number | null
  /** ppm */
  readonly feed_tds: number | null
  readonly permeate_tds: number | null
  /** bar */
  readonly pressure: number | null
  /** °C */
  readonly temperature: number | null
  /** Seconds for which permeate has flowed without interruption: from the device, or from `chainRun`. */
  readonly run: number
  /** Seconds since the previous reading. */
  readonly elapsed: number
  /** Pressure of the last reading without flow, bar; null if that is more than an hour old. */
  readonly resting: number | null
}

/** What `observe` needs of a device. The same object serves until the next daily step or command. */
export interface DeviceConstants {
  /** Feed water that the bypass adds to the permeate, as a share of the permeate of the membrane, 0–1. */
  readonly bypass: number
  /** Whether it fills a tank, whose pressure lowers the flow: standard flow is then taken at the end of each run. */
  readonly tank: boolean
  /** Known levels of the channels (`levelsOf(state)`), from which observations are clipped. Empty while unknown. */
  readonly levels: ByChannel<number>
}

/** The channels of one producing reading. */
export interface Observation {
  readonly values: Partial<Record<ObservedChannel, number>>
  /** Its flow, not clipped; null without pressure. */
  readonly flux: Flux | null
  /** °C */
  readonly temperature: number
  /** Permeate over feed TDS in a settled reading, otherwise null. */
  readonly passage: number | null
  /** Seconds of the run, seconds and litres since the previous reading, and the permeate flow in l/min. */
  readonly run: number
  readonly elapsed: number
  readonly flow: number
  readonly feed: number
  readonly permeate: number
}

/** Number, sum and sum of squares of a channel's observations. */
export interface ChannelSums {
  n: number
  sum: number
  squares: number
}

/** What is kept of a device's local day. Sums, so that those of several servers and late readings can be added. */
export interface DaySums {
  readonly channels: Partial<Record<ObservedChannel, ChannelSums>>
  /** Of the observations: number, and sum of their temperatures, °C. */
  n: number
  temperature: number
  /** Permeate flows as measured: number, and sum in l/min. Fewer than `n` on days that were stored without them. */
  flows: number
  flow: number
  /** Litres of feed and permeate in the day. */
  feed: number
  permeate: number
  /** Litres of feed without permeate or flush, and the hours in which they flowed. */
  rest_litres: number
  rest_hours: number
  /** Seconds of the longest run. */
  max_run: number
  /**
   * Litres by the meter, and by flow times time, between two readings of a run: a flow sensor that reads wrong shows as
   * their ratio.
   */
  metered: number
  integrated: number
  /** Runs that have filled a tank, their litres, and the sum of what 1/p has lost in them, p the tank's pressure in bar. */
  tank_runs: number
  tank_litres: number
  tank_relief: number
  /** Settled readings: number, and sum of permeate over feed TDS, as a person measures rejection. */
  passages: number
  passage: number
  /** Days that the sums are of; 1 if absent. Old days are kept as weeks. */
  days?: number
}
