/** Temperature coefficients of a membrane type, from how its devices have followed the seasons. */
import { theilSen } from '../../normalise.ts'
import { median } from './median.ts'

/** One day of a device: °C, time in years, and what its channel was (a or b), as ln. */
export interface SeasonPoint {
  readonly temperature: number
  readonly year: number
  readonly value: number
}

/** Devices of a type, and the °C that each must span, before its coefficient is fitted. */
export const minDevices = 30
export const minDegrees = 8

/**
 * Returns the correction in K of a type's coefficient: what is left of the temperature's effect on the channel after it was
 * standardised. `ageing` is the expected change of ln in a year, which is taken out first. Undefined with too few devices or
 * seasons.
 */
export function fittedCorrection(devices: readonly (readonly SeasonPoint[])[], ageing: number): number | undefined {
  const slopes = devices.filter(spans).flatMap(points => {
    const line = theilSen(
      points.map(({ temperature, year, value }) => [1 / 298 - 1 / (273 + temperature), value - ageing * year]),
    )
    return line === null ? [] : [line.slope]
  })
  return slopes.length < minDevices ? undefined : median(slopes)
}

function spans(points: readonly SeasonPoint[]): boolean {
  const temperatures = points.map(({ temperature }) => temperature)
  return Math.max(...temperatures) - Math.min(...temperatures) >= minDegrees
}
