/**
 * The membrane: what flow it gives of which water, and how it declines.
 * Formulas are those of src/domain/ro.ts and the rules of thumb of membrane makers' design guides.
 */
import { temperatureCorrection } from '../../src/domain/ro.ts'
import type { FeedWater } from './feedWater.ts'

export interface Membrane {
  /** l/min of permeate when new, at 25 °C and the pressure that membranes are rated at. */
  readonly flow: number
  /** % of the feed's salt that it holds back when new. */
  readonly rejection: number
  /** Percentage points of it that go with every year. */
  readonly yearlyDecline: number
  /** l/min of concentrate that the restrictor lets through at 1 bar; the flow goes with the pressure's square root. */
  readonly restrictor: number
}

/** What runs while water is produced. */
export interface Flow {
  /** l/min */
  readonly feed: number
  readonly permeate: number
  /** ppm of the permeate, once it has run for some minutes. */
  readonly permeateTds: number
  /** ppm of the concentrate that stays before the membrane: what holds the salt that the permeate has not. */
  readonly concentrateTds: number
}

export const noFlow: Flow = { feed: 0, permeate: 0, permeateTds: 0, concentrateTds: 0 }

/** 60 psi: what makers rate household membranes at, with 250 ppm. */
const rated: Omit<FeedWater, 'temperature'> = { pressure: 4.14, tds: 250 }
/** 1 psi for each 100 ppm. */
const osmoticPressure = (tds: number) => (0.0689 * tds) / 100
const drivingPressure = ({ pressure, tds }: Omit<FeedWater, 'temperature'>) =>
  Math.max(0, pressure - osmoticPressure(tds))
/** A tenth of what is left goes with every year (docs/api.md). */
const yearlyFlowFactor = 0.9
/** % below which a membrane's rejection does not fall while it is whole. */
const minRejection = 70

/** l/min through the membrane alone: by net driving pressure, temperature and age. */
export const permeateFlow = (membrane: Membrane, water: FeedWater, years: number): number =>
  ((membrane.flow * drivingPressure(water)) / drivingPressure(rated)) *
  temperatureCorrection(water.temperature) *
  yearlyFlowFactor ** years

/** % of the salt that the membrane holds back at an age. */
export const rejectionAt = (membrane: Membrane, years: number): number =>
  Math.max(minRejection, membrane.rejection - membrane.yearlyDecline * years)

/**
 * What runs of a feed water at an age of the membrane, years. `blend` is the share of the permeate's flow that the
 * bypass adds to it past the membrane; it carries the feed's salt.
 */
export function flowOf(membrane: Membrane, water: FeedWater, years: number, blend: number): Flow {
  const through = permeateFlow(membrane, water, years)
  if (through <= 0) return noFlow
  const passes = 1 - rejectionAt(membrane, years) / 100
  const concentrate = membrane.restrictor * Math.sqrt(water.pressure)
  return {
    feed: through * (1 + blend) + concentrate,
    permeate: through * (1 + blend),
    permeateTds: (water.tds * (passes + blend)) / (1 + blend),
    // What goes in and does not come through comes out here.
    concentrateTds: (water.tds * (through + concentrate) - water.tds * passes * through) / concentrate,
  }
}

/**
 * The membrane that gives these rates of a water at its present age. Rates are those of the unit, %: what its bypass
 * adds is taken into account.
 */
export function membraneFrom(
  rates: { readonly recovery: number; readonly rejection: number },
  water: FeedWater,
  { years, blend, flow }: { readonly years: number; readonly blend: number; readonly flow: number },
): Membrane {
  const passes = (1 - rates.rejection / 100) * (1 + blend) - blend
  const now = Math.min(maxRejection, (1 - passes) * 100)
  const yearlyDecline = Math.min(usualDecline, years > 0 ? (maxRejection - now) / years : usualDecline)
  const membrane: Membrane = { flow, rejection: now + yearlyDecline * years, yearlyDecline, restrictor: 0 }
  const permeate = permeateFlow(membrane, water, years) * (1 + blend)
  const concentrate = permeate * (100 / rates.recovery - 1)
  return { ...membrane, restrictor: concentrate / Math.sqrt(water.pressure) }
}

/** % that no household membrane surpasses. */
const maxRejection = 99
/** Percentage points a year: from 97 to 92 over a service life of two years. */
const usualDecline = 2.5
