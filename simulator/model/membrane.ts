/** The membrane of a unit: its type, how it ages, and the element that yields the rates of the fleet file. */
import type { Blend } from './bypass.ts'
import { osmoticPressure } from '../../src/domain/normalise.ts'
import {
  asNew,
  noFlow,
  solveElement,
  type ElementCondition,
  type ElementSpec,
  type ElementWater,
  type Flow,
} from './element.ts'
import type { Random } from './random.ts'

/** What a year of normal use changes, as shares. */
interface Ageing {
  /** Loss of the permeability for water. */
  readonly flowLoss: number
  /** Growth of the permeability for salt. */
  readonly saltGrowth: number
}

export interface Membrane extends ElementSpec {
  readonly ageing: Ageing
}

/** The properties of a membrane that do not depend on its size. */
export type MembraneKind = Omit<Membrane, 'waterPermeability' | 'saltPermeability' | 'restrictor'>

/** Types of membranes on the market (model assumptions within published ranges): coefficients in K. */
export const membraneTypes = [
  { name: 'A', waterCoefficient: 2550, saltCoefficient: 3440, polarisation: 0.75, drop: 0.04, flowLoss: 0.07 },
  { name: 'B', waterCoefficient: 2780, saltCoefficient: 3330, polarisation: 0.7, drop: 0.05, flowLoss: 0.09 },
  { name: 'C', waterCoefficient: 2960, saltCoefficient: 3260, polarisation: 0.65, drop: 0.06, flowLoss: 0.1 },
  { name: 'D', waterCoefficient: 3180, saltCoefficient: 3180, polarisation: 0.6, drop: 0.08, flowLoss: 0.12 },
] as const

/** Returns a membrane of a type; specimens of a type age differently, by 5 to 14 % of the flow a year. */
export function membraneOf(type: (typeof membraneTypes)[number], rng: Random): MembraneKind {
  const { waterCoefficient, saltCoefficient, polarisation, drop, flowLoss } = type
  const ageing = { flowLoss: flowLoss + rng.between(-0.02, 0.02), saltGrowth: rng.between(0.06, 0.16) }
  return { waterCoefficient, saltCoefficient, polarisation, drop, ageing }
}

/** Returns the condition of a membrane that has only aged. */
export const agedCondition = ({ flowLoss, saltGrowth }: Ageing, years: number): ElementCondition => ({
  waterPermeability: (1 - flowLoss) ** years,
  saltPermeability: (1 + saltGrowth) ** years,
  restrictor: 1,
})

/** Returns a condition on top of another. */
export const withCondition = (one: ElementCondition, other: ElementCondition): ElementCondition => ({
  waterPermeability: one.waterPermeability * other.waterPermeability,
  saltPermeability: one.saltPermeability * other.saltPermeability,
  restrictor: one.restrictor * other.restrictor,
  leak: (one.leak ?? 0) + (other.leak ?? 0),
})

/**
 * Returns the flows of a unit for its feed water, the age of its membrane in years, and what else has changed its element.
 * `blend` is that of the bypass.
 */
export function flowOf(
  membrane: Membrane,
  water: ElementWater,
  {
    years,
    blend,
    condition = asNew,
  }: { readonly years: number; readonly blend: Blend; readonly condition?: ElementCondition },
): Flow {
  const aged = agedCondition(membrane.ageing, years)
  const flow = solveElement(membrane, withCondition(aged, condition), water)
  return flow.permeate > 0 ? blended(flow, water.tds, blend(flow.permeate)) : noFlow
}

/** Returns the flows with feed water that is added to the permeate, as a share of it. */
const blended = (flow: Flow, feedTds: number, share: number): Flow => ({
  ...flow,
  feed: flow.feed + flow.permeate * share,
  permeate: flow.permeate * (1 + share),
  permeateTds: (flow.permeateTds + feedTds * share) / (1 + share),
})

/** Rating conditions of household membranes: 60 psi, 250 ppm, 25 °C. */
const rating: ElementWater = { pressure: 4.14, tds: 250, temperature: 25 }
const ratedDriving = rating.pressure - osmoticPressure(rating.tds, rating.temperature)
/** Limits of recovery and salt passage that a unit can have, shares. */
const possible = { recovery: [0.02, 0.9], passage: [0.01, 0.6] } as const
const within = (value: number, [min, max]: readonly [number, number]) => Math.min(max, Math.max(min, value))
const maxRounds = 40

/**
 * Returns the membrane that yields these rates for a feed water at its present age and with what else has changed its element. Rates are those of the whole unit in %,
 * including its bypass; `flow` is the l/min of the new membrane at 25 °C, 60 psi and 250 ppm. Inverse of `flowOf`: the
 * restrictor sets the recovery and the salt permeability the rejection, each corrected in turn until both are met.
 */
export function membraneFrom(
  rates: { readonly recovery: number; readonly rejection: number },
  water: ElementWater,
  {
    years,
    condition = asNew,
    blend,
    flow,
    kind,
  }: {
    readonly years: number
    readonly condition?: ElementCondition
    readonly blend: Blend
    readonly flow: number
    readonly kind: MembraneKind
  },
): Membrane {
  const recovery = within(rates.recovery / 100, possible.recovery)
  const passageWith = (share: number) => within((1 - rates.rejection / 100) * (1 + share) - share, possible.passage)
  const now = withCondition(agedCondition(kind.ageing, years), condition)
  let membrane: Membrane = {
    ...kind,
    waterPermeability: flow / ratedDriving,
    saltPermeability: flow * passageWith(blend(flow)),
    restrictor: (flow * (1 / recovery - 1)) / Math.sqrt(rating.pressure),
  }
  // Water that does not pass at all shows nothing about the membrane.
  const driven = solveElement(membrane, now, water).permeate > 0 ? water : rating
  for (let round = 0; round < maxRounds; round++) {
    const { feed, permeate, permeateTds } = solveElement(membrane, now, driven)
    const share = blend(permeate)
    const restriction = (permeate * (1 + share) * (1 / recovery - 1)) / (feed - permeate)
    const salt = (passageWith(share) * driven.tds) / permeateTds
    membrane = {
      ...membrane,
      restrictor: membrane.restrictor * restriction,
      saltPermeability: membrane.saltPermeability * salt,
    }
    if (Math.abs(restriction - 1) < 1e-9 && Math.abs(salt - 1) < 1e-9) break
  }
  return membrane
}
