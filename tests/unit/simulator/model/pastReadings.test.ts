import { expect, test } from 'vitest'
import { pastReadings } from '../../../../simulator/model/pastReadings.ts'
import { advance } from '../../../../simulator/model/advance.ts'
import { takeReading } from '../../../../simulator/model/reading.ts'
import { msPerDay } from '../../../../src/domain/time.ts'
import { noon, unitLike } from '../../support/simulatorUnits.ts'

const until = noon + 20 * msPerDay
const past = (differing = {}, interval = 30_000) => [...pastReadings(unitLike(differing), until, interval)]
const differing = { tank: 0, flush: { mode: 0, smart: null, frequency: 20, duration: 18, volume: 0 } } as const

test('the readings have all litres that the unit has counted', () => {
  const sum = (name: 'feed' | 'permeate') => past().reduce((before, { reading }) => before + reading[name], 0)
  const unit = unitLike()
  advance(unit, until)
  const { feed, permeate } = takeReading(unit)
  expect(sum('feed')).toBeCloseTo(feed, 0)
  expect(sum('permeate')).toBeCloseTo(permeate, 0)
  expect(permeate).toBeGreaterThan(20)
})

test('permeate flows in readings every interval, and in the last one of each draw', () => {
  const readings = past(differing)
  const producing = readings.filter(({ reading }) => reading.permeate_flow! > 0)
  expect(producing.length).toBeGreaterThan(100)
  for (const { run, elapsed, phase } of producing) {
    expect(run).toBeGreaterThan(0)
    expect(elapsed).toBeGreaterThan(0)
    expect(phase).toBe('drawing')
  }
  // Draws are short, and so is the time between their readings.
  const within = readings.filter((one, index) => one.run > 0 && (readings[index - 1]?.run ?? 0) > 0)
  expect(within.length).toBeGreaterThan(50)
  for (const { elapsed } of within) expect(elapsed).toBeLessThanOrEqual(30)
  const draws = readings.filter(({ run }, index) => run > 0 && readings[index + 1]?.run === 0)
  expect(draws.length).toBeGreaterThan(100)
  // At intervals of minutes, the last reading of a draw is often the only one.
  const seldom = past(differing, 300_000).filter(({ run }) => run > 0)
  expect(seldom.length).toBeGreaterThanOrEqual(draws.length * 0.9)
})

test('the litres of a flush are in a reading of their own', () => {
  const readings = past({ tank: 0, flush: { ...differing.flush, mode: 1, frequency: 2 }, idle_protection: 0 })
  const flushes = readings.filter(({ phase, reading }) => phase === 'flushing' && reading.feed > 0.2)
  expect(flushes.length).toBeGreaterThan(30)
  for (const { reading } of flushes) expect(reading.permeate).toBeLessThan(0.01)
  for (const { reading } of readings.filter(({ phase }) => phase === 'idle')) expect(reading.feed).toBeLessThan(0.01)
})

test('at rest there is a reading an hour, with what leaks', () => {
  const slow_faults = [{ fault: 'leak:0.5:0d', began: new Date(noon).toISOString() }]
  const resting = past({ ...differing, slow_faults }).filter(({ run, elapsed }) => run === 0 && elapsed > 3500)
  expect(resting.length).toBeGreaterThan(150)
  for (const { reading, elapsed } of resting) {
    expect(elapsed).toBeLessThanOrEqual(3600)
    expect(reading.feed).toBeGreaterThanOrEqual(0.48)
  }
})
