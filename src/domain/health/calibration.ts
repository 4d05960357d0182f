/** Numbers that `npm run bench:health` has found on its training fleet. */

/** Exponent of the likelihoods in a diagnosis: below 1, because signatures are less certain than they say. */
export const sharpness = 0.7
