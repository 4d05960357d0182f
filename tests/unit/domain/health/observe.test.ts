import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addObservation, addRest, emptySums, mergeSums, momentsOf } from '../../../../src/domain/health/daySums.ts'
import { chainRun, observe } from '../../../../src/domain/health/observe.ts'
import type { DeviceConstants } from '../../../../src/domain/health/types/observations.ts'
import { settledReading as reading } from './samples.ts'
import { solveElement } from '../../../../simulator/model/element.ts'

const plain: DeviceConstants = { bypass: 0, tank: false, levels: {} }

describe('an observation', () => {
  test('is made while permeate flows, once flows are steady', () => {
    expect(observe({ ...reading, permeate_flow: 0 }, plain)).toBeUndefined()
    expect(observe({ ...reading, permeate_flow: null }, plain)).toBeUndefined()
    expect(observe({ ...reading, run: 9 }, plain)).toBeUndefined()
    expect(Object.keys(observe({ ...reading, run: 12 }, plain)!.values).toSorted()).toEqual(['a', 'f', 'h', 'p', 'r'])
  })

  test('has salt passage apart while creep is still flushed out', () => {
    expect(observe({ ...reading, run: 30 }, plain)!.values).toMatchObject({ brief: expect.any(Number) as number })
    expect(observe({ ...reading, run: 30 }, plain)!.values.b).toBeUndefined()
    expect(observe(reading, plain)!.values.b).toBeDefined()
    expect(observe(reading, plain)!.values.brief).toBeUndefined()
  })

  test('leaves out channels whose sensors are missing', () => {
    const { values } = observe({ ...reading, pressure: null, permeate_tds: null }, plain)!
    expect(Object.keys(values)).toEqual(['f'])
  })

  test('is clipped at 0.3 from the known level', () => {
    const { a = 0 } = observe(reading, plain)!.values
    expect(observe(reading, { ...plain, levels: { a: a - 1 } })!.values.a).toBeCloseTo(a - 0.7)
    expect(observe(reading, { ...plain, levels: { a: a + 1 } })!.values.a).toBeCloseTo(a + 0.7)
    expect(observe(reading, { ...plain, levels: { a: a + 0.1 } })!.values.a).toBe(a)
  })

  test('has the running over the resting pressure', () => {
    expect(observe(reading, plain)!.values).toMatchObject({ h: Math.log(4 / 4.2), p: Math.log(4.2) })
    expect(observe({ ...reading, resting: null }, plain)!.values).not.toHaveProperty('h')
  })

  test('of flow and salt stays the same when the sensor of the feed flow fails', () => {
    // A recovery that is not the usual one.
    const often = { ...reading, feed_flow: 1.4 * reading.permeate_flow! }
    const { a, b, r } = observe(often, plain)!.values
    const { values } = observe({ ...often, feed_flow: null }, { ...plain, levels: { r: r! } })!
    expect(values).not.toHaveProperty('r')
    expect(values.a).toBeCloseTo(a!, 9)
    expect(values.b).toBeCloseTo(b!, 9)
  })

  test('has no salt where a bypass adds as much as any does', () => {
    const salty = { ...reading, permeate_tds: 0.5 * reading.feed_tds! }
    expect(observe(salty, { ...plain, bypass: 0.19 })!.values).toHaveProperty('b')
    expect(observe(salty, { ...plain, bypass: 0.2 })!.values).not.toHaveProperty('b')
  })

  const spec = {
    waterPermeability: 0.2,
    saltPermeability: 0.012,
    waterCoefficient: 2900,
    saltCoefficient: 3100,
    restrictor: 0.4,
    drop: 0.05,
    polarisation: 0.7,
  }
  const condition = { waterPermeability: 1, saltPermeability: 1, restrictor: 1 }

  /** Returns the channels of an element's reading. */
  function channelsOf(water: { pressure: number; tds: number; temperature: number }, changed = condition) {
    const flow = solveElement(spec, changed, water)
    const { pressure, tds, temperature } = water
    return observe(
      {
        ...reading,
        feed_flow: flow.feed,
        permeate_flow: flow.permeate,
        permeate_tds: flow.permeateTds,
        feed_tds: tds,
        pressure,
        temperature,
      },
      plain,
    )!.values
  }

  test('hardly changes with pressure, feed TDS and temperature, and follows the element', () => {
    const known = channelsOf({ pressure: 4, tds: 300, temperature: 15 })
    fc.assert(
      fc.property(
        fc.double({ min: 3.2, max: 5, noNaN: true }),
        fc.double({ min: 200, max: 450, noNaN: true }),
        fc.double({ min: 11, max: 19, noNaN: true }),
        (pressure, tds, temperature) => {
          const { a = 0, b = 0, r = 0 } = channelsOf({ pressure, tds, temperature })
          expect(Math.abs(a - known.a!)).toBeLessThan(0.06)
          expect(Math.abs(b - known.b!)).toBeLessThan(0.1)
          expect(Math.abs(r - known.r!)).toBeLessThan(0.03)
        },
      ),
    )
    const fouled = channelsOf({ pressure: 4, tds: 300, temperature: 15 }, { ...condition, waterPermeability: 0.7 })
    expect(fouled.a! - known.a!).toBeCloseTo(Math.log(0.7), 1)
    expect(Math.abs(fouled.b! - known.b!)).toBeLessThan(0.1)
  })

  test('has a flow that does not follow the feed TDS near the osmotic pressure, where salt stays back at the membrane', () => {
    const flowAt = (tds: number) => channelsOf({ pressure: 2.8, tds, temperature: 15 }).a!
    expect(Math.abs(flowAt(900) - flowAt(560))).toBeLessThan(0.03)
  })

  test('is finite for whatever a device may send', () => {
    const value = (max: number) => fc.option(fc.double({ min: 0, max, noNaN: true }))
    fc.assert(
      fc.property(
        fc.record({
          feed_flow: value(1000),
          permeate_flow: value(1000),
          feed_tds: value(5000),
          permeate_tds: value(1000),
          pressure: value(25),
          temperature: value(45),
          resting: value(25),
        }),
        sent => {
          const values = observe({ ...reading, ...sent }, { ...plain, bypass: 0.04 })?.values ?? {}
          for (const each of Object.values(values)) expect(Number.isFinite(each)).toBe(true)
        },
      ),
    )
  })

  test('has no passage from feed in which nothing is dissolved', () => {
    expect(observe({ ...reading, feed_tds: 1 }, plain)!.passage).toBe(20)
    expect(observe({ ...reading, feed_tds: 1e-310 }, plain)!.passage).toBeNull()
  })
})

describe('a run', () => {
  const at = (permeate: number) => ({ at: 60_000, permeate, permeate_flow: 1 })

  test('goes on while permeate covers the interval, and begins anew after a break', () => {
    expect(chainRun(at(0.5), { at: 30_000, seconds: 40 }, 30)).toBe(70)
    expect(chainRun(at(0.25), { at: 30_000, seconds: 40 }, 30)).toBe(15)
    expect(chainRun(at(0.25), undefined, 30)).toBe(15)
  })

  test('is at most the time since the previous reading', () => {
    expect(chainRun(at(10), undefined, 30)).toBe(30)
  })

  test('is at most a year, whatever its litres and flow', () => {
    const odd = { at: 0, permeate: 100_000, permeate_flow: 0.001 }
    expect(chainRun(odd, undefined, Infinity)).toBe(365 * 86_400)
    expect(chainRun({ ...odd, at: 60_000 }, { at: 0, seconds: 365 * 86_400 }, 60)).toBe(365 * 86_400)
  })
})

describe('the sums of a day', () => {
  const { values, ...rest } = observe(reading, plain)!
  const observations = [0, 0.1, -0.1, 0.2].map(change => ({ ...rest, values: { ...values, a: change } }))
  const sumsOf = (some: typeof observations) => {
    const sums = emptySums()
    for (const each of some) addObservation(sums, each)
    return sums
  }

  test('are the same in parts', () => {
    const whole = sumsOf(observations)
    const merged = sumsOf(observations.slice(0, 1))
    mergeSums(merged, sumsOf(observations.slice(1)))
    expect(merged).toEqual(whole)
    expect(momentsOf(whole.channels.a!)).toMatchObject({ mean: 0.05, variance: expect.closeTo(0.01667, 4) as number })
  })

  test('have rest flow of hours in which it was sustained', () => {
    const sums = emptySums()
    const hour = { hour: 0, litres: 0, seconds: 0 }
    // Half a litre in all of one hour, and a flush in the next.
    for (let minute = 1; minute < 60; minute++) addRest(sums, hour, minute * 60_000, 0.5 / 60, 60)
    addRest(sums, hour, 61 * 60_000, 0.5, 60)
    addRest(sums, hour, 121 * 60_000, 0, 0)
    expect(sums.rest_litres).toBeCloseTo(0.49, 1)
    expect(sums.rest_hours).toBeCloseTo(0.98, 1)
  })
})
