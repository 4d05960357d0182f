/** Reverse-osmosis formulas. Amounts in litres, concentrations in ppm, temperatures in °C, shares in percent. */

/** Permeate as a share of feed, %; null without feed. */
export const recovery = (permeate: number, feed: number): number | null => (feed > 0 ? (permeate / feed) * 100 : null)

/** Salt held back, % of the feed's TDS; null without feed TDS. Negative when a sensor is at fault: flagged, not clamped. */
export const rejection = (feedTds: number, permeateTds: number): number | null =>
  feedTds > 0 ? ((feedTds - permeateTds) / feedTds) * 100 : null

/**
 * Temperature correction factor: multiplier on permeate flow against 25 °C.
 * Arrhenius form with the membrane makers' usual constants, 3020 K below 25 °C and 2640 K from there on.
 */
export const temperatureCorrection = (celsius: number): number =>
  Math.exp((celsius < 25 ? 3020 : 2640) * (1 / 298 - 1 / (273 + celsius)))
