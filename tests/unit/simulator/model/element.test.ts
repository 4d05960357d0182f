/** The element of a simulated unit: solution–diffusion, ageing, and the rates of the fleet file. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temperatureCorrection } from '../../../../src/domain/normalise.ts'
import { asNew, noFlow, solveElement, type ElementSpec } from '../../../../simulator/model/element.ts'
import {
  agedCondition,
  flowOf,
  membraneFrom,
  membraneOf,
  membraneTypes,
  withCondition,
} from '../../../../simulator/model/membrane.ts'
import { random } from '../../../../simulator/model/random.ts'

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const water = fc.record({ temperature: between(1, 40), tds: between(20, 2000), pressure: between(2, 10) })
const residential = fc.record({ temperature: between(6, 28), tds: between(150, 600), pressure: between(2.8, 6.9) })
const spec: fc.Arbitrary<ElementSpec> = fc.record({
  waterPermeability: between(0.02, 0.4),
  saltPermeability: between(0.001, 0.03),
  waterCoefficient: between(2500, 3200),
  saltCoefficient: between(2500, 4400),
  restrictor: between(0.1, 2),
  drop: between(0, 0.1),
  polarisation: between(0.5, 0.8),
})
const membrane = fc.tuple(spec, fc.constantFrom(...membraneTypes), fc.nat()).map(([element, type, seed]) => ({
  ...element,
  ...membraneOf(type, random(seed)),
}))
const household: ElementSpec = {
  waterPermeability: 0.15,
  saltPermeability: 0.012,
  waterCoefficient: 2850,
  saltCoefficient: 3300,
  restrictor: 0.25,
  drop: 0.05,
  polarisation: 0.7,
}
const tap = { pressure: 4.14, tds: 250, temperature: 25 }

test('an element passes less water than it is fed, and conserves salt', () => {
  fc.assert(
    fc.property(spec, water, between(0, 0.05), (of, feed, leak) => {
      const flow = solveElement(of, { ...asNew, leak }, feed)
      const concentrate = flow.feed - flow.permeate
      expect(flow.permeate).toBeGreaterThan(0)
      expect(flow.permeate).toBeLessThan(flow.feed)
      const salt = flow.permeate * flow.permeateTds + concentrate * flow.concentrateTds
      expect(salt / (flow.feed * feed.tds)).toBeCloseTo(1, 9)
      expect(flow.permeateTds).toBeLessThan(feed.tds)
      expect(flow.concentrateTds).toBeGreaterThan(feed.tds)
    }),
  )
})

test('the flow is the one that the driving pressure at the wall and the restrictor give', () => {
  fc.assert(
    fc.property(spec, water, (of, feed) => {
      const flow = solveElement(of, asNew, feed)
      const factor = Math.exp(of.waterCoefficient * (1 / 298 - 1 / (273 + feed.temperature)))
      // Without salt and pressure drop nothing hinders it; both only lower it.
      const maxFlow = of.waterPermeability * factor * feed.pressure
      expect(flow.permeate).toBeLessThan(maxFlow)
      const pure = solveElement({ ...of, drop: 0 }, asNew, { ...feed, tds: 1e-6 })
      expect(pure.permeate / Math.min(maxFlow, pure.permeate)).toBeCloseTo(1, 6)
      expect((pure.feed - pure.permeate) / (of.restrictor * Math.sqrt(feed.pressure))).toBeCloseTo(1, 9)
    }),
  )
})

test('more pressure or warmth gives more permeate, more salt in the feed less and saltier permeate', () => {
  fc.assert(
    fc.property(spec, water, between(0.1, 5), (of, feed, more) => {
      const now = solveElement(of, asNew, feed)
      expect(solveElement(of, asNew, { ...feed, pressure: feed.pressure + more }).permeate).toBeGreaterThan(
        now.permeate,
      )
      const saltier = solveElement(of, asNew, { ...feed, tds: feed.tds + 20 * more })
      expect(saltier.permeate).toBeLessThan(now.permeate)
      expect(saltier.permeateTds).toBeGreaterThan(now.permeateTds)
      const tank = solveElement(of, asNew, { ...feed, permeatePressure: Math.min(more, feed.pressure / 4) })
      expect(tank.permeate).toBeLessThan(now.permeate)
    }),
  )
  const flow = (temperature: number) => solveElement(household, asNew, { ...tap, temperature }).permeate
  expect(flow(15)).toBeLessThan(flow(25))
  expect(flow(15) / flow(25)).toBeCloseTo(temperatureCorrection(15, { cold: 2850 }), 1)
})

test('the rejection depends on flux and temperature, as with real membranes', () => {
  const rejection = (of: object, feed: object) =>
    1 - solveElement({ ...household, ...of }, asNew, { ...tap, ...feed }).permeateTds / tap.tds
  expect(rejection({}, {})).toBeGreaterThan(0.9)
  expect(rejection({}, {})).toBeLessThan(0.97)
  expect(rejection({}, { pressure: 2 })).toBeLessThan(rejection({}, {}))
  expect(rejection({}, { temperature: 35 })).toBeLessThan(rejection({}, {}))
  expect(rejection({ polarisation: 0 }, {})).toBeGreaterThan(rejection({}, {}))
  expect(rejection({ restrictor: 0.05 }, {})).toBeLessThan(rejection({}, {}))
})

test('nothing flows below the osmotic pressure', () => {
  expect(solveElement(household, asNew, { ...tap, pressure: 0.1 })).toBe(noFlow)
  expect(solveElement(household, asNew, { ...tap, pressure: 0 })).toBe(noFlow)
  expect(solveElement(household, asNew, { ...tap, permeatePressure: 4.14 })).toBe(noFlow)
  expect(solveElement(household, asNew, { ...tap, tds: 8000 })).toBe(noFlow)
})

test('each condition changes what it is named for', () => {
  const now = solveElement(household, asNew, tap)
  const withLess = solveElement(household, { ...asNew, waterPermeability: 0.7 }, tap)
  expect(withLess.permeate / now.permeate).toBeCloseTo(0.7, 1)
  const salty = solveElement(household, { ...asNew, saltPermeability: 2 }, tap)
  expect(salty.permeate / now.permeate).toBeCloseTo(1, 2)
  expect(salty.permeateTds / now.permeateTds).toBeGreaterThan(1.8)
  const clogged = solveElement(household, { ...asNew, restrictor: 0.5 }, tap)
  expect((clogged.feed - clogged.permeate) / (now.feed - now.permeate)).toBeCloseTo(0.5, 1)
  const leaking = solveElement(household, { ...asNew, leak: 0.03 }, tap)
  expect(leaking.permeate / now.permeate).toBeCloseTo(1.03, 6)
  // 3 % of water somewhat saltier than the feed.
  const more = (leaking.permeateTds * leaking.permeate - now.permeateTds * now.permeate) / now.permeate / 0.03
  expect(more).toBeGreaterThan(tap.tds)
  expect(more).toBeLessThan(now.concentrateTds)
})

test('a membrane loses 5 to 14 % of its flow a year, and passes more salt', () => {
  fc.assert(
    fc.property(membrane, residential, between(0, 3), (of, feed, years) => {
      const at = (age: number) => flowOf(of, feed, { years: age, blend: () => 0 })
      expect(of.ageing.flowLoss).toBeGreaterThanOrEqual(0.05)
      expect(of.ageing.flowLoss).toBeLessThanOrEqual(0.14)
      const loss = 1 - at(years + 1).permeate / at(years).permeate
      expect(loss).toBeGreaterThan(0)
      expect(loss).toBeLessThan(0.14)
      expect(at(years + 1).permeateTds).toBeGreaterThan(at(years).permeateTds)
      const condition = agedCondition(of.ageing, years)
      expect(withCondition(condition, asNew)).toEqual({ ...condition, leak: 0 })
    }),
  )
})

test('the permeate is saltier the further the bypass is open', () => {
  fc.assert(
    fc.property(membrane, water, between(0, 4), (of, feed, years) => {
      const tds = [0, 0.01, 0.02, 0.04].map(blend => flowOf(of, feed, { years, blend: () => blend }).permeateTds)
      expect(tds).toEqual(tds.toSorted((a, b) => a - b))
      expect(new Set(tds).size).toBe(4)
    }),
  )
})

test('the membrane from a fleet file has its recovery and rejection', () => {
  const rates = fc.record({ recovery: between(20, 66), rejection: between(85, 98) })
  fc.assert(
    fc.property(rates, residential, between(0, 3), membrane, between(0.2, 1.6), (rate, feed, years, kind, rated) => {
      const like = membraneFrom(rate, feed, { years, blend: () => 0.01, flow: rated, kind })
      const flow = flowOf(like, feed, { years, blend: () => 0.01 })
      expect((flow.permeate / flow.feed) * 100).toBeCloseTo(rate.recovery, 5)
      expect((1 - flow.permeateTds / feed.tds) * 100).toBeCloseTo(rate.rejection, 5)
    }),
  )
})

test('impossible rates and water give a membrane all the same', () => {
  const kind = membraneOf(membraneTypes[0], random(1))
  const like = (recovery: number, rejection: number, feed = tap) =>
    membraneFrom({ recovery, rejection }, feed, { years: 1, blend: () => 0, flow: 1, kind })
  for (const made of [
    like(0, 95),
    like(100, 95),
    like(40, -50),
    like(40, 100),
    like(40, 95, { ...tap, pressure: 0 }),
  ]) {
    const { permeate, feed } = flowOf(made, tap, { years: 1, blend: () => 0 })
    expect(permeate).toBeGreaterThan(0.1)
    expect(permeate).toBeLessThan(feed)
  }
})
