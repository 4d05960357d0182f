/** What the bypass of a device adds to its permeate. */

/** The largest share of the permeate that a bypass adds: a model that says more does not say it right. */
const maxBypassShare = 0.2

/** Returns the feed water that a bypass adds, as a share of the permeate of the membrane. Both flows in l/min. */
export const bypassShare = (bypass: number, permeate: number): number =>
  bypass < permeate ? Math.min(maxBypassShare, bypass / (permeate - bypass)) : maxBypassShare
