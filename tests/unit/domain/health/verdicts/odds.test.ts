/** What verdicts do to the probabilities of causes. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { causes, type Cause } from '../../../../../src/domain/health/types/assessment.ts'
import {
  verdictOdds,
  weighCauses,
  type CauseVerdicts,
  type Probable,
} from '../../../../../src/domain/health/verdicts/odds.ts'

/** Verdicts on some findings of one confidence. */
const verdictsOf = (judged: number, confirmed: number, confidence: number): CauseVerdicts => ({
  cause: 'fouling',
  judged,
  confirmed,
  expected: judged * confidence,
})
/** Returns the probability of fouling after verdicts; the rest is that of scaling. */
const after = (verdicts: CauseVerdicts, probability: number) =>
  weighCauses(
    [
      { cause: 'fouling', probability },
      { cause: 'scaling', probability: 1 - probability },
    ],
    verdictOdds([verdicts]),
  )[0]!.probability

const share = fc.double({ min: 0.01, max: 0.99, noNaN: true })
const counts = fc
  .record({ judged: fc.integer({ min: 0, max: 2000 }), part: fc.double({ min: 0, max: 1, noNaN: true }), claim: share })
  .map(({ judged, part, claim }) => verdictsOf(judged, Math.round(part * judged), claim))

describe('the odds of a cause', () => {
  test('stay without verdicts', () => {
    expect(verdictOdds([])).toEqual({})
    expect(after(verdictsOf(0, 0, 0), 0.86)).toBeCloseTo(0.86, 12)
  })

  test('law: stay if as many were confirmed as expected', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(500), share, (judged, part, probability) => {
        const confirmed = part % (judged + 1)
        expect(after(verdictsOf(judged, confirmed, confirmed / judged), probability)).toBeCloseTo(probability, 9)
      }),
    )
  })

  test('law: a finding that is confirmed in place of dismissed raises the confidence', () => {
    fc.assert(
      fc.property(counts, share, (verdicts, probability) => {
        fc.pre(verdicts.confirmed < verdicts.judged)
        const more = { ...verdicts, confirmed: verdicts.confirmed + 1 }
        expect(after(more, probability)).toBeGreaterThan(after(verdicts, probability))
      }),
    )
  })

  test('law: a handful of verdicts moves a confidence by less than a tenth', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5 }), fc.nat(5), share, share, (judged, part, claim, probability) => {
        const confirmed = part % (judged + 1)
        expect(Math.abs(after(verdictsOf(judged, confirmed, claim), probability) - probability)).toBeLessThan(0.1)
      }),
    )
  })

  test('law: many verdicts make a confidence as high as the share that was confirmed', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 0.9, noNaN: true }), share, (confirmed, claim) => {
        const judged = 1_000_000
        expect(after(verdictsOf(judged, Math.round(confirmed * judged), claim), claim)).toBeCloseTo(confirmed, 2)
      }),
    )
  })
})

describe('weighed causes', () => {
  const listed = fc
    .uniqueArray(fc.record({ cause: fc.constantFrom(...causes), weight: fc.integer({ min: 1, max: 1000 }) }), {
      selector: ({ cause }) => cause,
      minLength: 1,
    })
    .map((each): Probable[] => {
      const sum = each.reduce((all, { weight }) => all + weight, 0)
      return each.map(({ cause, weight }) => ({ cause, probability: weight / sum }))
    })
  const odds = fc.dictionary(
    fc.constantFrom(...causes),
    fc.double({ min: 0.05, max: 20, noNaN: true }),
  ) as fc.Arbitrary<Partial<Record<Cause, number>>>

  test('law: are probabilities whose order is that of equal odds', () => {
    fc.assert(
      fc.property(listed, odds, (causesBefore, weights) => {
        const weighed = weighCauses(causesBefore, weights)
        expect(weighed.map(({ cause }) => cause)).toEqual(causesBefore.map(({ cause }) => cause))
        expect(weighed.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 9)
        const [first, second] = weighed
        if (first && second) {
          const ratio = (all: readonly Probable[]) => all[0]!.probability / all[1]!.probability
          const moved = (weights[first.cause] ?? 1) / (weights[second.cause] ?? 1)
          expect(ratio(weighed) / ratio(causesBefore) / moved).toBeCloseTo(1, 6)
        }
      }),
    )
  })

  test('leave to causes that are not listed what the listed ones lack', () => {
    const [leak] = weighCauses([{ cause: 'leak', probability: 0.8 }], { leak: 0.25 })
    expect(leak!.probability).toBeCloseTo(0.2 / (0.2 + 0.2), 9)
  })
})
