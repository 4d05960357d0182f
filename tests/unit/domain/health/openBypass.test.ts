/** What an open bypass makes uncertain: the membrane's salt is a difference, and no finding may claim more than it says. */
import { describe, expect, test } from 'vitest'
import { blendOf, isSaltKnown } from '../../../../src/domain/health/instruments.ts'
import { from, run, type Course } from './samples.ts'

/** Salt that is a small part of what the bypass adds; the measured passage moves by 8 % where the membrane's seems to double. */
const hidden = { b: -2, brief: -2 }
const doubled = (day: number) => {
  const share = Math.min(1, Math.max(0, (day - 60) / 90))
  return { b: hidden.b + 0.95 * share, brief: hidden.brief + 0.95 * share }
}
const passing: Course['sums'] = (sums, day) =>
  Object.assign(sums, { passages: 20, passage: 20 * (day < 60 ? 0.085 : 0.092) })

describe('with an open bypass', () => {
  test('a change that is within what the bypass makes uncertain is no finding', () => {
    const { found, assessment, state } = run({
      days: 160,
      change: doubled,
      context: () => ({ bypass: 3, bypass_share: 0.05 }),
      sums: passing,
    })
    expect(isSaltKnown(blendOf(state, 0.05))).toBe(false)
    expect(found).toBeUndefined()
    expect(assessment).toMatchObject({ findings: [], state: 'good' })
  })

  test('the same change of the membrane is found where the bypass is closed', () => {
    expect(run({ days: 160, change: doubled }).found).toBeDefined()
  })

  test('a change is found where most of the salt is the membrane’s', () => {
    const change = from(60, { b: 0.6, brief: 0.6 }, 30)
    const { assessment } = run({ days: 120, change, context: () => ({ bypass: 1, bypass_share: 0.01 }) })
    expect(assessment.findings).toMatchObject([{ group: 'membrane' }])
  })

  test('slow wear by salt claims the less, the more the bypass adds', () => {
    const worn = (bypass_share: number) =>
      run({
        days: 700,
        // Slower than what is no ageing: only the sum of it counts.
        change: from(60, { b: 1, brief: 1 }, 600),
        context: () => ({ bypass_share, bypass: 1 }),
        sums: sums => Object.assign(sums, { passages: 20, passage: 20 * 0.12 }),
      }).assessment.findings.find(({ cause }) => cause === 'worn')
    const [closed, open] = [worn(0)!, worn(0.05)!]
    expect(closed.confidence).toBe(0.85)
    expect(open.confidence).toBeLessThan(0.8)
    const error = ({ evidence }: typeof closed) => evidence[0]!.error
    expect(error(open)).toBeGreaterThan(1.5 * error(closed))
  })
})

describe('when the bypass changes', () => {
  const moved = 60
  const bypass: Course['context'] = day => ({ bypass: day < moved ? 0 : 3, bypass_share: day < moved ? 0 : 0.03 })

  test('the day of the change, whose readings are from both states, counts for neither', () => {
    const change = (day: number) => (day === moved ? { b: 0.8, brief: 0.8 } : {})
    const { state } = run({ days: moved + 1, change, context: bypass })
    expect(state.channels.b).toBeUndefined()
    expect(state.kept[0]!.b!.level).toBeCloseTo(0, 1)
    const later = run({ days: moved + 10, change, context: bypass }).state
    expect(later.channels.b!.baseline).toBeCloseTo(-3, 1)
  })

  test('what was measured before says nothing of the salt after', () => {
    const sums: Course['sums'] = (day, index) =>
      Object.assign(day, { passages: 20, passage: 20 * (index < moved ? 0.3 : 0.05) })
    const closed: Course['context'] = day => ({ bypass: day < moved ? 3 : 0, bypass_share: day < moved ? 0.2 : 0 })
    const { state, found } = run({ days: moved + 12, context: closed, sums })
    expect(state.rejection).toBeCloseTo(0.95, 3)
    expect(found).toBeUndefined()
  })
})

describe('after a pre-filter that had nearly clogged is replaced', () => {
  /** Salt passage that changes a little with the pressure, as that of real membranes does. */
  const salt = from(60, { b: 0.15, brief: 0.15 })

  test('a step of salt with that of the pressure is no O-ring', () => {
    const change = (day: number) => ({ ...salt(day), h: day < 60 ? -0.5 : 0 })
    const { assessment } = run({ days: 75, change })
    expect(assessment.findings.filter(({ group }) => group === 'membrane')).toEqual([])
  })

  test('the same step without one of the pressure is', () => {
    expect(run({ days: 75, change: salt }).assessment.findings).toMatchObject([{ cause: 'oring' }])
  })
})
