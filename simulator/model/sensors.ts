/**
 * Sensors: what a unit measures of the true values. Each has a gain error from the factory, noise, a slow wander over weeks,
 * and rare outliers. All of it depends only on the unit's seed and the time, whatever was measured before.
 */
import { msPerDay, msPerSecond } from '../../src/domain/time.ts'
import { noise, seedFrom, smoothNoise } from './random.ts'
import type { Effects, SensorErrors } from './slowFaults.ts'

interface Accuracy {
  /** Largest error of the gain, share. */
  readonly gain: number
  /** Standard deviation of the noise from one second to the next, share. */
  readonly noise: number
  /** Standard deviation of the wander, share, and days in which it may change its direction. */
  readonly wander: number
  readonly days: number
}

/** Accuracy of household sensors (model assumptions within data sheets). */
const accuracy = {
  feedTds: { gain: 0.05, noise: 0.015, wander: 0.03, days: 24 },
  permeateTds: { gain: 0.05, noise: 0.015, wander: 0.03, days: 31 },
  feedFlow: { gain: 0.03, noise: 0.015, wander: 0.02, days: 27 },
  permeateFlow: { gain: 0.03, noise: 0.015, wander: 0.02, days: 21 },
  /** The sensor of the permeate's litres, over which noise cancels out. */
  permeateCounter: { gain: 0.02, noise: 0, wander: 0.015, days: 29 },
  pressure: { gain: 0.02, noise: 0.01, wander: 0.005, days: 35 },
} as const satisfies Record<string, Accuracy>

export type Quantity = keyof typeof accuracy
const quantities = Object.keys(accuracy) as Quantity[]
/** Share of the measurements that are outliers, and their smallest and largest factor. */
const outlierShare = 0.001
const outliers = [0.5, 1.7] as const
/** Largest offset of the temperature and its noise's standard deviation, °C. */
const maxTemperatureOffset = 0.5
const temperatureNoise = 0.1
/** Standard deviation of the mean of three uniform numbers from −1 to 1, and of smooth noise. */
const sdOfThree = 1 / 3
const sdOfSmooth = 0.5

/** Seeds of the sensors' series by quantity; each sensor uses some numbers from its own on. */
const series = Object.fromEntries(quantities.map(name => [name, seedFrom(`sensor ${name}`)])) as Record<
  Quantity,
  number
>
const temperatureSeries = seedFrom('sensor temperature')

/** Returns noise that is nearly normal, with a standard deviation of 1 and never beyond ±3. */
const bellNoise = (seed: number, tick: number): number =>
  ((noise(seed, 3 * tick) + noise(seed, 3 * tick + 1) + noise(seed, 3 * tick + 2)) / 1.5 - 1) / sdOfThree

/**
 * Returns the factor of the true value that a sensor of the unit with this seed shows at a time (milliseconds UTC), but for
 * its noise: its gain and how far it has wandered.
 */
export function calibration(seed: number, quantity: Quantity, at: number): number {
  const { gain, wander, days } = accuracy[quantity]
  const own = seed ^ series[quantity]
  const slow = (wander / sdOfSmooth) * smoothNoise(own + 3, at / (days * msPerDay))
  return (1 + gain * (2 * noise(own, 0) - 1)) * (1 + slow)
}

/** Returns the same with what slow faults add to it. */
export const sensorFactor = (seed: number, quantity: keyof SensorErrors, at: number, { sensors }: Effects): number =>
  calibration(seed, quantity, at) * sensors[quantity]

/**
 * Returns what a sensor of the unit with this seed measures at a time. `error` is a further factor, of a sensor that fails
 * slowly.
 */
export function measured(seed: number, quantity: Quantity, value: number, at: number, error = 1): number {
  if (value === 0) return 0
  const own = seed ^ series[quantity]
  const tick = Math.floor(at / msPerSecond)
  if (noise(own + 1, tick) < outlierShare)
    return value * error * (outliers[0] + noise(own + 2, tick) * (outliers[1] - outliers[0]))
  return value * error * calibration(seed, quantity, at) * (1 + accuracy[quantity].noise * bellNoise(own + 4, tick))
}

/** Returns the °C by which the temperature sensor of the unit with this seed is off. */
export const temperatureOffset = (seed: number): number =>
  maxTemperatureOffset * (2 * noise(seed ^ temperatureSeries, 0) - 1)

/** Returns the temperature that the unit with this seed measures at a time, °C. */
export const measuredTemperature = (seed: number, celsius: number, at: number): number =>
  celsius +
  temperatureOffset(seed) +
  temperatureNoise * bellNoise((seed ^ temperatureSeries) + 1, Math.floor(at / msPerSecond))
