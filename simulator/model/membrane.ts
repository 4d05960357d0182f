/**
 * The membrane: its flow and rejection for a feed water, and how they decline with age.
 * Sources: src/domain/normalise.ts, and rules of thumb from membrane manufacturers' design guides.
 */
import { temperatureCorrection } from '../../src/domain/normalise.ts'
import type { FeedWater } from './feedWater.ts'

export interface Membrane {
  /** l/min of permeate when new, at 25 °C and the rated pressure. */
  readonly flow: number
  /** Salt rejection when new, %. */
  readonly rejection: number
  /** Decline of the rejection, percentage points a year. */
  readonly yearlyDecline: number
  /** l/min of concentrate through the restrictor at 1 bar; the flow grows with the square root of the pressure. */
  readonly restrictor: number
}

/** Flows while water is produced. */
export interface Flow {
  /** l/min */
  readonly feed: number
  readonly permeate: number
  /** TDS of the permeate in steady state, ppm. */
  readonly permeateTds: number
  /** TDS of the concentrate before the membrane, ppm. */
  readonly concentrateTds: number
}

export const noFlow: Flow = { feed: 0, permeate: 0, permeateTds: 0, concentrateTds: 0 }

/** Rating conditions of household membranes: 60 psi and 250 ppm. */
const ratingConditions: Omit<FeedWater, 'temperature'> = { pressure: 4.14, tds: 250 }
/** Returns the osmotic pressure in bar: 1 psi per 100 ppm (rule of thumb). */
const osmoticPressure = (tds: number) => (0.0689 * tds) / 100
const drivingPressure = ({ pressure, tds }: Omit<FeedWater, 'temperature'>) =>
  Math.max(0, pressure - osmoticPressure(tds))
/** The flow falls by a tenth a year (docs/simulator.md). */
const yearlyFlowFactor = 0.9
/** Rejection of an intact membrane does not fall below this, %. */
const minRejection = 70

/** Returns the l/min through the membrane from net driving pressure, temperature and age (years). */
export const permeateFlow = (membrane: Membrane, water: FeedWater, years: number): number =>
  ((membrane.flow * drivingPressure(water)) / drivingPressure(ratingConditions)) *
  temperatureCorrection(water.temperature) *
  yearlyFlowFactor ** years

/** Returns the salt rejection in % at an age in years. */
export const rejectionAt = (membrane: Membrane, years: number): number =>
  Math.max(minRejection, membrane.rejection - membrane.yearlyDecline * years)

/**
 * Returns the flows for a feed water and an age of the membrane in years. `blend` is the feed water that the bypass
 * adds, as a share of the permeate flow.
 */
export function flowOf(membrane: Membrane, water: FeedWater, years: number, blend: number): Flow {
  const flowThrough = permeateFlow(membrane, water, years)
  if (flowThrough <= 0) return noFlow
  const passage = 1 - rejectionAt(membrane, years) / 100
  const concentrate = membrane.restrictor * Math.sqrt(water.pressure)
  return {
    feed: flowThrough * (1 + blend) + concentrate,
    permeate: flowThrough * (1 + blend),
    permeateTds: (water.tds * (passage + blend)) / (1 + blend),
    // Salt balance: the concentrate carries the salt that does not pass the membrane.
    concentrateTds: (water.tds * (flowThrough + concentrate) - water.tds * passage * flowThrough) / concentrate,
  }
}

/**
 * Returns the membrane that yields these rates for a feed water at its present age. Rates are those of the whole
 * unit in %, including its bypass. Inverse of `flowOf`.
 */
export function membraneFrom(
  rates: { readonly recovery: number; readonly rejection: number },
  water: FeedWater,
  { years, blend, flow }: { readonly years: number; readonly blend: number; readonly flow: number },
): Membrane {
  const passage = (1 - rates.rejection / 100) * (1 + blend) - blend
  const now = Math.min(maxRejection, (1 - passage) * 100)
  const yearlyDecline = Math.min(defaultDecline, years > 0 ? (maxRejection - now) / years : defaultDecline)
  const membrane: Membrane = { flow, rejection: now + yearlyDecline * years, yearlyDecline, restrictor: 0 }
  const permeate = permeateFlow(membrane, water, years) * (1 + blend)
  const concentrate = permeate * (100 / rates.recovery - 1)
  return { ...membrane, restrictor: concentrate / Math.sqrt(water.pressure) }
}

/** Maximum rejection of household membranes, %. */
const maxRejection = 99
/** Percentage points a year: from 97 % to 92 % over a service life of two years. */
const defaultDecline = 2.5
