import { describe, expect, test } from 'vitest'
import { levelsOf, resetBaseline, stepDay } from '../../../../src/domain/health/stepDay.ts'
import { daySums, first, from, run, usualContext, type Course } from './samples.ts'

describe('learning', () => {
  test('discards the first 20 litres, at least three days, and learns for eight days with data', () => {
    expect(run({ days: 10 }).assessment).toMatchObject({ state: 'learning', score: null, findings: [] })
    const ready = run({ days: 14 })
    expect(ready.state.channels.a?.baseline).toBeCloseTo(-1.5, 2)
    expect(ready.assessment.state).toBe('good')
  })

  test('takes longer for a device that draws little', () => {
    const { state } = run({ days: 14, sums: sums => Object.assign(sums, { permeate: 0.5 }) })
    expect(state.channels).toEqual({})
  })

  test('counts days with data only', () => {
    const { assessment } = run({ days: 18, change: day => (day % 2 === 0 ? {} : null) })
    expect(assessment).toMatchObject({ state: 'learning', learned: 7 })
  })
})

test('a healthy device has no findings and a good score in half a year', () => {
  const { assessment, found } = run({ days: 180 })
  expect(found).toBeUndefined()
  expect(assessment).toMatchObject({ state: 'good', findings: [] })
})

test('a day that was stepped already changes nothing', () => {
  const { state } = run({ days: 30 })
  const before = structuredClone(state)
  stepDay(state, daySums(99, { a: -0.3 }), { ...usualContext, day: first + 29 })
  expect(state).toEqual(before)
})

test('the state survives JSON', () => {
  const { state } = run({ days: 60 })
  const day = first + 60
  const stored = JSON.parse(JSON.stringify(state)) as typeof state
  const next = stepDay(stored, daySums(1), { ...usualContext, day })
  expect(JSON.stringify(next)).toBe(JSON.stringify(stepDay(state, daySums(1), { ...usualContext, day })))
})

test('a state of version 1 learns its flow anew and keeps the other channels and its findings', () => {
  const { state } = run({ days: 80, change: from(60, { b: 0.6 }) })
  const stored = { ...structuredClone(state), version: 1 } as unknown as typeof state
  const next = stepDay(stored, daySums(81, { b: 0.6 }), { ...usualContext, day: first + 80 })
  expect(next).toMatchObject({ version: 2, open: state.open.map(({ number, group }) => ({ number, group })) })
  expect(next.channels.a).toMatchObject({ baseline: null, learning: [expect.any(Number)] })
  expect(next.channels.b?.baseline).toBe(state.channels.b?.baseline)
})

test('near the osmotic pressure a change of the feed hides a smaller change of flow', () => {
  const changed = from(60, { a: -0.14, f: 0.47 })
  expect(run({ days: 100, change: changed }).found).toBeDefined()
  // 900 ppm at 2.3 bar: half of the pressure is osmotic.
  const salty = { f: 1, p: -0.55 }
  const near = run({
    days: 100,
    change: day => {
      const { a = 0, f = 0 } = changed(day)
      return { a, f: salty.f + f, p: salty.p }
    },
  })
  expect(near.found).toBeUndefined()
})

describe('replacements', () => {
  test('a new membrane begins anew and closes its finding', () => {
    const change = from(60, { a: -0.4 })
    expect(run({ days: 80, change }).assessment.findings).toHaveLength(1)
    const replaced = run({
      days: 84,
      change: day => (day < 80 ? change(day) : { a: 0.1 }),
      context: day => (day === 80 ? { replaced: [{ position: 1, day: first + 80 }] } : {}),
    })
    expect(replaced.state.open).toEqual([])
    expect(replaced.assessment.state).toBe('learning')
  })

  test('a new pre-filter leaves the membrane alone', () => {
    const { state } = run({
      days: 60,
      context: day => (day === 59 ? { replaced: [{ position: 0, day: first + 59 }] } : {}),
    })
    expect(state.channels.a?.values.length).toBe(28)
    // The day itself is the first of the new one.
    expect(state.channels.h).toMatchObject({ baseline: null })
  })
})

test('each bypass state has its own baseline of salt passage', () => {
  const open = (day: number) => day >= 40 && day < 70
  const { state, found } = run({
    days: 90,
    change: day => ({ b: open(day) ? 0.6 : 0 }),
    context: day => ({ bypass: open(day) ? 2 : 0 }),
  })
  expect(found).toBeUndefined()
  expect(state.channels.b?.baseline).toBeCloseTo(-3, 1)
  expect(state.kept[2]?.b?.baseline).toBeCloseTo(-2.4, 1)
})

describe('the level for clipping', () => {
  test('is unknown at first', () => {
    expect(levelsOf(run({ days: 4 }).state)).toEqual({})
  })

  test('follows a step at once', () => {
    const { state } = run({ days: 60, change: from(59, { b: 0.3 }) })
    expect(levelsOf(state).b).toBeCloseTo(-2.7, 1)
  })
})

test('a reset of the baseline ends all findings but a leak, which needs none', () => {
  const leak: Course['sums'] = (sums, day) => {
    if (day >= 75) Object.assign(sums, { rest_hours: 10, rest_litres: 12 })
  }
  const change = from(60, { a: -0.4 })
  const { state } = run({ days: 80, change, sums: leak })
  expect(state.open.map(({ group }) => group)).toEqual(['membrane', 'rest'])
  const [, rest] = structuredClone(state.open)
  const sums = daySums(81, change(80))
  leak(sums, 80)
  const next = stepDay(resetBaseline(state), sums, { ...usualContext, day: first + 80 })
  expect(next.open).toMatchObject([{ number: rest!.number, group: 'rest' }])
  expect(next.count).toBe(2)
  const dry = stepDay(next, daySums(82, change(81)), { ...usualContext, day: first + 81 })
  expect(dry.open).toEqual([])
})
