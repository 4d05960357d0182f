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
 * Litres that a bucket of a chart needs for its recovery: so much permeate, or so much feed without it. A smaller draw is
 * mostly water that stood in the membrane, and the longest flush lets up to two litres pass without permeate. Both would
 * be spikes that say nothing about the membrane.
 */
export const enoughWater = { permeate: 0.25, feed: 2 } as const

/** Returns whether litres are enough for a recovery. */
export const isEnoughWater = (feed: number, permeate: number): boolean =>
  permeate >= enoughWater.permeate || feed >= enoughWater.feed

/** The largest share (0–1) of the permeate that a bypass adds. Rates of a model that say more are not those of a household unit. */
export const maxBypassShare = 0.2

/** Returns the feed water that a bypass adds (l/min), as a share (0–1) of the membrane's part of the permeate (l/min). */
export const bypassShare = (bypass: number, permeate: number): number =>
  bypass < permeate ? Math.min(maxBypassShare, bypass / (permeate - bypass)) : maxBypassShare
