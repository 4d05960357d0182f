/**
 * A spiral-wound element by the solution–diffusion model: water passes by the net driving pressure at the membrane's wall,
 * salt by the difference of concentrations there. The element is computed in segments along the feed channel, each with its
 * own salt balance, concentration polarisation and pressure. Litres per minute, bar, ppm, °C.
 * Source: DuPont FilmTec Technical Manual 45-D01504, section 1 and 3.11 (design equations); the film theory of
 * polarisation.
 */
import { osmoticPressure } from '../../src/domain/normalise.ts'

/** Constants of an element. Permeabilities are of the whole element when new, at 25 °C. */
export interface ElementSpec {
  /** l/min of permeate per bar of net driving pressure. */
  readonly waterPermeability: number
  /** l/min: the salt that passes, ppm·l/min, per ppm between wall and permeate. */
  readonly saltPermeability: number
  /** Arrhenius coefficients of both, K: 2500–3200 for water, 1 to 1.4 times as much for salt. */
  readonly waterCoefficient: number
  readonly saltCoefficient: number
  /** l/min of concentrate through the restrictor at 1 bar; the flow grows with the square root of the pressure. */
  readonly restrictor: number
  /** Pressure drop along the feed channel in bar at 1 l/min; it grows with the flow's power of 1.5. */
  readonly drop: number
  /** Exponent of the polarisation: 0.7 as in the manual's exp(0.7·Y), depending on the spacer. */
  readonly polarisation: number
}

/** How an element has changed: factors of the spec's values, 1 as new. */
export interface ElementCondition {
  readonly waterPermeability: number
  readonly saltPermeability: number
  readonly restrictor: number
  /** Feed-side water that leaks past an O-ring into the permeate, as a share of the permeate flow; 0 as new. */
  readonly leak?: number
}

export const asNew: ElementCondition = { waterPermeability: 1, saltPermeability: 1, restrictor: 1 }

/** Feed water at an element while it runs. */
export interface ElementWater {
  /** bar */
  readonly pressure: number
  /** ppm */
  readonly tds: number
  /** °C */
  readonly temperature: number
  /** Pressure of the permeate, as of a tank that fills, bar; 0 for an open tap. */
  readonly permeatePressure?: number
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

const segments = 5
/** Passes along the element, and Newton steps in a segment; some five and two are needed. */
const maxPasses = 30
const maxSteps = 12
/**
 * Relative errors at which the feed flow is found, and at which the next step of Newton's method is a segment's last one: it
 * squares the error, and the next pass starts from there.
 */
const feedTolerance = 1e-7
const segmentTolerance = 1e-3
/** Maximum share of a segment's water that passes its membrane, so that the rest carries the salt on. */
const maxSegmentRecovery = 0.95
/** Maximum share of the pressure that is lost along the feed channel. */
const maxDrop = 0.5
/** Osmotic pressure at which the search starts, relative to the feed's. */
const startOsmoticShare = 1.5
/** Permeate flows of the segments, where the next pass starts; reused, because this runs many thousand times a second. */
const passing = new Float64Array(segments)

/** Returns exp(K·(1/298 − 1/(273 + T))) for a coefficient K. */
const arrhenius = (coefficient: number, temperature: number) =>
  Math.exp(coefficient * (1 / 298 - 1 / (273 + temperature)))

/**
 * Returns the flows of an element in steady state; no flow if the pressure does not exceed the feed's osmotic pressure. For
 * a feed flow, the segments are solved one after the other; the feed flow itself, which is what passes the membrane and the
 * restrictor, is found by the secant method.
 */
export function solveElement(spec: ElementSpec, condition: ElementCondition, water: ElementWater): Flow {
  const { pressure, tds, temperature, permeatePressure = 0 } = water
  const osmoticFactor = osmoticPressure(1, temperature)
  const lift = pressure - permeatePressure
  if (!(lift - osmoticFactor * tds > 0)) return noFlow
  const a =
    (spec.waterPermeability * condition.waterPermeability * arrhenius(spec.waterCoefficient, temperature)) / segments
  const b =
    (spec.saltPermeability * condition.saltPermeability * arrhenius(spec.saltCoefficient, temperature)) / segments
  const restrictor = spec.restrictor * condition.restrictor
  const precision = segmentTolerance * a * lift
  passing.fill(a * Math.max(lift / 10, lift - startOsmoticShare * osmoticFactor * tds))
  let concentrate = restrictor * Math.sqrt(pressure)
  let feed = concentrate + passing[0]! * segments
  let permeate = 0
  let salt = 0
  let lastFeed = 0
  let lastError = 0
  for (let pass = 0; pass < maxPasses; pass++) {
    const drop = Math.min(maxDrop * pressure, spec.drop * ((feed + concentrate) / 2) ** 1.5)
    const exponent = (spec.polarisation * segments) / Math.sqrt(feed)
    let bulkFlow = feed
    let bulkSalt = feed * tds
    permeate = 0
    salt = 0
    for (let index = 0; index < segments; index++) {
      const driving = lift - (drop * (index + 0.5)) / segments
      const maxPassing = maxSegmentRecovery * bulkFlow
      let q = Math.min(passing[index]!, maxPassing)
      let passed = 0
      for (let step = 0; step < maxSteps; step++) {
        // The segment's mean: what has entered it, less half of what leaves it through the membrane.
        const meanFlow = bulkFlow - q / 2
        const ratio = exponent / Math.sqrt(meanFlow)
        const beta = Math.exp(ratio * q)
        // Film theory, (wall − permeate)/(bulk − permeate) = β, and diffusion, q·permeate = b·(wall − permeate).
        const x = (b * beta) / q
        const difference = (beta * bulkSalt) / (meanFlow * (1 + x))
        passed = b * difference
        const osmotic = a * osmoticFactor * difference
        const error = a * driving - osmotic - q
        // Newton: how the difference grows with q, relative to itself.
        const growth = (ratio * (1 + q / (4 * meanFlow)) + x / q) / (1 + x) + 0.5 / meanFlow
        q = Math.min(maxPassing, Math.max(q / 10, q + error / (1 + osmotic * growth)))
        if (Math.abs(error) < precision) break
      }
      passing[index] = q
      salt += passed
      permeate += q
      bulkFlow -= q
      bulkSalt -= passed
    }
    concentrate = restrictor * Math.sqrt(pressure - drop)
    const error = concentrate + permeate - feed
    if (Math.abs(error) < feedTolerance * feed) break
    const slope = pass === 0 ? -1 : (error - lastError) / (feed - lastFeed)
    lastFeed = feed
    lastError = error
    feed = Math.min(2 * feed, Math.max(feed / 2, slope < 0 ? feed - error / slope : feed + error))
  }
  // Salt balance: the concentrate carries the salt that does not pass the membrane.
  const concentrateTds = ((permeate + concentrate) * tds - salt) / concentrate
  const leaking = (condition.leak ?? 0) * permeate
  const leakingTds = (tds + concentrateTds) / 2
  return {
    feed: permeate + leaking + concentrate,
    permeate: permeate + leaking,
    permeateTds: (salt + leaking * leakingTds) / (permeate + leaking),
    concentrateTds: ((permeate + leaking + concentrate) * tds - salt - leaking * leakingTds) / concentrate,
  }
}
