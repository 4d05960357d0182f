import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  conformalQuantile,
  feedBrineConcentration,
  langelierIndex,
  netDrivingPressure,
  osmoticPressure,
  polarisationFactor,
  standardFlow,
  standardPermeateTds,
  standardSaltPassage,
  temperatureCorrection,
  theilSen,
} from '../../../src/domain/normalise.ts'

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true, noDefaultInfinity: true })
const conditions = fc.record({
  flow: number(0.01, 100),
  ndp: number(0.1, 70),
  T: number(0, 45),
  permeateTds: number(1, 1000),
  feedBrine: number(50, 60_000),
})

// Published examples

/**
 * FilmTec, Tech Manual Excerpt "System Operation: Record Keeping, Plant Performance Normalization" (also in the technical
 * manual): a plant for brackish water at start-up and after three months. Intermediate values are compared as printed
 * there, rounded.
 */
test('the FilmTec manual’s plant has lost 4 % of its flow after three months', () => {
  const startFeedBrine = feedBrineConcentration(1986, 0.75)
  const laterFeedBrine = feedBrineConcentration(2292, 0.72)
  expect(startFeedBrine).toBeCloseTo(3671, 0)
  expect(laterFeedBrine).toBeCloseTo(4052, 0)
  expect(osmoticPressure(startFeedBrine, 15)).toBeCloseTo(2.5, 1)
  expect(osmoticPressure(laterFeedBrine, 10)).toBeCloseTo(2.7, 1)
  expect(temperatureCorrection(15)).toBeCloseTo(0.7, 2)
  expect(temperatureCorrection(10)).toBeCloseTo(0.58, 2)
  const start = {
    ndp: netDrivingPressure({ feed: 25, drop: 3, permeate: 1, feedBrine: startFeedBrine, T: 15 }),
    T: 15,
    feedBrine: startFeedBrine,
  }
  const later = {
    ndp: netDrivingPressure({ feed: 28, drop: 4, permeate: 2, feedBrine: laterFeedBrine, T: 10 }),
    T: 10,
    feedBrine: laterFeedBrine,
  }
  expect(start.ndp).toBeCloseTo(20, 1)
  expect(later.ndp).toBeCloseTo(21.3, 1)
  // m³/h; 150 at start-up
  const flow = standardFlow({ ...later, flow: 127 }, start)
  expect(flow).toBeCloseTo(144, 0)
  expect(flow! / 150 - 1).toBeCloseTo(-0.04, 2)
  // mg/l; 83 at start-up
  expect(standardPermeateTds({ ...later, permeateTds: 80 }, start)).toBeCloseTo(77, 0)
})

/**
 * "Membrane Performance Factors: Temperature Correction" of thin-film membranes (scribd.com/document/472189330): the rated
 * flow is divided by the factor.
 */
test('the temperature factors are those of the membrane makers’ table', () => {
  const table = [
    [10, 1.711],
    [12, 1.588],
    [15, 1.422],
    [20, 1.189],
    [22.5, 1.09],
    [25, 1],
    [26, 0.971],
    [28, 0.915],
    [29, 0.889],
  ] as const
  for (const [celsius, factor] of table) expect(1 / temperatureCorrection(celsius)).toBeCloseTo(factor, 3)
  // The table's example: 1800 gallons a day at 25 °C are 1266 at 15 °C.
  expect(1800 * temperatureCorrection(15)).toBeCloseTo(1266, 0)
})

/** corrosion-doctors.org, "Langelier Index Calculation": drinking water at room temperature and in a cage washer. */
test('the Langelier index of a drinking water is that of the published calculation', () => {
  const water = { pH: 7.5, tds: 320, calcium: 150, alkalinity: 34 }
  expect(langelierIndex({ ...water, T: 25 })).toBeCloseTo(-0.7, 1)
  expect(langelierIndex({ ...water, T: 82 })).toBeCloseTo(0.3, 1)
})

test('seawater of 35,000 ppm has 27 bar of osmotic pressure at 25 °C', () => {
  // Rule of thumb 11 psi for 1000 ppm, 26.5 bar.
  expect(osmoticPressure(35_000, 25)).toBeCloseTo(26.4, 1)
})

test('the slope of Theil and Sen ignores an outlier', () => {
  expect(
    theilSen([
      [1, 3],
      [2, 5],
      [3, 7],
      [4, 90],
      [5, 11],
    ]),
  ).toEqual({ slope: 2, intercept: 1 })
})

// Laws

test('the temperature correction is 1 at 25 °C, continuous there, and grows with temperature', () => {
  expect(temperatureCorrection(25)).toBe(1)
  expect(temperatureCorrection(25 - 1e-9)).toBeCloseTo(1, 9)
  expect(temperatureCorrection(15)).toBeCloseTo(Math.exp(3020 * (1 / 298 - 1 / 288)), 12)
  expect(temperatureCorrection(35)).toBeCloseTo(Math.exp(2640 * (1 / 298 - 1 / 308)), 12)
  expect(temperatureCorrection(15, { cold: 2700 })).toBeCloseTo(Math.exp(2700 * (1 / 298 - 1 / 288)), 12)
  expect(temperatureCorrection(35, { cold: 2700 })).toBe(temperatureCorrection(35))
  expect(temperatureCorrection(35, { hot: 2700 })).toBeCloseTo(Math.exp(2700 * (1 / 298 - 1 / 308)), 12)
  fc.assert(
    fc.property(number(0, 45), number(0.01, 10), (t, rise) => {
      expect(temperatureCorrection(t + rise)).toBeGreaterThan(temperatureCorrection(t))
    }),
  )
  for (const cold of [-273, -274, -500]) expect(temperatureCorrection(cold)).toBe(0)
})

test('the feed-brine mean lies between feed and concentrate, and grows with recovery up to its bound', () => {
  expect(feedBrineConcentration(500, 0)).toBe(500)
  expect(feedBrineConcentration(500, -0.2)).toBe(500)
  expect(feedBrineConcentration(500, 1e-12)).toBeCloseTo(500, 6)
  expect(feedBrineConcentration(500, 1)).toBeCloseTo(500 * 9.2113, 1)
  expect(feedBrineConcentration(500, 7)).toBe(feedBrineConcentration(500, 1))
  expect(feedBrineConcentration(0, 0.5)).toBeCloseTo(0, 12)
  fc.assert(
    fc.property(number(1, 40_000), number(0.001, 0.98), number(0.0001, 0.01), (feed, recovery, more) => {
      const mean = feedBrineConcentration(feed, recovery)
      expect(mean).toBeGreaterThan(feed)
      expect(mean).toBeLessThan(feed / (1 - recovery))
      expect(feedBrineConcentration(feed, recovery + more)).toBeGreaterThan(mean)
    }),
  )
})

test('the osmotic pressure grows with concentration and temperature, also across 20,000 ppm', () => {
  expect(osmoticPressure(0, 25)).toBe(0)
  expect(osmoticPressure(20_000.001, 25) - osmoticPressure(20_000, 25)).toBeCloseTo(0.002, 3)
  fc.assert(
    fc.property(number(1, 60_000), number(0, 45), number(0.01, 1000), (ppm, celsius, more) => {
      expect(osmoticPressure(ppm + more, celsius)).toBeGreaterThan(osmoticPressure(ppm, celsius))
      expect(osmoticPressure(ppm, celsius + 1)).toBeGreaterThan(osmoticPressure(ppm, celsius))
    }),
  )
})

test('the net driving pressure is the pressure less half the drop, the permeate’s and the osmotic difference', () => {
  fc.assert(
    fc.property(number(1, 70), number(0, 4), number(0, 3), conditions, (feed, drop, permeate, { feedBrine, T }) => {
      const ndp = netDrivingPressure({ feed, drop, permeate, feedBrine, T })
      expect(ndp).toBeCloseTo(feed - drop / 2 - permeate - osmoticPressure(feedBrine, T), 9)
      expect(netDrivingPressure({ feed, drop, permeate, feedBrine, T, permeateTds: null })).toBe(ndp)
      expect(netDrivingPressure({ feed, drop, permeate, feedBrine, T, permeateTds: 100 })).toBeCloseTo(
        ndp + osmoticPressure(100, T),
        9,
      )
      // Without a measured drop and with an open tap, both are 0.
      expect(netDrivingPressure({ feed, feedBrine, T })).toBeCloseTo(ndp + drop / 2 + permeate, 9)
    }),
  )
})

test('standardising to the actual conditions changes nothing', () => {
  fc.assert(
    fc.property(conditions, actual => {
      expect(standardFlow(actual, actual)).toBeCloseTo(actual.flow, 9)
      expect(standardPermeateTds(actual, actual)).toBeCloseTo(actual.permeateTds, 9)
      expect(standardSaltPassage(actual, actual)).toBeCloseTo(actual.permeateTds / actual.feedBrine, 9)
    }),
  )
})

test('standardising there and back gives the actual values', () => {
  fc.assert(
    fc.property(conditions, conditions, (actual, standard) => {
      const flow = standardFlow(actual, standard)!
      expect(standardFlow({ ...standard, flow }, actual)! / actual.flow).toBeCloseTo(1, 9)
      const permeateTds = standardPermeateTds(actual, standard)!
      expect(standardPermeateTds({ ...standard, permeateTds }, actual)! / actual.permeateTds).toBeCloseTo(1, 9)
      const passage = standardSaltPassage(actual, standard)!
      const back = standardSaltPassage({ ...standard, permeateTds: passage * standard.feedBrine }, actual)!
      expect((back * actual.feedBrine) / actual.permeateTds).toBeCloseTo(1, 9)
    }),
  )
})

test('a membrane that follows the formulas has one standard flow and salt passage in all conditions', () => {
  const membrane = { permeability: 0.2, saltPermeability: 0.01 }
  const coefficients = { cold: 2800, hot: 2800 }
  const saltCoefficients = { cold: 3500, hot: 3500 }
  const reading = (ndp: number, T: number, feedBrine: number) => {
    const flow = membrane.permeability * ndp * temperatureCorrection(T, coefficients)
    const salt = membrane.saltPermeability * feedBrine * temperatureCorrection(T, saltCoefficients)
    return { flow, ndp, T, feedBrine, permeateTds: salt / flow }
  }
  const standard = reading(3.45, 25, 750)
  fc.assert(
    fc.property(number(0.5, 12), number(2, 35), number(50, 3000), (ndp, T, feedBrine) => {
      const actual = reading(ndp, T, feedBrine)
      expect(standardFlow(actual, standard, coefficients)! / standard.flow).toBeCloseTo(1, 9)
      expect(standardSaltPassage(actual, standard, saltCoefficients)!).toBeCloseTo(standard.permeateTds / 750, 9)
    }),
  )
})

test('the Langelier index grows with pH, temperature, calcium and alkalinity, and falls with TDS', () => {
  const water = fc.record({
    pH: number(6, 9),
    tds: number(20, 10_000),
    T: number(1, 90),
    calcium: number(1, 2000),
    alkalinity: number(1, 1000),
  })
  fc.assert(
    fc.property(water, analysis => {
      const index = langelierIndex(analysis)!
      for (const key of ['pH', 'T', 'calcium', 'alkalinity'] as const)
        expect(langelierIndex({ ...analysis, [key]: analysis[key] * 1.01 })).toBeGreaterThan(index)
      expect(langelierIndex({ ...analysis, tds: analysis.tds * 1.01 })).toBeLessThan(index)
    }),
  )
})

test('what would be divided by nothing has no value', () => {
  const actual = { flow: 1, ndp: 3, T: 20, permeateTds: 20, feedBrine: 500 }
  for (const none of [0, -1]) {
    expect(standardFlow({ ...actual, ndp: none }, actual)).toBeNull()
    expect(standardFlow(actual, { ...actual, ndp: none })).toBeNull()
    expect(standardPermeateTds({ ...actual, ndp: none }, actual)).toBeNull()
    expect(standardPermeateTds(actual, { ...actual, ndp: none })).toBeNull()
    expect(standardPermeateTds({ ...actual, feedBrine: none }, actual)).toBeNull()
    expect(standardSaltPassage({ ...actual, flow: none }, actual)).toBeNull()
    expect(standardSaltPassage(actual, { ...actual, flow: none })).toBeNull()
    expect(standardSaltPassage({ ...actual, feedBrine: none }, actual)).toBeNull()
    for (const key of ['tds', 'calcium', 'alkalinity'] as const)
      expect(langelierIndex({ pH: 7, tds: 300, T: 20, calcium: 100, alkalinity: 80, [key]: none })).toBeNull()
  }
  expect(standardFlow({ ...actual, T: -273 }, actual)).toBeNull()
  expect(standardSaltPassage({ ...actual, T: -273 }, actual)).toBeNull()
  expect(standardFlow({ ...actual, flow: -1 }, actual)).toBeNull()
  // No flow is a flow; nothing passes.
  expect(standardFlow({ ...actual, flow: 0 }, actual)).toBe(0)
})

test('finite arguments never give NaN or Infinity', () => {
  const any = number(-1000, 60_000)
  const value = (result: number | null) => expect(result === null || Number.isFinite(result)).toBe(true)
  const anyConditions = fc.record({ flow: any, ndp: any, T: number(-300, 100), permeateTds: any, feedBrine: any })
  fc.assert(
    fc.property(anyConditions, anyConditions, number(-1, 2), (actual, standard, recovery) => {
      value(temperatureCorrection(actual.T))
      value(feedBrineConcentration(actual.feedBrine, recovery))
      value(osmoticPressure(actual.feedBrine, actual.T))
      value(standardPermeateTds(actual, standard))
      value(standardFlow(actual, standard))
      value(standardSaltPassage(actual, standard))
      value(langelierIndex({ pH: 7, tds: actual.flow, T: actual.T, calcium: actual.ndp, alkalinity: actual.feedBrine }))
    }),
  )
})

test('the line of Theil and Sen is exact for a line, moves with it, and keeps with a fifth of outliers', () => {
  const xs = fc.uniqueArray(fc.integer({ min: -100, max: 100 }), { minLength: 10, maxLength: 40 })
  fc.assert(
    fc.property(xs, number(-5, 5), number(-50, 50), number(-1e6, 1e6), (values, slope, intercept, outlier) => {
      const points = values.map((x, index): [number, number] => [x, index % 5 === 4 ? outlier : slope * x + intercept])
      const line = theilSen(points)!
      expect(line.slope).toBeCloseTo(slope, 6)
      expect(line.intercept).toBeCloseTo(intercept, 4)
    }),
  )
  expect(theilSen([])).toBeNull()
  expect(theilSen([[1, 2]])).toBeNull()
  expect(
    theilSen([
      [1, 2],
      [1, 3],
    ]),
  ).toBeNull()
})

test('the conformal quantile is the score of rank ⌈coverage·(n + 1)⌉', () => {
  expect(conformalQuantile([4, 1, 3, 2], 0.8)).toBe(4)
  expect(conformalQuantile([9, 8, 7, 6, 5, 4, 3, 2, 1], 0.8)).toBe(8)
  expect(conformalQuantile([3, 1, 2], 0.8)).toBe(Number.POSITIVE_INFINITY)
  expect(conformalQuantile([], 0.8)).toBe(Number.POSITIVE_INFINITY)
  // 0.55·20 is 11.000000000000002.
  expect(
    conformalQuantile(
      Array.from({ length: 19 }, (_, index) => index + 1),
      0.55,
    ),
  ).toBe(11)
  fc.assert(
    fc.property(fc.array(number(0, 10), { minLength: 4, maxLength: 60 }), scores => {
      const bound = conformalQuantile(scores, 0.8)
      const covered = scores.filter(score => score <= bound).length
      expect(covered).toBeGreaterThanOrEqual(0.8 * (scores.length + 1) - 1e-9)
      expect(scores).toContain(bound)
    }),
  )
})

test('salt stays back at the membrane the more, the more of the feed passes', () => {
  expect(polarisationFactor(0)).toBe(1)
  expect(polarisationFactor(-0.2)).toBe(1)
  expect(polarisationFactor(0.15)).toBeCloseTo(1.11, 2)
  fc.assert(
    fc.property(number(0, 1), number(0, 1), (one, other) => {
      // Closer numbers have factors that round to the same.
      fc.pre(other - one > 1e-9)
      expect(polarisationFactor(one)).toBeLessThan(polarisationFactor(other))
    }),
  )
})
