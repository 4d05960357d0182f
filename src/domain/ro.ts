/** Reverse-osmosis formulas. Amounts in litres, concentrations in ppm, temperatures in °C, shares in percent. */

/** Returns the recovery: permeate over feed, %; null without feed. */
export const recovery = (permeate: number, feed: number): number | null => (feed > 0 ? (permeate / feed) * 100 : null)

/**
 * Returns the salt rejection: % of the feed's TDS removed; null without feed TDS. A faulty sensor makes it negative,
 * which is kept.
 */
export const rejection = (feedTds: number, permeateTds: number): number | null =>
  feedTds > 0 ? ((feedTds - permeateTds) / feedTds) * 100 : null

/**
 * Returns the temperature correction factor: a multiplier on permeate flow relative to 25 °C. Arrhenius form with the
 * membrane manufacturers' usual constants, 3020 K below 25 °C and 2640 K from there on.
 */
export const temperatureCorrection = (celsius: number): number =>
  Math.exp((celsius < 25 ? 3020 : 2640) * (1 / 298 - 1 / (273 + celsius)))
