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

/** Returns a tank with what is left of its precharge, and of its air: factors of both. */
export const worn = (
  { volume, precharge }: Tank,
  left: { readonly precharge: number; readonly tankAir: number },
): Tank => ({ volume: volume * left.tankAir, precharge: precharge * left.precharge })

/** Returns the pressure in a tank with some litres of water, by Boyle's law. */
export const tankPressure = ({ volume, precharge }: Tank, litres: number): number =>
  ((precharge + atmosphere) * volume) / (volume - litres) - atmosphere

/** Returns the litres in a tank at a pressure; 0 below its precharge. */
export const litresAt = ({ volume, precharge }: Tank, pressure: number): number =>
  Math.max(0, volume * (1 - (precharge + atmosphere) / (pressure + atmosphere)))
