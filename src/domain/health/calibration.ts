/** Numbers that `npm run bench:health` has found on its training fleet. */

/** Exponent of the likelihoods in a diagnosis: below 1, because signatures are less certain than they say. */
export const sharpness = 0.95

/** Days left from which the next of the half widths below counts. */
export const horizons = [30, 60, 120] as const

/**
 * Half widths of 80 % intervals, as ln of the days left, for forecasts that reach up to 30, 60, 120 days and further: quantiles
 * of |ln(actual ÷ forecast)| by what a forecast rests on.
 */
export const typicalScores = {
  litres: [0.21, 0.15, 0.16, 0.16],
  pressure: [0.39, 0.15, 0.11, 1.15],
  membrane: [0.95, 0.72, 0.71, 1.5],
} as const
