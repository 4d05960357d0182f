/** How simulated units execute commands, update their firmware, and go offline. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DeviceCommand } from '../../../../server/protocol/commands.ts'
import { isCutOff, isUnplugged, powerOutage } from '../../../../simulator/model/absence.ts'
import { advance, nextEvent } from '../../../../simulator/model/advance.ts'
import { applyCommand } from '../../../../simulator/model/commands.ts'
import { stateOf, statusOf, takeReading } from '../../../../simulator/model/reading.ts'
import { msPerDay, msPerHour, msPerMinute, msPerSecond } from '../../../../src/domain/time.ts'
import { draw } from '../../../../simulator/model/water.ts'
import { noon, unitLike } from '../../support/simulatorUnits.ts'

test.each<[DeviceCommand, object]>([
  [{ type: 'lock', locked: true }, { locked: true }],
  [{ type: 'valve', closed: true }, { valve_closed: true }],
  [{ type: 'set_uv', mode: 0 }, { uv: 0 }],
  [{ type: 'set_idle_protection', duration: 90 }, { idle_protection: 90 }],
  [{ type: 'set_bypass', state: 3 }, { bypass: { smart: 1, state: 3 } }],
  [
    { type: 'set_flush', settings: { smart: 'save_water', volume: 2 } },
    { flush: { smart: 'save_water', mode: 2, volume: 2 } },
  ],
  [{ type: 'flush' }, { status: 2 }],
  [
    { type: 'update_firmware', version: '9.9' },
    { status: 6, update: { version: '9.9', phase: 'downloading' } },
  ],
])('a unit executes %o and changes nothing else', (command, expected) => {
  const unit = unitLike({
    uv: 1,
    bypass: { smart: 1, state: 0 },
    flush: { smart: null, mode: 2, frequency: 10, duration: 9, volume: 1 },
  })
  const before = stateOf(unit)
  expect(applyCommand(unit, command)).toBeUndefined()
  expect(stateOf(unit)).toMatchObject(expected)
  // Nothing else changes.
  expect({ ...stateOf(unit), ...before }).toEqual(before)
  const changed = Object.keys(before).filter(
    name =>
      JSON.stringify(before[name as keyof typeof before]) !==
      JSON.stringify(stateOf(unit)[name as keyof typeof before]),
  )
  expect(changed.toSorted()).toEqual(Object.keys(expected).toSorted())
})

test.each(['settings', 'factory'] as const)('a reset of scope %s keeps the vendor’s lock', scope => {
  const unit = unitLike({
    locked: true,
    valve_closed: true,
    uv: 1,
    bypass: { smart: 1, state: 2 },
    idle_protection: 60,
  })
  applyCommand(unit, { type: 'reset', scope })
  expect(stateOf(unit)).toMatchObject({
    locked: true,
    valve_closed: scope === 'settings',
    uv: 0,
    bypass: { smart: 0, state: 0 },
    idle_protection: 0,
    flush: { smart: null, mode: 0, frequency: 5, duration: 18, volume: 0 },
  })
})

test.each<DeviceCommand>([
  { type: 'valve', closed: true },
  { type: 'lock', locked: true },
])('the flow stops after %o, and no more water is drawn', command => {
  const unit = unitLike()
  draw(unit, 5)
  advance(unit, unit.at + 5 * msPerSecond)
  expect(statusOf(unit)).toBe(1)
  takeReading(unit)
  applyCommand(unit, command)
  expect(takeReading(unit)).toMatchObject({ feed_flow: 0, permeate_flow: 0 })
  advance(unit, unit.at + 5 * msPerDay)
  expect(takeReading(unit)).toMatchObject({ feed: 0, permeate: 0 })
})

test('a firmware update only makes progress, and sometimes fails', () => {
  let failed = 0
  fc.assert(
    fc.property(fc.nat(400), place => {
      const unit = unitLike({ firmware: '1.0.0' }, { place, commandsOnly: true })
      applyCommand(unit, { type: 'update_firmware', version: '2.0.0' })
      expect(applyCommand(unit, { type: 'flush' })).toMatch(/updating/)
      let steps = 0
      for (let reached = -1; unit.updating !== undefined; steps++) {
        const { phase, progress } = stateOf(unit).update!
        const now = (phase === 'installing' ? 1000 : 0) + progress
        expect(now).toBeGreaterThan(reached)
        expect(statusOf(unit)).toBe(6)
        reached = now
        advance(unit, nextEvent(unit))
      }
      expect(unit.at - noon).toBeLessThan(msPerMinute)
      expect(statusOf(unit)).toBe(0)
      const { update, firmware } = stateOf(unit)
      if (update === null) {
        expect(firmware).toBe('2.0.0')
        expect(steps).toBeGreaterThan(4)
      } else {
        failed++
        expect(update).toMatchObject({ version: '2.0.0', phase: 'failed' })
        expect(firmware).toBe('1.0.0')
      }
    }),
    { numRuns: 200, seed: 1 },
  )
  expect(failed).toBeGreaterThan(3)
  expect(failed).toBeLessThan(50)
})

test('power and network outages take a small share of the time', () => {
  const seeds = Array.from({ length: 300 }, (_, seed) => seed)
  const moments = Array.from({ length: 1000 }, (_, count) => noon + count * 5.13 * msPerHour)
  const share = (away: (seed: number, at: number) => boolean) =>
    seeds.reduce((sum, seed) => sum + moments.filter(at => away(seed, at)).length, 0) / seeds.length / moments.length
  expect(share(isUnplugged)).toBeGreaterThan(0.002)
  expect(share(isUnplugged)).toBeLessThan(0.012)
  expect(share(isCutOff)).toBeGreaterThan(0.0005)
  expect(share(isCutOff)).toBeLessThan(0.004)
})

test('a unit without power draws nothing', () => {
  const seeds = Array.from({ length: 2000 }, (_, place) => unitLike({}, { place }))
  const unit = seeds.find(one => isUnplugged(one.spec.seed, noon))!
  const outage = powerOutage(unit.spec.seed, noon)!
  // A draw that began before the outage ends first.
  advance(unit, noon + 10 * msPerMinute)
  takeReading(unit)
  advance(unit, outage.to)
  expect(takeReading(unit)).toMatchObject({ feed: 0, permeate: 0 })
})
