/** Properties of every simulated unit at any time. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Reading, State } from '../../../../server/protocol/messages.ts'
import { statusCodes } from '../../../../src/domain/device.ts'
import { advance } from '../../../../simulator/model/advance.ts'
import { failures } from '../../../../simulator/model/failures.ts'
import { generateDevice } from '../../../../simulator/model/fleet.ts'
import { stateOf, statusOf, takeReading } from '../../../../simulator/model/reading.ts'
import { msPerDay, msPerHour, msPerMinute } from '../../../../src/domain/time.ts'
import { noon, unitLike } from '../../support/simulatorUnits.ts'

const place = fc.nat(5000)
const seed = fc.nat(100)
const status = fc.constantFrom(...statusCodes)
/** Milliseconds between two readings of a unit. */
const gapsBetween = fc.array(fc.integer({ min: 1, max: 6 * msPerHour }), { minLength: 1, maxLength: 40 })

test('the same seed gives the same fleet, and another seed another fleet', () => {
  fc.assert(
    fc.property(seed, place, (of, at) => {
      expect(generateDevice(of, at)).toEqual(generateDevice(of, at))
    }),
  )
  const fleet = (of: number) => Array.from({ length: 200 }, (_, at) => generateDevice(of, at))
  expect(fleet(1)).not.toEqual(fleet(2))
  expect(new Set(fleet(1).map(({ bssid }) => bssid)).size).toBe(200)
})

test('the same seed gives the same readings and states', () => {
  fc.assert(
    fc.property(seed, place, gapsBetween, (of, at, gaps) => {
      const life = () => {
        const unit = unitLike({}, { seed: of, place: at })
        return gaps.map(gap => {
          advance(unit, unit.at + gap)
          return [takeReading(unit), stateOf(unit)]
        })
      }
      expect(life()).toEqual(life())
    }),
    { numRuns: 30 },
  )
})

test('the number of readings does not change what a unit does', () => {
  fc.assert(
    fc.property(place, gapsBetween, (at, gaps) => {
      const often = unitLike({}, { place: at })
      const once = unitLike({}, { place: at })
      const sum = { feed: 0, permeate: 0 }
      for (const gap of gaps) {
        advance(often, often.at + gap)
        const { feed, permeate } = takeReading(often)
        sum.feed += feed
        sum.permeate += permeate
      }
      advance(once, often.at)
      const last = takeReading(once)
      // Each reading is rounded to a millilitre; the remainder is added to the next one.
      expect(sum.feed).toBeCloseTo(last.feed, 2)
      expect(sum.permeate).toBeCloseTo(last.permeate, 2)
      expect(statusOf(often)).toBe(statusOf(once))
    }),
    { numRuns: 50 },
  )
})

test('every reading and state is valid in the protocol, and no more water leaves than enters', () => {
  const values = fc.record({
    feed_tds: fc.double({ min: 0, max: 5000, noNaN: true }),
    pressure: fc.double({ min: 0.5, max: 12, noNaN: true }),
    temperature: fc.double({ min: 0, max: 45, noNaN: true }),
    recovery_rate: fc.double({ min: 5, max: 95, noNaN: true }),
    rejection_rate: fc.double({ min: 0, max: 99.9, noNaN: true }),
    status,
  })
  fc.assert(
    fc.property(values, place, gapsBetween, (differing, at, gaps) => {
      const unit = unitLike(differing, { place: at })
      for (const gap of gaps) {
        advance(unit, unit.at + gap)
        const reading = takeReading(unit)
        expect(z.safeParse(Reading, reading).error?.issues).toBeUndefined()
        expect(reading.permeate).toBeLessThanOrEqual(reading.feed)
        // Sensors have errors, and rare outliers.
        expect(unit.water.flow.permeate).toBeLessThanOrEqual(unit.water.flow.feed)
        const state = { at: new Date(unit.at).toISOString(), ...stateOf(unit) }
        expect(z.safeParse(State, state).error?.issues).toBeUndefined()
      }
    }),
    { numRuns: 200 },
  )
})

test.each(statusCodes.filter(code => failures[code] !== undefined))(
  'a unit of status %i sends null for failed sensors, and runs only if the failure allows it',
  code => {
    const { runs, missingValues } = failures[code]!
    const unit = unitLike({ status: code })
    let litres = 0
    for (let at = noon; at < noon + 3 * msPerDay; at += 10 * msPerMinute) {
      advance(unit, at + 10 * msPerMinute)
      const reading = takeReading(unit)
      litres += reading.permeate
      expect(statusOf(unit)).toBeOneOf([code, 2])
      for (const [name, value] of Object.entries(reading)) {
        if (missingValues.some(sensor => sensor === name)) expect(value, name).toBeNull()
        else expect(value, name).not.toBeNull()
      }
    }
    if (runs) expect(litres).toBeGreaterThan(1)
    else expect(litres).toBe(0)
  },
)

test('without feed water there is no pressure', () => {
  const unit = unitLike({ status: 18, pressure: 0.2 })
  expect(takeReading(unit).pressure).toBeLessThan(0.5)
})

test('a failure is repaired after some hours, and the unit runs again', () => {
  const unit = unitLike()
  unit.nextFailureAt = noon + msPerHour
  advance(unit, noon + msPerHour)
  const broken = unit.flashMemory.resting
  expect(failures[broken]).toBeDefined()
  expect(unit.flashMemory.rightedAt).toBeGreaterThan(unit.at)
  advance(unit, unit.flashMemory.rightedAt!)
  expect(unit.flashMemory.resting).toBe(0)
  takeReading(unit)
  advance(unit, unit.at + 3 * msPerDay)
  expect(takeReading(unit).permeate).toBeGreaterThan(0)
})
