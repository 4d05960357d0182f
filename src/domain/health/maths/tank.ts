/**
 * What a run that fills a tank shows about it. The membrane works against the pressure of the tank's air, so that the flow falls
 * within the run until the shut-off valve closes. By Boyle's law the air's absolute pressure p times its litres stays the same,
 * K: if ΔL litres of water come in, K = ΔL ÷ (1/p₁ − 1/p₂). A tank that has lost its precharge, or whose air has become water,
 * has a smaller K. Pressures in bar.
 */

/** The flow of a reading: at standard conditions, as ln; with the pressure and the net driving pressure before the membrane. */
export interface Flux {
  readonly standard: number
  readonly pressure: number
  readonly driving: number
}

/** Fall of the flow within a run, as ln, from which it fills a tank: that is usually 0.4 and more. */
const minFall = 0.2
/** Share of the pressure before the membrane at which the shut-off valve closes. */
export const closesAt = 2 / 3
const atmosphere = 1

/** Litres are more than this where the two readings differ, and so much 1/p may at most have changed, 1/bar. */
const minLitres = 0.05
const maxRelief = 0.25

export interface Filling {
  /** Fall of 1/p in the tank, 1/bar; the air is the litres over it. */
  readonly relief: number
  /** Standard flow into an open tap, as ln. */
  readonly open: number
}

/**
 * Returns what a run with these readings at its start and at its end, and `litres` of permeate between them, shows about its tank;
 * undefined if it shows nothing. At the end the tank has the pressure at which the valve closes; what the flow at the start was
 * beyond that at the end gives the pressure then. A run of a device that is not `known` to have a tank must have lost flow.
 */
export function fillingOf(start: Flux, end: Flux, litres: number, known: boolean): Filling | undefined {
  const closed = closesAt * end.pressure
  if (closed >= end.driving || litres < minLitres) return undefined
  if (!known && start.standard - end.standard < minFall) return undefined
  const open = end.standard - Math.log(1 - closed / end.driving)
  const began = Math.max(0, start.driving * (1 - Math.exp(start.standard - open)))
  const relief = 1 / (began + atmosphere) - 1 / (closed + atmosphere)
  return { relief: Math.max(-maxRelief, Math.min(maxRelief, relief)), open }
}

/** What the runs of a day show about a tank: their number, and the sums of their litres and of the falls of 1/p. */
interface Fillings {
  readonly tank_runs: number
  readonly tank_litres: number
  readonly tank_relief: number
}

/** Error of a run's fall of 1/p, 1/bar: two flows with 2 % of noise and their rounding. */
const reliefError = 0.012
/** Errors that the sum over a day must exceed so that it means anything. */
const minErrors = 3

/** Returns a day's air of a tank, litres times bar of absolute pressure, as ln; undefined if there is none, or too little water. */
export const airOf = ({ tank_runs: runs, tank_litres: litres, tank_relief: relief }: Fillings): number | undefined =>
  runs > 0 && relief > minErrors * reliefError * Math.sqrt(runs) ? Math.log(litres / relief) : undefined

/** Returns the variance of `airOf`. */
export const airVariance = ({ tank_runs: runs, tank_relief: relief }: Fillings): number =>
  (runs * reliefError ** 2) / relief ** 2
