/** Kinds of cartridges, and what forecasts of them rest on. */

/** As in the API: 0 pre-filter, 1 post-filter, 2 membrane. */
export type CartridgeKind = 0 | 1 | 2

/** What a forecast rests on that may turn out otherwise: a date is certain. */
export type UncertainBasis = 'litres' | 'condition'
