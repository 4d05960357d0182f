/** What a membrane lets through in its own conditions, and in those of the standard by which makers rate membranes. */
import {
  feedBrineConcentration,
  netDrivingPressure,
  nsf58,
  polarisationFactor,
  standardFlow,
  temperatureCorrection,
  usualCoefficients,
} from '../normalise.ts'
import { runningPressure, usualRecovery } from './instruments.ts'
import { median } from './maths/median.ts'
import type { HealthState } from './types/state.ts'

/** Flows in l/min of the membrane alone, without its bypass; pressure in bar, temperature in °C, TDS of the feed in ppm. */
export interface RatedFlow {
  /** Now, in the conditions below, and in those of NSF/ANSI 58 at the same recovery. */
  readonly flow: number
  readonly rated: number
  readonly pressure: number
  readonly temperature: number
  readonly tds: number
}

/** What a device's state does not say. */
interface Measured {
  /** °C while water runs, and ppm of the feed; null where it is not measured. */
  readonly temperature: number | null
  readonly tds: number | null
  /** What its membrane's type adds to the water's temperature coefficients, K. */
  readonly water_k: number
}

/**
 * Returns the flow of the last three days with data, from the channel a: the flow into an open tap, also of a device with a tank.
 * `null` while a condition is unknown, and without net driving pressure.
 */
export function ratedFlow(
  { channels, recovery, rejection }: Pick<HealthState, 'channels' | 'recovery' | 'rejection'>,
  { temperature, tds, water_k }: Measured,
): RatedFlow | null {
  const pressure = runningPressure(channels)
  const { a } = channels
  if (pressure === undefined || temperature === null || tds === null || a === undefined || a.raw.length === 0)
    return null
  const share = recovery ?? usualRecovery
  const driving = (feed: number, T: number, feedTds: number) =>
    netDrivingPressure({
      feed,
      feedBrine: feedBrineConcentration(feedTds, share) * polarisationFactor(share),
      permeateTds: feedTds * (1 - (rejection ?? 1)),
      T,
    })
  const ndp = driving(pressure, temperature, tds)
  // `observe` has standardised it with the usual coefficients.
  const flow = Math.exp(median(a.raw)) * ndp * temperatureCorrection(temperature)
  const rated = standardFlow(
    { flow, ndp, T: temperature },
    { ndp: driving(nsf58.pressure, nsf58.T, nsf58.feedTds), T: nsf58.T },
    { cold: usualCoefficients.cold + water_k, hot: usualCoefficients.hot + water_k },
  )
  return rated === null ? null : { flow, rated, pressure, temperature, tds }
}
