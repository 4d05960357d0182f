/** The tank of a unit: permeate is stored against air, so that it flows to the tap by itself. Litres and bar. */

export interface Tank {
  /** Litres of air when empty. */
  readonly volume: number
  /** Pressure of the air when empty, bar; 0.35 to 0.5 is usual. */
  readonly precharge: number
}

/** The atmosphere's pressure, bar: gauges show what is above it. */
const atmosphere = 1

/** Shares of the pressure before the membrane at which the shut-off valve opens and closes, and the mean of a run. */
export const shutOff = { opens: 0.5, closes: 2 / 3, mean: 0.5 } as const

/** Returns the pressure in a tank with some litres of water, by Boyle's law. `factor` is what is left of the precharge. */
export const tankPressure = ({ volume, precharge }: Tank, litres: number, factor: number): number =>
  ((precharge * factor + atmosphere) * volume) / (volume - litres) - atmosphere

/** Returns the litres in a tank at a pressure; 0 below its precharge. */
export const litresAt = ({ volume, precharge }: Tank, pressure: number, factor: number): number =>
  Math.max(0, volume * (1 - (precharge * factor + atmosphere) / (pressure + atmosphere)))
