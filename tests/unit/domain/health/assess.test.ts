import { describe, expect, test } from 'vitest'
import type { ByChannel, Cause } from '../../../../src/domain/health/types.ts'
import { from, run } from './samples.ts'

const cases: [Cause, ByChannel<number>, number][] = [
  ['fouling', { a: -0.35 }, 60],
  ['scaling', { a: -0.5, b: 0.18, brief: 0.18, r: -0.15 }, 60],
  ['oxidation', { b: 0.6, brief: 0.6, a: 0.12 }, 60],
  ['oring', { b: 0.35, brief: 0.35 }, 0],
  ['outlet_tds_sensor', { b: 0.5, brief: 0.5 }, 60],
  ['inlet_tds_sensor', { f: -0.4, b: 0.38, brief: 0.38 }, 60],
  ['restrictor_clogged', { r: -0.6 }, 40],
  ['restrictor_open', { r: 0.5 }, 0],
  ['prefilter', { h: -0.3 }, 40],
]

test.each(cases)('%s is found and named', (cause, size, length) => {
  const { assessment, found } = run({ days: 120, change: from(60, size, length) })
  expect(found).toBeGreaterThanOrEqual(60)
  expect(assessment.findings[0]).toMatchObject({ cause })
  const { began, confidence, alternatives } = assessment.findings[0]!
  expect(began.early).toBeLessThanOrEqual(began.likely)
  expect(began.likely).toBeLessThanOrEqual(began.late)
  const sum = alternatives.reduce((total, one) => total + one.confidence, confidence)
  expect(sum).toBeLessThanOrEqual(1.001)
})

test('a pump is named in a unit that has one', () => {
  const { assessment } = run({ days: 120, change: from(60, { h: -0.3 }, 40), context: () => ({ boosted: true }) })
  expect(assessment.findings[0]).toMatchObject({ cause: 'pump', alternatives: [{ cause: 'prefilter' }] })
})

test('a step is found within five days, and its beginning lies in the interval', () => {
  const { found, assessment } = run({ days: 75, change: from(60, { b: 0.35, brief: 0.35 }) })
  expect(found).toBeLessThanOrEqual(64)
  const { early, late } = assessment.findings[0]!.began
  expect(early).toBeLessThanOrEqual(20_060)
  expect(late).toBeGreaterThanOrEqual(20_058)
})

test('what the neighbours share is no finding', () => {
  const change = from(60, { a: -0.3 }, 30)
  const { found } = run({
    days: 120,
    change,
    context: day => ({ neighbours: { a: { n: 40, median: change(day).a! } } }),
  })
  expect(found).toBeUndefined()
})

test('a change of the feed water alone is no finding of the device', () => {
  expect(run({ days: 120, change: from(60, { f: 0.47 }) }).found).toBeUndefined()
})

describe('rest flow', () => {
  const rest = (litresAnHour: number, hours: number) =>
    run({
      days: 40,
      sums: (sums, day) =>
        day < 30 ? undefined : Object.assign(sums, { rest_litres: litresAnHour * hours, rest_hours: hours }),
    }).assessment.findings

  test('is a leak, or a valve that does not close', () => {
    expect(rest(0.5, 20)).toMatchObject([{ cause: 'leak', severity: 'act' }])
    expect(rest(30, 20)).toMatchObject([{ cause: 'valve_stuck', severity: 'act' }])
  })

  test('counts from 0.3 l/h over three hours', () => {
    expect(rest(0.2, 20)).toEqual([])
    expect(rest(0.5, 2)).toEqual([])
  })
})

test('creep is told from salt passage', () => {
  const { assessment } = run({ days: 120, change: from(60, { brief: 0.7 }, 20) })
  expect(assessment.findings).toMatchObject([{ cause: 'creep', severity: 'watch' }])
})

test('a finding is closed once it is over', () => {
  const change = (day: number) => ({ r: day >= 60 && day < 80 ? -0.5 : 0 })
  expect(run({ days: 80, change }).state.open).toHaveLength(1)
  expect(run({ days: 110, change }).state.open).toHaveLength(0)
})

describe('the score', () => {
  test('falls with the flow', () => {
    const score = (loss: number) => run({ days: 100, change: from(40, { a: -loss }, 50) }).assessment.score!
    expect(score(0)).toBeGreaterThanOrEqual(80)
    expect(score(0.1)).toBeLessThan(score(0.04))
  })

  test('is 0 with a certain finding that asks for action', () => {
    expect(run({ days: 120, change: from(60, { r: -0.6 }, 40) }).assessment).toMatchObject({ score: 0, state: 'act' })
  })
})

test('weeks without data neither find nor forget anything', () => {
  const change = (day: number) => (day >= 60 && day < 100 ? null : {})
  const { assessment, found } = run({ days: 130, change })
  expect(found).toBeUndefined()
  expect(assessment.state).toBe('good')
})
