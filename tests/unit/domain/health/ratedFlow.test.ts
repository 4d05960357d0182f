/** The flow of a membrane now and at the conditions of NSF/ANSI 58. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { observe } from '../../../../src/domain/health/observe.ts'
import { ratedFlow } from '../../../../src/domain/health/ratedFlow.ts'
import { formulaNumbers } from '../../../../src/domain/health/texts/formulaNumbers.ts'
import type { HealthState } from '../../../../src/domain/health/types/state.ts'
import { nsf58 } from '../../../../src/domain/normalise.ts'

type State = Pick<HealthState, 'channels' | 'recovery' | 'rejection'>

/** Returns what a reading leaves in the state of a device: running and resting pressure are the same. */
function stateOf(reading: {
  flow: number
  pressure: number
  temperature: number
  tds: number
  rejection: number
}): State {
  const { flow, pressure, temperature, tds, rejection } = reading
  const observed = observe(
    {
      feed_flow: 2.5 * flow,
      permeate_flow: flow,
      feed_tds: tds,
      permeate_tds: tds * (1 - rejection),
      pressure,
      resting: pressure,
      temperature,
      run: 300,
      elapsed: 30,
      feed: 1,
      permeate: 0.4,
    } as Parameters<typeof observe>[0],
    { levels: {}, bypass: 0, tank: false } as Parameters<typeof observe>[1],
  )
  const { a, b, h, p } = observed!.values
  const raw = (value: number | undefined) => ({ raw: [value!], baseline: value!, day: 0 }) as never
  return { channels: { a: raw(a), b: raw(b), h: raw(h), p: raw(p) }, recovery: 0.4, rejection }
}

const reading = fc.record({
  flow: fc.double({ min: 0.05, max: 2, noNaN: true }),
  pressure: fc.double({ min: 2, max: 8, noNaN: true }),
  temperature: fc.double({ min: 3, max: 40, noNaN: true }),
  tds: fc.double({ min: 20, max: 900, noNaN: true }),
  rejection: fc.double({ min: 0.8, max: 0.99, noNaN: true }),
})
const rate = (of: State, { temperature, tds }: { temperature: number; tds: number }, water_k = 0) =>
  ratedFlow(of, { temperature, tds, water_k, salt_hidden: false })

test('law: the flow now is the measured one, in its own conditions', () => {
  fc.assert(
    fc.property(reading, one => {
      const found = rate(stateOf(one), one)!
      expect(found.flow / one.flow).toBeCloseTo(1, 6)
      expect(found.pressure).toBeCloseTo(one.pressure, 6)
      expect(found.permeate_tds! / (one.tds * (1 - one.rejection))).toBeCloseTo(1, 6)
    }),
  )
})

test('law: the numbers of the formulas give the values of their channels, whatever the smoothed rejection is', () => {
  fc.assert(
    fc.property(reading, fc.double({ min: 0.6, max: 0.99, noNaN: true }), (one, rejection) => {
      const state = { ...stateOf(one), rejection }
      const found = rate(state, one)!
      const shown = (channel: 'a' | 'b') =>
        Number(/= ([\d.,]+) /.exec(formulaNumbers(channel, found)!)![1]!.replace(',', ''))
      const value = (channel: 'a' | 'b') => Math.exp(state.channels[channel]!.raw[0]!)
      expect(Math.abs(shown('a') - value('a'))).toBeLessThan(0.00051)
      expect(Math.abs(shown('b') - 1000 * value('b'))).toBeLessThan(0.0051)
    }),
  )
})

test('law: in the conditions of the standard both are the same', () => {
  fc.assert(
    fc.property(reading, ({ flow, rejection }) => {
      const standard = { flow, rejection, pressure: nsf58.pressure, temperature: nsf58.T, tds: nsf58.feedTds }
      const found = rate(stateOf(standard), standard)!
      expect(found.rated / found.flow).toBeCloseTo(1, 6)
      expect(found.rated_tds! / found.permeate_tds!).toBeCloseTo(1, 6)
    }),
  )
})

test('cold water and little pressure let less through than the standard', () => {
  const cold = { flow: 0.15, pressure: 2.5, temperature: 10, tds: 300, rejection: 0.95 }
  const { flow, rated } = rate(stateOf(cold), cold)!
  // 1.4 times the driving pressure less the saltier water, and 1.7 times the water at 25 °C.
  expect(rated / flow).toBeGreaterThan(1.8)
  expect(rated / flow).toBeLessThan(2.5)
  // A membrane whose flow depends more on the temperature is rated higher.
  expect(rate(stateOf(cold), cold, 200)!.rated).toBeGreaterThan(rated)
})

test('more pressure dilutes the salt, and saltier feed adds to it', () => {
  const one = { flow: 0.15, pressure: 6.9, temperature: 25, tds: 750, rejection: 0.95 }
  const { permeate_tds, rated_tds } = rate(stateOf(one), one)!
  expect(rated_tds! / permeate_tds!).toBeGreaterThan(2)
  const soft = { ...one, pressure: 3.447, tds: 375 }
  const found = rate(stateOf(soft), soft)!
  expect(found.rated_tds! / found.permeate_tds!).toBeGreaterThan(2)
  expect(ratedFlow(stateOf(one), { ...one, water_k: 0, salt_hidden: true })).toMatchObject({
    permeate_tds: null,
    rated_tds: null,
  })
})

test('there is none while something is unknown, or without driving pressure', () => {
  const one = { flow: 0.2, pressure: 3, temperature: 15, tds: 300, rejection: 0.95 }
  const state = stateOf(one)
  expect(ratedFlow(state, { temperature: null, tds: 300, water_k: 0, salt_hidden: false })).toBeNull()
  expect(ratedFlow(state, { temperature: 15, tds: null, water_k: 0, salt_hidden: false })).toBeNull()
  expect(rate({ ...state, channels: {} }, one)).toBeNull()
  expect(rate(state, { ...one, tds: 20_000 })).toBeNull()
})
