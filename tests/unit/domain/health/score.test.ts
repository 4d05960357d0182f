import { expect, test } from 'vitest'
import { forecastsOf } from '../../../../src/domain/health/forecast.ts'
import { isCritical, scoreOf } from '../../../../src/domain/health/score.ts'
import { msPerDay } from '../../../../src/domain/time.ts'
import { first, run, usualContext } from './samples.ts'

const { state } = run({ days: 40 })

test.each([
  [1, 'good'],
  [0.5, 'good'],
  [0.24, 'good'],
  [0.23, 'watch'],
  [0, 'watch'],
] as const)('with %f of its life left, a healthy device is %s', (life, expected) => {
  expect(scoreOf(state, [], { ...usualContext, life }).state).toBe(expected)
})

test.each([
  [0.796, true],
  [0.794, false],
] as const)('a finding with a confidence of %f is critical: %j, as its % say', (confidence, expected) => {
  expect(isCritical({ severity: 'act', confidence })).toBe(expected)
})

test('a cartridge at its end alone asks for no action', () => {
  expect(scoreOf(state, [], { ...usualContext, life: 0 })).toMatchObject({ score: 50, worst: 'life' })
})

test('salt passage counts for score and forecast, but not where an open bypass hides the membrane’s', () => {
  const days = 100
  const risen = run({ days, change: day => ({ b: Math.max(0, day - 40) * 0.01 }) })
  const judge = (bypass_share: number) => {
    const context = { ...usualContext, day: first + days, bypass_share }
    const membrane = forecastsOf(risen.state, context).find(({ kind }) => kind === 2)!
    const left = Math.round(membrane.due / msPerDay - context.day)
    return { ...scoreOf(risen.state, [], { ...context, life: 1 }), left }
  }
  const known = judge(0)
  expect(known).toMatchObject({ worst: 'b', state: 'act' })
  expect(known.left).toBeLessThan(60)
  // Of the 5 % that pass, 4.5 % come through the bypass.
  const hidden = judge(0.045)
  expect(hidden).toMatchObject({ worst: 'a', state: 'good' })
  expect(hidden.left).toBeGreaterThan(365)
})
