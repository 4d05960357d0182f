/** The Langelier index of feed and concentrate, against published calculations and by its laws. */
import { describe, expect, test } from 'vitest'
import {
  concentrateOf,
  limitRecovery,
  scalingConditions,
  scalingIndices,
  type SupplyWater,
} from '../../../../../src/domain/health/water/scaling.ts'

/** corrosion-doctors.org, "Langelier Index Calculation": a drinking water with a TDS of 320 mg/l. */
const published: SupplyWater = { calcium_hardness: 150, alkalinity: 34, ph: 7.5 }
const indices = (water: SupplyWater, recovery: number, temperature = 25, tds = 320) =>
  scalingIndices(water, { recovery, temperature, tds })

describe('published calculations', () => {
  test('the feed’s index is that of a published drinking water, at two temperatures', () => {
    expect(indices(published, 0.5, 25)!.feed).toBeCloseTo(-0.7, 1)
    expect(indices(published, 0.5, 82)!.feed).toBeCloseTo(0.3, 1)
  })

  test('the feed’s index is that of a published swimming pool', () => {
    // Pool Lab, ASP manual, page 14: pH 7.6, 24 °C, calcium 400, alkalinity 125: +0.4, by factors with one decimal place.
    const pool = { calcium_hardness: 400, alkalinity: 125, ph: 7.6 }
    expect(Math.abs(indices(pool, 0, 24, 500)!.feed - 0.4)).toBeLessThan(0.1)
  })

  /**
   * DuPont FilmTec Technical Manual, calcium carbonate scale prevention: Ca_c = Ca_f/(1 − Y), Alk_c = Alk_f/(1 − Y), TDS_c =
   * TDS_f/(1 − Y) (equations 6 to 8), and as much carbon dioxide as in the feed. For the published water at a recovery of 75 %.
   */
  test('the concentrate’s ions, pH and index are those of the manual’s calculation', () => {
    const concentrate = concentrateOf(published, { recovery: 0.75, tds: 320 })
    expect(concentrate).toEqual({ calcium_hardness: 600, alkalinity: 136, ph: expect.closeTo(8.1, 2), tds: 1280 })
    // pHs = 9.3 + 0.211 + 2.088 − 2.378 − 2.134 = 7.087
    expect(indices(published, 0.75)!.concentrate).toBeCloseTo(8.102 - 7.087, 2)
  })
})

describe('laws', () => {
  const waters: SupplyWater[] = [published, { calcium_hardness: 300, alkalinity: 240, ph: 7.7 }]

  test('without recovery the concentrate is the feed, and its index grows with recovery', () => {
    for (const water of waters) {
      expect(indices(water, 0)!.concentrate).toBeCloseTo(indices(water, 0)!.feed, 10)
      const rising = [0.1, 0.3, 0.5, 0.7].map(recovery => indices(water, recovery)!.concentrate)
      expect(rising).toEqual(rising.toSorted((one, other) => one - other))
    }
  })

  test('at the limit of the recovery the concentrate’s index is 0', () => {
    const { feed } = indices(published, 0.4)!
    const limit = limitRecovery(feed)!
    expect(limit).toBeGreaterThan(0.3)
    expect(indices(published, limit)!.concentrate).toBeCloseTo(0, 3)
    expect(limitRecovery(0)).toBeNull()
    expect(limitRecovery(0.4)).toBeNull()
  })

  test('softened water has an index, far below 0', () => {
    const softened = { calcium_hardness: 0, alkalinity: 0, ph: 7 }
    expect(indices(softened, 0.5)!.concentrate).toBeLessThan(-3)
  })

  test('there is none above 10,000 ppm in the concentrate, and none without TDS', () => {
    expect(indices(published, 0.5, 25, 5001)).toBeNull()
    expect(indices(published, 0.5, 25, 0)).toBeNull()
    expect(indices(published, 1, 25, 50)!.concentrate).toBeLessThan(20)
  })
})

describe('a device’s conditions', () => {
  const measured = { temperature: 14, tds: 300 }
  const f = { raw: [Math.log(410), Math.log(400), Math.log(900)] } as never

  test('are its recovery, and the TDS of its last days rather than of its newest reading', () => {
    const conditions = scalingConditions({ recovery: 0.42, channels: { f } }, measured)!
    expect(conditions).toEqual({ recovery: 0.42, temperature: 14, tds: expect.closeTo(410, 6) })
    expect(scalingConditions({ recovery: 0.42, channels: {} }, measured)).toMatchObject({ tds: 300 })
  })

  test('are unknown while one of them is', () => {
    expect(scalingConditions({ recovery: null, channels: {} }, measured)).toBeNull()
    expect(scalingConditions({ recovery: 0.4, channels: {} }, { ...measured, temperature: null })).toBeNull()
    expect(scalingConditions({ recovery: 0.4, channels: {} }, { ...measured, tds: null })).toBeNull()
  })
})
