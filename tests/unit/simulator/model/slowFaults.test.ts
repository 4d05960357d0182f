import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asNew, solveElement, type ElementCondition, type ElementSpec } from '../../../../simulator/model/element.ts'
import {
  effectsOf,
  noEffects,
  progressOf,
  slowFaultKinds,
  slowFaults,
  type SlowFaultKind,
} from '../../../../simulator/model/slowFaults.ts'
import { feedBrineConcentration, standardSaltPassage } from '../../../../src/domain/normalise.ts'
import { msPerDay } from '../../../../src/domain/time.ts'

const began = Date.parse('2026-06-10T12:00:00Z')
const fault = (kind: SlowFaultKind, differing = {}) => ({ ...slowFaults[kind], kind, began, seed: 7, ...differing })
const spec: ElementSpec = {
  waterPermeability: 0.15,
  saltPermeability: 0.012,
  waterCoefficient: 2850,
  saltCoefficient: 3300,
  restrictor: 0.25,
  drop: 0.05,
  polarisation: 0.7,
}
const water = { pressure: 4, tds: 400, temperature: 15 }
/** Returns what a fault at its full size does to flow, standard salt passage and concentrate, as factors. */
function changeBy(kind: SlowFaultKind) {
  const values = (condition: ElementCondition) => {
    const { feed, permeate, permeateTds } = solveElement(spec, condition, water)
    const feedBrine = feedBrineConcentration(water.tds, permeate / feed)
    const actual = { flow: permeate, T: 15, permeateTds, feedBrine }
    return {
      flow: permeate,
      salt: standardSaltPassage(actual, { flow: 0.3, T: 25 })!,
      concentrate: feed - permeate,
    }
  }
  const sound = values(asNew)
  const faulty = values(effectsOf([fault(kind)], began + 200 * msPerDay))
  return {
    flow: faulty.flow / sound.flow,
    salt: faulty.salt / sound.salt,
    concentrate: faulty.concentrate / sound.concentrate,
  }
}

test.each(slowFaultKinds)('%s changes nothing before it begins, and something when it has grown', kind => {
  expect(effectsOf([fault(kind)], began - 1)).toEqual(noEffects)
  expect(effectsOf([fault(kind)], began + 200 * msPerDay)).not.toEqual(noEffects)
})

test('a ramp grows evenly to its size, and a step is there at once', () => {
  const ramp = { began, ramp: 90 * msPerDay }
  expect(progressOf(ramp, began - msPerDay)).toBe(0)
  expect(progressOf(ramp, began + 45 * msPerDay)).toBe(0.5)
  expect(progressOf(ramp, began + 90 * msPerDay)).toBe(1)
  expect(progressOf(ramp, began + 900 * msPerDay)).toBe(1)
  expect(progressOf({ began, ramp: 0 }, began - 1)).toBe(0)
  expect(progressOf({ began, ramp: 0 }, began)).toBe(1)
})

test('each fault of the element has its own signature', () => {
  const fouled = changeBy('fouling')
  expect(fouled.flow).toBeCloseTo(0.7, 1)
  expect(fouled.salt).toBeGreaterThan(0.9)
  expect(fouled.salt).toBeLessThan(1.1)
  const scaled = changeBy('scaling')
  expect(scaled.flow).toBeLessThan(0.65)
  expect(scaled.salt).toBeGreaterThan(1.1)
  expect(scaled.concentrate).toBeLessThan(0.9)
  const oxidised = changeBy('oxidation')
  expect(oxidised.flow).toBeGreaterThan(1.05)
  expect(oxidised.salt).toBeGreaterThan(1.8)
  const leaking = changeBy('oring')
  expect(leaking.flow).toBeCloseTo(1.03, 3)
  expect(leaking.salt).toBeGreaterThan(1.3)
  const clogged = changeBy('restrictor')
  expect(clogged.concentrate).toBeCloseTo(0.5, 1)
  expect(clogged.flow).toBeGreaterThan(0.9)
})

test('scaling speeds up, and units with it differ', () => {
  const loss = (days: number) => 1 - effectsOf([fault('scaling')], began + days * msPerDay).waterPermeability
  expect(loss(90) - loss(45)).toBeGreaterThan(1.5 * loss(45))
  const salt = (seed: number) => effectsOf([fault('scaling', { seed })], began + 90 * msPerDay).saltPermeability
  expect(salt(1)).not.toBe(salt(2))
})

test('faults add up in any order', () => {
  const both = [fault('fouling'), fault('outlet-sensor'), fault('leak')]
  const at = began + 30 * msPerDay
  expect(effectsOf(both, at)).toEqual(effectsOf(both.toReversed(), at))
  expect(effectsOf(both, at)).toMatchObject({ restLeak: 0.5, sensors: { permeateTds: 1.2, feedTds: 1 } })
  expect(effectsOf([fault('inlet-sensor')], began + 90 * msPerDay).sensors.feedTds).toBeCloseTo(0.65, 9)
  expect(effectsOf([fault('feed')], began + 90 * msPerDay).supplyTds).toBeCloseTo(1.6, 9)
})

test('factors stay above 0 for any size', () => {
  fc.assert(
    fc.property(fc.constantFrom(...slowFaultKinds), fc.double({ min: -5, max: 5, noNaN: true }), (kind, size) => {
      const { sensors, leak, restLeak, restConcentrate, ...factors } = effectsOf(
        [fault(kind, { size, ramp: 0 })],
        began,
      )
      if (kind === 'oxidation' && size < 0) return
      for (const factor of [...Object.values(factors), ...Object.values(sensors)]) expect(factor).toBeGreaterThan(0)
      expect(restConcentrate).toBeLessThanOrEqual(1)
      expect(Number.isFinite(leak + restLeak)).toBe(true)
    }),
  )
})
