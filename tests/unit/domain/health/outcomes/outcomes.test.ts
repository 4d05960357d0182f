/** Which forecasts are kept, how they are judged, and the widths of intervals that come of it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { typicalWidth } from '../../../../../src/domain/health/forecast.ts'
import { endByReplacement, endByWear, judge } from '../../../../../src/domain/health/outcomes/judge.ts'
import { forecastsToKeep, type KeptForecast } from '../../../../../src/domain/health/outcomes/kept.ts'
import {
  aimedMisses,
  boundedLevel,
  enoughOutcomes,
  keptScores,
  levelChange,
  ownWidths,
  relativeScore,
} from '../../../../../src/domain/health/outcomes/ownWidths.ts'
import type { Forecast } from '../../../../../src/domain/health/types/assessment.ts'
import type { CartridgeKind, UncertainBasis } from '../../../../../src/domain/health/types/cartridges.ts'
import type { HealthCartridge } from '../../../../../src/domain/health/types/context.ts'
import { random } from '../../../../../simulator/model/random.ts'

const day = 20_000
const ms = 86_400_000
const at = (days: number) => (day + days) * ms
const kept = (values: Partial<KeptForecast> = {}): KeptForecast => ({
  position: 0,
  kind: 2,
  installed_at: at(-100),
  horizon: 2,
  made: at(0),
  due: at(100),
  early: at(80),
  late: at(130),
  basis: 'litres',
  like_ends: null,
  typical: false,
  ...values,
})

describe('forecasts are kept', () => {
  const cartridge: HealthCartridge = { position: 0, kind: 2, installed_at: at(-100), litres: 0, resource: 1, ttl: 1 }
  const forecast = (days: number, values: Partial<Forecast> = {}): Forecast => ({
    position: 0,
    kind: 2,
    due: at(days),
    early: at(days * 0.9),
    late: at(days * 1.1),
    basis: 'litres',
    like_ends: null,
    typical: true,
    ended: false,
    ...values,
  })
  const keep = (forecasts: Forecast[], earlier: KeptForecast[] = []) =>
    forecastsToKeep(forecasts, [cartridge], earlier, day)

  test('once at each horizon, so that a cartridge has at most four', () => {
    const all: KeptForecast[] = []
    for (let days = 400; days > 0; days--) all.push(...keep([forecast(days)], all))
    expect(all.map(({ due }) => due / ms - day)).toEqual([400, 119, 59, 29])
    expect(all.map(({ horizon }) => horizon)).toEqual([3, 2, 1, 0])
  })

  test('again for the next cartridge', () => {
    expect(keep([forecast(100)], [kept({ installed_at: at(-300) })])).toHaveLength(1)
    expect(keep([forecast(100)], [kept()])).toHaveLength(0)
  })

  test('once by condition, if several cartridges of a kind share it', () => {
    const two = [cartridge, { ...cartridge, position: 3 }]
    const both = (basis: Forecast['basis']) =>
      forecastsToKeep([forecast(100, { basis }), forecast(100, { basis, position: 3 })], two, [], day)
    expect(both('condition').map(({ position }) => position)).toEqual([0])
    expect(both('litres').map(({ position }) => position)).toEqual([0, 3])
  })

  test('unless they are by date, reach less than ten days, or their cartridge is used up or gone', () => {
    expect(keep([forecast(100, { basis: 'date' })])).toEqual([])
    expect(keep([forecast(9)])).toEqual([])
    expect(keep([forecast(10, { ended: true })])).toEqual([])
    expect(keep([forecast(100, { position: 7 })])).toEqual([])
  })
})

describe('the end of a cartridge', () => {
  const newest = (due: number, made = 50) => ({ made: at(made), due: at(due) })
  const dates = { installed: at(-100), expires: at(500) }

  test('is early if its newest forecast gave it more than a tenth of its life', () => {
    // Installed on day −100 and due on day 100: a life of 200 days.
    expect(endByReplacement(at(79), dates, newest(100))).toEqual({ at: at(79), early: true })
    expect(endByReplacement(at(81), dates, newest(100))).toEqual({ at: at(81), early: false })
    expect(endByReplacement(at(120), dates, newest(100))).toEqual({ at: at(120), early: false })
  })

  test('is early if nothing is known of what was left', () => {
    expect(endByReplacement(at(99), dates, undefined).early).toBe(true)
    expect(endByReplacement(at(99), dates, newest(300, 100)).early).toBe(true)
  })

  test('is its date at the latest, however late it is replaced', () => {
    const expiring = { installed: at(-100), expires: at(60) }
    expect(endByReplacement(at(90), expiring, newest(60))).toEqual({ at: at(60), early: false })
    expect(endByWear({ ended: true } as Forecast, day + 61, expiring)).toEqual({ at: at(60), early: false })
  })

  test('is the day before the one on which it is seen to be used up', () => {
    const used = { ended: true } as Forecast
    expect(endByWear(used, day + 60, dates)).toEqual({ at: at(59.5), early: false })
    expect(endByWear({ ...used, ended: false }, day + 60, dates)).toBeUndefined()
  })
})

describe('an outcome', () => {
  const ends = (days: number, early = false) => judge(kept(), { at: at(days), early })

  test('lies in the interval or not, and its score is |ln(actual ÷ forecast)|', () => {
    expect(ends(90)).toMatchObject({ inside: true })
    expect(ends(90).score).toBeCloseTo(Math.log(100 / 90))
    expect(ends(79)).toMatchObject({ inside: false })
    expect(ends(131)).toMatchObject({ inside: false })
    expect(ends(131).score).toBeCloseTo(Math.log(1.31))
  })

  test('of an early replacement is unknown until the interval has passed, and never a miss of its early side', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 300, noNaN: true }), days => {
        const { inside, score } = ends(days, true)
        if (days <= 130) expect([inside, score]).toEqual([null, null])
        else expect(inside).toBe(false)
      }),
    )
    // It has outlasted the interval, so it missed the late side.
    expect(ends(140, true).score).toBeCloseTo(Math.log(1.4))
  })
})

describe('own widths', () => {
  const scores = (count: number) => Array.from({ length: count }, (_, index) => (index + 1) / 10)
  const own = (values: object) => ownWidths([{ kind: 2, basis: 'litres', scores: scores(20), level: 0.2, ...values }])

  test('need 20 outcomes of the kind on the same basis', () => {
    expect(own({ scores: scores(19) })).toEqual({})
    // Of 20 scores the one with rank ⌈0.8 · 21⌉.
    expect(own({})).toEqual({ 2: { litres: 1.7 } })
  })

  test('are as wide as the worst outcome where the level asks for more than can be known', () => {
    expect(own({ level: 0.02 })).toEqual({ 2: { litres: 2 } })
  })

  test('grow as the level falls', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 9, noNaN: true }), { minLength: enoughOutcomes, maxLength: keptScores }),
        fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
        (list, levels) => {
          const [low, high] = levels.toSorted((one, other) => one - other) as [number, number]
          const width = (level: number) => own({ scores: list, level })[2]!.litres!
          expect(width(low)).toBeGreaterThanOrEqual(width(high))
          expect(list).toContain(width(low))
        },
      ),
    )
  })

  test('keep their level within bounds', () => {
    expect([boundedLevel(-1), boundedLevel(0.3), boundedLevel(1)]).toEqual([0.02, 0.3, 0.5])
    expect(levelChange(false)).toBeCloseTo(-0.008)
    expect(levelChange(true)).toBeCloseTo(0.002)
  })
})

/** Judges forecasts one after the other, each with the interval that the outcomes before it give; returns who was inside. */
function simulate(
  count: number,
  { kind, basis, seed, error }: { kind: CartridgeKind; basis: UncertainBasis; seed: number; error: Errors },
): { readonly inside: boolean; readonly days: number }[] {
  const rng = random(seed)
  let scores: number[] = []
  let level = aimedMisses
  const outcomes: { inside: boolean; days: number }[] = []
  for (let number = 0; number < count; number++) {
    const days = rng.pick([15, 45, 90, 200])
    const typical = typicalWidth(basis, kind, days)
    const width = ownWidths([{ kind, basis, scores, level }])[kind]?.[basis]
    const half = typical * (width ?? 1)
    const forecast = kept({
      kind,
      basis,
      due: at(days),
      early: at(days * Math.exp(-half)),
      late: at(days * Math.exp(half)),
      typical: width === undefined,
    })
    const actual = days * Math.exp(typical * error(() => rng.next(), number))
    const outcome = judge(forecast, { at: at(actual), early: false })
    scores = [relativeScore(forecast, outcome.score!), ...scores].slice(0, keptScores)
    if (width !== undefined) {
      level = boundedLevel(level + levelChange(outcome.inside!))
      outcomes.push({ inside: outcome.inside!, days })
    }
  }
  return outcomes
}
/** Returns an error as a multiple of the typical half width. */
type Errors = (chance: () => number, number: number) => number

const share = (outcomes: readonly { readonly inside: boolean }[]) =>
  outcomes.filter(({ inside }) => inside).length / outcomes.length

const shapes: Record<string, (chance: () => number) => number> = {
  even: chance => 2 * chance() - 1,
  'with long tails': chance => -Math.log(1 - chance()) * (chance() < 0.5 ? -1 : 1),
  'to one side': chance => Math.abs(chance() + chance() + chance() - 1.5) + 0.2,
}

describe('intervals from own outcomes hold 76–84 % of them', () => {
  test.each(Object.entries(shapes))('with errors that are %s, at every scale', (_, shape) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.double({ min: 0.1, max: 1.2, noNaN: true }),
        fc.constantFrom(
          ...([
            [1, 'litres'],
            [0, 'condition'],
            [2, 'condition'],
          ] as const),
        ),
        (seed, scale, [kind, basis]) => {
          const outcomes = simulate(2000, { kind, basis, seed, error: chance => scale * shape(chance) })
          expect(share(outcomes)).toBeGreaterThan(0.76)
          expect(share(outcomes)).toBeLessThan(0.84)
        },
      ),
      { numRuns: 8 },
    )
  })

  test('at every horizon, where errors are larger by what the typical ones are', () => {
    const outcomes = simulate(8000, {
      kind: 2,
      basis: 'condition',
      seed: 3,
      error: chance => 0.6 * shapes['even']!(chance),
    })
    for (const horizon of Map.groupBy(outcomes, ({ days }) => days).values()) {
      expect(share(horizon)).toBeGreaterThan(0.76)
      expect(share(horizon)).toBeLessThan(0.84)
    }
  })

  test('also after errors have become three times as large', () => {
    const error: Errors = (chance, number) => (number < 1000 ? 0.3 : 0.9) * shapes['even']!(chance)
    const later = simulate(3000, { kind: 1, basis: 'litres', seed: 5, error }).slice(-1800)
    expect(share(later)).toBeGreaterThan(0.76)
    expect(share(later)).toBeLessThan(0.84)
  })
})
