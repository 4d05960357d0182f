/** The product-limit estimator against published examples, and by its laws. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quantileOf, survivalAfter, survivalOf, type Life } from '../../../../../src/domain/health/maths/survival.ts'

const ended = (...lengths: number[]): Life[] => lengths.map(length => ({ length, ended: true }))
const censored = (...lengths: number[]): Life[] => lengths.map(length => ({ length, ended: false }))

/** Remissions in weeks with 6-mercaptopurine [Freireich and others 1963, in Gehan 1965]. */
const remissions = [...ended(6, 6, 6, 7, 10, 13, 16, 22, 23), ...censored(6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35)]

describe('worked examples', () => {
  test('of Kaplan and Meier: deaths at 0.8, 3.1, 5.4 and 9.2 months, losses at 1.0, 2.7, 7.0 and 12.1', () => {
    const steps = survivalOf([...ended(0.8, 3.1, 5.4, 9.2), ...censored(1, 2.7, 7, 12.1)])
    expect(steps.map(({ at }) => at)).toEqual([0.8, 3.1, 5.4, 9.2])
    for (const [index, share] of [7 / 8, 7 / 10, 21 / 40, 21 / 80].entries())
      expect(steps[index]!.surviving).toBeCloseTo(share, 12)
  })

  test('of remissions: those that are lost where others end count as longer, and the median is 23 weeks', () => {
    const steps = survivalOf(remissions)
    expect(steps.map(({ at, surviving }) => [at, Number(surviving.toFixed(4))])).toEqual([
      [6, 0.8571],
      [7, 0.8067],
      [10, 0.7529],
      [13, 0.6902],
      [16, 0.6275],
      [22, 0.5378],
      [23, 0.4482],
    ])
    expect(quantileOf(steps, 0.5)).toBe(23)
    expect(quantileOf(steps, 0.6)).toBe(Infinity)
  })

  test('of those that have lasted for ten weeks half end within 23, too', () => {
    const later = survivalAfter(survivalOf(remissions), 10)
    expect(later.map(({ at, surviving }) => [at, Number(surviving.toFixed(4))])).toEqual([
      [13, 0.9167],
      [16, 0.8333],
      [22, 0.7143],
      [23, 0.5952],
    ])
  })
})

const life = fc.record({ length: fc.integer({ min: 0, max: 30 }), ended: fc.boolean() })
const lives = fc.array(life, { maxLength: 40 })

describe('laws', () => {
  test('the share falls from step to step, between 1 and 0, at lengths that have ends', () => {
    fc.assert(
      fc.property(lives, all => {
        const steps = survivalOf(all)
        let before = { at: -1, surviving: 1 }
        for (const step of steps) {
          expect(step.at).toBeGreaterThan(before.at)
          expect(step.surviving).toBeLessThan(before.surviving)
          expect(step.surviving).toBeGreaterThanOrEqual(0)
          expect(step.ended).toBe(all.filter(each => each.ended && each.length === step.at).length)
          before = step
        }
        expect(steps.reduce((sum, step) => sum + step.ended, 0)).toBe(all.filter(each => each.ended).length)
      }),
    )
  })

  test('where all have ended, it is the share of the lives that are longer', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 40 }), lengths => {
        for (const { at, surviving } of survivalOf(ended(...lengths)))
          expect(surviving).toBeCloseTo(lengths.filter(length => length > at).length / lengths.length, 12)
      }),
    )
  })

  test('neither the order of the lives nor ones that were lost before the first end change it', () => {
    const shuffled = lives.chain(all =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
    )
    fc.assert(
      fc.property(shuffled, ([all, other]) => {
        expect(survivalOf(other)).toEqual(survivalOf(all))
        const later = all.map(each => ({ ...each, length: each.length + 1 }))
        expect(survivalOf([...later, ...censored(0, 0.5)])).toEqual(survivalOf(later))
      }),
    )
  })

  test('a life that is longer than known raises the shares', () => {
    fc.assert(
      fc.property(lives, fc.nat(), (all, place) => {
        fc.pre(all.length > 0)
        const at = place % all.length
        const shareAt = (list: readonly Life[], length: number) =>
          survivalOf(list).findLast(step => step.at <= length)?.surviving ?? 1
        const longer = all.map((each, index) => (index === at ? { length: each.length + 5, ended: false } : each))
        for (let length = 0; length < 40; length++)
          expect(shareAt(longer, length)).toBeGreaterThanOrEqual(shareAt(all, length) - 1e-12)
      }),
    )
  })

  test('given that a life is longer than a length, the shares are those of the lives that are longer', () => {
    fc.assert(
      fc.property(lives, fc.integer({ min: 0, max: 30 }), (all, length) => {
        const given = survivalAfter(survivalOf(all), length)
        const longer = survivalOf(all.filter(each => each.length > length))
        expect(given.map(({ at }) => at)).toEqual(longer.map(({ at }) => at))
        for (const [index, { surviving }] of given.entries())
          expect(surviving).toBeCloseTo(longer[index]!.surviving, 12)
      }),
    )
  })

  test('a quantile is never less than one of a smaller share, and the share has ended there', () => {
    const share = fc.double({ min: 0.01, max: 1, noNaN: true })
    fc.assert(
      fc.property(lives, share, share, (all, one, other) => {
        const steps = survivalOf(all)
        const [low, high] = [Math.min(one, other), Math.max(one, other)]
        expect(quantileOf(steps, low)).toBeLessThanOrEqual(quantileOf(steps, high))
        const found = steps.find(({ at }) => at === quantileOf(steps, low))
        if (found) expect(1 - found.surviving).toBeGreaterThanOrEqual(low - 1e-8)
      }),
    )
  })

  test('without ends nothing is told', () => {
    expect(survivalOf([])).toEqual([])
    expect(survivalOf(censored(3, 4))).toEqual([])
    expect(quantileOf([], 0.5)).toBe(Infinity)
  })
})
