/** Temperature coefficients of the membrane types, fitted as the server does: on a year of devices that are not measured. */
import { fittedCorrection, type SeasonPoint } from '../../../src/domain/health/maths/coefficients.ts'
import { addObservation, emptySums } from '../../../src/domain/health/daySums.ts'
import { observe } from '../../../src/domain/health/observe.ts'
import type { MembranePriors } from '../../../src/domain/health/types/context.ts'
import { msPerDay } from '../../../src/domain/time.ts'
import { membraneTypes } from '../../../simulator/model/membrane.ts'
import { supplyNamed } from '../../../simulator/model/supplies.ts'
import { benchDevice } from './device.ts'
import { simulateDay, waterAt } from './readings.ts'

/** Expected ageing of all types: within what manufacturers give, and not that of any specimen here. */
export const expectedAgeing = { flow_a_year: -0.09, salt_a_year: 0.1, spread: 0.04 } as const

const devicesOfType = 120
const year = 365
/** Days between two that are looked at. */
const stride = 9

/** Returns the priors by membrane type. */
export function fitTypes(seed: number, start: number): MembranePriors[] {
  const points = membraneTypes.map((): Record<'a' | 'b', SeasonPoint[][]> => ({ a: [], b: [] }))
  for (let number = 0; points.some(({ a }) => a.length < devicesOfType); number++) {
    const supply = supplyNamed(seed, `pilot ${number}`)
    const device = benchDevice(supply, 0, seed, start)
    const of = points[device.type]!
    if (of.a.length >= devicesOfType) continue
    const water = waterAt(device, start)
    const own: Record<'a' | 'b', SeasonPoint[]> = { a: [], b: [] }
    const first = Math.floor(start / msPerDay) + 1
    for (let day = first; day < first + year; day += stride) {
      const sums = emptySums()
      Object.assign(water, {
        next: day * msPerDay - device.usage.utcOffset,
        ended: day * msPerDay - device.usage.utcOffset,
      })
      simulateDay(device, water, day, {
        reading(reading) {
          const observation = observe(reading, {
            bypass: device.bypass,
            tank: false,
            levels: {},
          })
          if (observation !== undefined) addObservation(sums, observation)
        },
        rest() {},
      })
      for (const channel of ['a', 'b'] as const) {
        const kept = sums.channels[channel]
        if (kept === undefined || kept.n < 2) continue
        const temperature = sums.temperature / sums.n
        own[channel].push({ temperature, year: (day - first) / year, value: kept.sum / kept.n })
      }
    }
    of.a.push(own.a)
    of.b.push(own.b)
  }
  return points.map(({ a, b }) => ({
    ...expectedAgeing,
    water_k: fittedCorrection(a.filter(enough), expectedAgeing.flow_a_year) ?? 0,
    salt_k: fittedCorrection(b.filter(enough), expectedAgeing.salt_a_year) ?? 0,
  }))
}

/** Days with data that a device must have. */
const enough = (points: readonly SeasonPoint[]) => points.length >= 15
