/** What a membrane lets through in its own conditions, and in those of the standard by which makers rate membranes. */
import {
  feedBrineConcentration,
  netDrivingPressure,
  nsf58,
  osmoticPressure,
  polarisationFactor,
  standardFlow,
  standardPermeateTds,
  temperatureCorrection,
  usualCoefficients,
} from '../normalise.ts'
import { knownChannel } from './channelState.ts'
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
  /** Share of the feed that becomes permeate, 0–1. */
  readonly recovery: number
  /** TDS of the membrane's permeate in settled readings, ppm, in the same two conditions; null where it is not known. */
  readonly permeate_tds: number | null
  readonly rated_tds: number | null
}

/** What a device's state does not say. */
interface Measured {
  /** °C while water runs, and ppm of the feed; null where it is not measured. */
  readonly temperature: number | null
  readonly tds: number | null
  /** What its membrane's type adds to the water's temperature coefficients, K. */
  readonly water_k: number
  /** Whether the bypass hides the salt of the membrane. */
  readonly salt_hidden: boolean
}

/**
 * Returns the flow of the last three days with data, from the channel a: the flow into an open tap, also of a device with a tank;
 * and the salt from the channel b, which the standard's pressure and feed change as in equation 78 of the FilmTec manual.
 * `null` while a condition is unknown, and without net driving pressure.
 */
export function ratedFlow(
  { channels, recovery, rejection }: Pick<HealthState, 'channels' | 'recovery' | 'rejection'>,
  { temperature, tds, water_k, salt_hidden }: Measured,
): RatedFlow | null {
  const pressure = runningPressure(channels)
  const { a } = channels
  if (pressure === undefined || temperature === null || tds === null || a === undefined || a.raw.length === 0)
    return null
  const share = recovery ?? usualRecovery
  const salt = salt_hidden ? undefined : knownChannel({ channels }, 'b')
  const feedBrine = feedBrineConcentration(tds, share)
  // `observe` has standardised both with the usual coefficients.
  const open = Math.exp(median(a.raw)) * temperatureCorrection(temperature)
  const passing = salt && Math.exp(median(salt.raw)) * feedBrine * temperatureCorrection(temperature)
  const driving = (feed: number, T: number, feedTds: number, permeateTds: number) =>
    netDrivingPressure({
      feed,
      feedBrine: feedBrineConcentration(feedTds, share) * polarisationFactor(share),
      permeateTds,
      T,
    })
  const withoutSalt = driving(pressure, temperature, tds, 0)
  if (withoutSalt <= 0) return null
  const permeateTds =
    passing === undefined ? null : passing / flowWithSalt(open, withoutSalt, passing * osmoticPressure(1, temperature))
  // What the membrane's permeate has of the feed's salt.
  const passage = permeateTds === null ? 1 - (rejection ?? 1) : permeateTds / tds
  const ndp = driving(pressure, temperature, tds, tds * passage)
  const rated_ndp = driving(nsf58.pressure, nsf58.T, nsf58.feedTds, nsf58.feedTds * passage)
  const flow = open * ndp
  const rated = standardFlow(
    { flow, ndp, T: temperature },
    { ndp: rated_ndp, T: nsf58.T },
    { cold: usualCoefficients.cold + water_k, hot: usualCoefficients.hot + water_k },
  )
  if (rated === null) return null
  const rated_tds =
    permeateTds === null
      ? null
      : standardPermeateTds(
          { permeateTds, ndp, feedBrine },
          { ndp: rated_ndp, feedBrine: feedBrineConcentration(nsf58.feedTds, share) },
        )
  return { flow, rated, pressure, temperature, tds, recovery: share, permeate_tds: permeateTds, rated_tds }
}

/**
 * Returns the flow of a membrane in l/min, which the osmotic pressure of its own permeate raises: `open` l/min for a bar, `driving`
 * bar without the permeate's salt, `salt` bar times l/min of that.
 */
const flowWithSalt = (open: number, driving: number, salt: number): number =>
  (open * driving + Math.sqrt((open * driving) ** 2 + 4 * open * salt)) / 2
