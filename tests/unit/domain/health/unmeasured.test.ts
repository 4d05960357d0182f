/** Findings of the membrane while what led them is not measured. */
import { describe, expect, test } from 'vitest'
import { assess } from '../../../../src/domain/health/assess.ts'
import { emptySums } from '../../../../src/domain/health/daySums.ts'
import { resetBaseline, stepDay } from '../../../../src/domain/health/stepDay.ts'
import type { HealthState } from '../../../../src/domain/health/types/state.ts'
import { daySums, first, from, run, usualContext, type Course } from './samples.ts'

const seal = from(60, { b: 0.6, brief: 0.6 })
/** Days from which on the salt is not measured, and the last one that is. */
const lost = 80
const before = run({ days: lost, change: seal }).assessment.findings[0]!

const withoutSalt: Course['sums'] = (sums, day) => {
  if (day < lost) return
  const { b: _b, brief: _brief, f: _f, ...others } = sums.channels
  Object.assign(sums, { channels: others, passages: 0, passage: 0 })
}
const restOnly: Course['sums'] = (sums, day) => {
  if (day >= lost) Object.assign(sums, emptySums(), { rest_hours: 5, rest_litres: 0.1 })
}
const moved: Course['context'] = day => ({ bypass: day < lost ? 0 : 2 })

describe('a finding goes on as it was last known', () => {
  const lasting: readonly (readonly [string, Partial<Course>])[] = [
    ['while the sensor of its leading channel is defective', { sums: withoutSalt }],
    ['while water flows at rest only', { sums: restOnly }],
    ['while a wide bypass hides the salt', { context: day => ({ bypass_share: day < lost ? 0 : 0.2 }) }],
    ['after the bypass valve was moved, although the salt has been learned anew with the fault', { context: moved }],
  ]
  test.each(lasting)('%s', (_, course) => {
    for (const days of [lost + 10, lost + 40]) {
      const { state, assessment } = run({ days, change: seal, ...course })
      expect(state.open).toMatchObject([{ number: 1, lead: { channel: 'b' } }])
      const { number, group, cause, severity, confidence } = assessment.findings[0]!
      expect({ number, group, cause, severity }).toEqual({
        number: 1,
        group: 'membrane',
        cause: 'oring',
        severity: 'act',
      })
      expect(confidence).toBeGreaterThan(before.confidence - 0.01)
    }
  })
})

describe('a finding whose lead was not measured ends', () => {
  test('once it has been measured again on seven days, and is well', () => {
    const healed = lost + 30
    const change: Course['change'] = day => (day < healed ? seal(day) : day % 2 === 0 ? null : {})
    const course = { change, context: (day: number) => ({ bypass: day >= lost && day < healed ? 2 : 0 }) }
    expect(run({ days: healed + 12, ...course }).state.open).toHaveLength(1)
    expect(run({ days: healed + 34, ...course }).state.open).toEqual([])
  })

  test('with a new membrane', () => {
    const { state } = run({
      days: lost + 20,
      change: seal,
      sums: withoutSalt,
      context: day => (day === lost + 15 ? { replaced: [{ position: 1, day: first + day }] } : {}),
    })
    expect(state.open).toEqual([])
  })

  test('with a new baseline', () => {
    const { state } = run({ days: lost + 20, change: seal, sums: withoutSalt })
    expect(resetBaseline(state).open).toEqual([])
  })
})

test('another channel that is over its threshold leads the finding from then on', () => {
  const restricted = from(lost + 20, { r: -0.5 })
  const { assessment } = run({
    days: lost + 40,
    change: day => ({ ...seal(day), ...restricted(day) }),
    context: moved,
  })
  expect(assessment.findings).toMatchObject([{ number: 1, cause: 'restrictor_clogged' }])
})

test('a state of an earlier version, which does not say what leads its finding, goes on', () => {
  const { state } = run({ days: lost - 1, change: seal })
  const stored = structuredClone(state)
  for (const open of stored.open) {
    delete open.lead
    delete open.known
  }
  const next = (from: HealthState, day: number, sums = daySums(day + 1, seal(day))) =>
    stepDay(from, sums, { ...usualContext, day: first + day })
  // A day without the lead says nothing of it.
  const silent = next(structuredClone(stored), lost - 1, emptySums())
  expect(assess(silent, { ...usualContext, day: silent.day }).findings).toMatchObject([{ cause: 'oring' }])
  expect(next(stored, lost - 1)).toEqual(next(state, lost - 1))
})

test('a finding that the flow leads ends when the flow begins anew with a tank', () => {
  const fouled = from(60, { a: -0.3 })
  const sums: Course['sums'] = (day, index) => {
    if (index >= lost) Object.assign(day, { tank_runs: 4, tank_litres: 8, tank_relief: 8 })
  }
  expect(run({ days: lost + 5, change: fouled, sums }).state.open).toMatchObject([{ lead: { channel: 'a' } }])
  expect(run({ days: lost + 12, change: fouled, sums }).state.open).toEqual([])
})
