/**
 * What a run that fills a tank tells of it. The membrane works against the pressure of the tank's air, so that the flow falls
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
const leastFall = 0.2
/** Share of the pressure before the membrane at which the shut-off valve closes. */
const closesAt = 2 / 3
const atmosphere = 1

export interface Filling {
  /** Litres times bar of absolute pressure, as ln. */
  readonly air: number
  /** Standard flow into an open tap, as ln. */
  readonly open: number
}

/**
 * Returns what a run with these readings at its start and at its end, and `litres` of permeate between them, tells of its tank;
 * undefined if it has filled none. At the end the tank has the pressure at which the valve closes; what the flow at the start was
 * beyond that at the end tells the pressure then.
 */
export function fillingOf(start: Flux, end: Flux, litres: number): Filling | undefined {
  const closed = closesAt * end.pressure
  if (start.standard - end.standard < leastFall || closed >= end.driving) return undefined
  const open = end.standard - Math.log(1 - closed / end.driving)
  const began = Math.max(0, start.driving * (1 - Math.exp(start.standard - open)))
  const air = Math.log(litres / (1 / (began + atmosphere) - 1 / (closed + atmosphere)))
  return Number.isFinite(air) ? { air, open } : undefined
}
