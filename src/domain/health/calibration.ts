/** Numbers that `npm run bench:health` has found on its training fleet. */

/** Exponent of the likelihoods in a diagnosis: below 1, because signatures are less certain than they say. */
export const sharpness = 0.85

/**
 * Half width of a forecast's 80 % interval, as ln of the days left: at no distance, and what is added with the square root of
 * the months.
 */
export const typicalScores = { litres: [0.08, 0.02], condition: [0.12, 0.04] } as const satisfies Record<
  string,
  readonly [number, number]
>
