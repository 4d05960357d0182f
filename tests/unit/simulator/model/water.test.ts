/** The model of a simulated unit: feed water, creep, flushing, usage and wear. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { advance } from '../../../../simulator/model/advance.ts'
import { remainingPressureShare } from '../../../../simulator/model/cartridges.ts'
import { feedWater, siteFrom } from '../../../../simulator/model/feedWater.ts'
import { random } from '../../../../simulator/model/random.ts'
import { stateOf, statusOf, takeReading } from '../../../../simulator/model/reading.ts'
import { msPerDay, msPerHour, msPerMinute, msPerSecond } from '../../../../src/domain/time.ts'
import { supplyNamed } from '../../../../simulator/model/supplies.ts'
import type { Unit } from '../../../../simulator/model/unit.ts'
import { demand, nextDraw, type Usage } from '../../../../simulator/model/usage.ts'
import { draw, flush } from '../../../../simulator/model/water.ts'
import { noon, unitLike } from '../../support/simulatorUnits.ts'

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true })
describe('the feed water of a site', () => {
  test('has the described values at the start, and is warmer in August than in February', () => {
    const arriving = fc.record({ temperature: between(6, 28), tds: between(150, 600), pressure: between(2.8, 6.9) })
    fc.assert(
      fc.property(arriving, fc.nat(), between(2, 5), (like, seed, swing) => {
        const site = siteFrom(like, noon, { swing, utcOffset: msPerHour, seed })
        const then = feedWater(site, noon)
        for (const name of ['temperature', 'tds', 'pressure'] as const) expect(then[name]).toBeCloseTo(like[name], 9)
        const august = feedWater(site, Date.parse('2026-08-20T12:00:00Z'))
        const february = feedWater(site, Date.parse('2026-02-20T12:00:00Z'))
        expect(august.temperature).toBeGreaterThan(february.temperature)
      }),
    )
  })
})

/** Returns the permeate's true TDS in ppm after `seconds` more; what the sensor shows of it is noisy. */
function tdsAfter(unit: Unit, seconds: number): number {
  advance(unit, unit.at + seconds * msPerSecond)
  return unit.water.permeateTds
}
const noAutoFlush = { mode: 0, smart: null, frequency: 20, duration: 18, volume: 0 } as const
/** A unit that does nothing on its own. */
const idleUnit = (differing = {}, place = 0) =>
  unitLike(
    { flush: noAutoFlush, idle_protection: 0, feed_tds: 400, rejection_rate: 95, tank: 0, ...differing },
    { commandsOnly: true, place },
  )

describe('TDS creep', () => {
  test('raises the TDS of the first water after a night, and is over within two minutes', () => {
    const unit = idleUnit()
    draw(unit, 5)
    const settled = tdsAfter(unit, 240)
    advance(unit, unit.at + 9 * msPerHour)
    draw(unit, 5)
    const first = tdsAfter(unit, 5)
    expect(first).toBeGreaterThan(2.5 * settled)
    const later = tdsAfter(unit, 115)
    expect(later).toBeLessThan(settled + (first - settled) * 0.1)
  })

  test('grows with the time at rest, and shrinks with the length of a flush', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.nat(50), (hours, place) => {
        const afterRest = (rest: number, rinse: 0 | 9 | 18 | 36) => {
          const unit = idleUnit({ flush: { ...noAutoFlush, duration: rinse === 0 ? 9 : rinse } }, place)
          draw(unit, 5)
          advance(unit, unit.at + msPerHour + rest * msPerHour)
          if (rinse > 0) flush(unit)
          advance(unit, unit.at + rinse * msPerSecond)
          draw(unit, 5)
          return tdsAfter(unit, 2)
        }
        expect(afterRest(hours + 2, 0)).toBeGreaterThan(afterRest(hours, 0))
        const rinsed = ([0, 9, 18, 36] as const).map(rinse => afterRest(hours, rinse))
        expect(rinsed).toEqual(rinsed.toSorted((a, b) => b - a))
        expect(rinsed[3]! / rinsed[0]!).toBeLessThan(0.9)
      }),
      { numRuns: 40 },
    )
  })

  test('is lower at the next draw with idle protection, which uses feed water', () => {
    const afterRest = (idle_protection: number) => {
      const unit = idleUnit({ idle_protection })
      draw(unit, 3)
      advance(unit, unit.at + 9 * msPerHour)
      const { feed } = takeReading(unit)
      draw(unit, 3)
      return { tds: tdsAfter(unit, 2), feed }
    }
    expect(afterRest(30).tds).toBeLessThan(afterRest(0).tds)
    expect(afterRest(30).feed).toBeGreaterThan(afterRest(0).feed)
  })
})

describe('flushing', () => {
  test.each([0, 4, 18] as const)('shows status 2 for the set duration, and then status %i as before', status => {
    const unit = idleUnit({ status })
    flush(unit)
    expect(statusOf(unit)).toBe(2)
    advance(unit, unit.at + 17 * msPerSecond)
    expect(statusOf(unit)).toBe(2)
    advance(unit, unit.at + 1 * msPerSecond)
    expect(statusOf(unit)).toBe(status)
    const { feed, permeate } = takeReading(unit)
    expect(permeate).toBe(0)
    if (status === 0) expect(feed).toBeGreaterThan(0.3)
    else expect(feed).toBe(0)
  })

  test('uses no more than the set volume', () => {
    const unit = idleUnit({ flush: { ...noAutoFlush, volume: 0.25 } })
    flush(unit)
    advance(unit, unit.at + msPerMinute)
    expect(takeReading(unit).feed).toBeCloseTo(0.25, 3)
  })

  test.each([
    ['after every 5th draw', { mode: 1, frequency: 5 }, 5],
    ['before every 2nd draw', { mode: 2, frequency: 2 }, 2],
    ['as smart flush balances it', { smart: 'balanced' }, 5],
  ] as const)('starts automatically %s', (_, settings, nth) => {
    const unit = idleUnit({ flush: { ...noAutoFlush, ...settings } })
    unit.flashMemory.draws = 0
    for (let count = 1; count <= nth; count++) {
      draw(unit, 0.2)
      let flushed = false
      for (let step = 0; step < 600; step++) {
        advance(unit, unit.at + msPerSecond)
        flushed ||= statusOf(unit) === 2
      }
      expect(flushed, `draw ${count}`).toBe(count === nth)
    }
    expect(takeReading(unit).permeate).toBeCloseTo(0.2 * nth, 2)
  })
})

describe('usage', () => {
  const usage = fc.record({
    profile: fc.constantFrom('household' as const, 'office' as const),
    litresADay: between(4, 40),
    litresADraw: between(0.5, 2),
    utcOffset: fc.constantFrom(-5 * msPerHour, 0, 2 * msPerHour),
    seed: fc.nat(),
  })

  test('adds up to the configured litres a day', () => {
    fc.assert(
      fc.property(usage, fc.nat(), (of, seed) => {
        const rng = random(seed)
        const weeks = 200
        let draws = 0
        for (let at = nextDraw(of, noon, rng); at < noon + weeks * 7 * msPerDay; at = nextDraw(of, at, rng)) draws++
        const litresADay = (draws * of.litresADraw) / (weeks * 7)
        expect(litresADay / of.litresADay).toBeGreaterThan(0.8)
        expect(litresADay / of.litresADay).toBeLessThan(1.2)
      }),
      { numRuns: 10 },
    )
  })

  test('follows the local time: households draw in the evening, and offices not at weekends', () => {
    // The largest demand of ten weeks, because in some weeks people are away.
    const maxDemand = (of: Pick<Usage, 'profile'>, from: string) =>
      Math.max(
        ...Array.from({ length: 10 }, (_, week) =>
          demand(
            { ...of, litresADay: 10, litresADraw: 1, utcOffset: 2 * msPerHour, seed: 7 },
            Date.parse(from) + week * 7 * msPerDay,
          ),
        ),
      )
    const wednesday = (hours: string) => `2026-06-10T${hours}:00:00Z`
    expect(maxDemand({ profile: 'household' }, wednesday('17'))).toBeGreaterThan(
      3 * maxDemand({ profile: 'household' }, wednesday('01')),
    )
    expect(maxDemand({ profile: 'office' }, '2026-06-10T08:00:00Z')).toBeGreaterThan(
      10 * maxDemand({ profile: 'office' }, '2026-06-13T08:00:00Z'),
    )
  })
})

describe('wear', () => {
  test('worn pre-filters lower the pressure, and are replaced and reported in time', () => {
    const cartridges = (usedDays: number) => [
      {
        type: 2,
        resource: 16_000,
        ttl: 900,
        installed_at: new Date(noon - 10 * msPerDay).toISOString(),
        volume_before: 0,
      },
      {
        type: 0,
        resource: 12_000,
        ttl: 180,
        installed_at: new Date(noon - usedDays * msPerDay).toISOString(),
        volume_before: 0,
      },
    ]
    const drawingPressure = (unit: Unit) => {
      draw(unit, 5)
      advance(unit, unit.at + 10 * msPerSecond)
      return takeReading(unit).pressure!
    }
    const clear = { water_supply: null }
    const worn = drawingPressure(idleUnit({ ...clear, cartridges: cartridges(170) }))
    expect(worn).toBeLessThan(drawingPressure(idleUnit({ ...clear, cartridges: cartridges(5) })) * 0.96)

    const unit = unitLike({ ...clear, cartridges: cartridges(170) })
    advance(unit, noon + 90 * msPerDay)
    expect(unit.replaced).toEqual([1])
    expect(unit.flashMemory.cartridges[1]!.installedAt).toBeGreaterThan(noon)
    expect(unit.flashMemory.cartridges[0]!.installedAt).toBeLessThan(noon)
  })

  test('sediment clogs the first pre-filter of a turbid supply, which is then replaced before its date', () => {
    const named = (isTurbid: boolean) =>
      Array.from({ length: 20 }, (_, number) => `Supply ${number}`).find(
        name => supplyNamed(1, name).sediment > 1 === isTurbid,
      )!
    const prefilter = { type: 0, resource: 12_000, ttl: 180, installed_at: new Date(noon).toISOString() }
    const after = (isTurbid: boolean, days: number) => {
      const device = { water_supply: named(isTurbid), litres_a_day: 12, recovery_rate: 40, feed: 0, permeate: 0 }
      const cartridges = [prefilter, prefilter].map(one => ({ ...one, volume_before: 0 }))
      const unit = unitLike({ ...device, cartridges })
      advance(unit, noon + days * msPerDay)
      return unit
    }
    const replacedIn = (isTurbid: boolean, position: number) =>
      after(isTurbid, 150).replaced.filter(one => one === position).length
    expect(replacedIn(true, 0)).toBeGreaterThan(0)
    expect(replacedIn(true, 1)).toBe(0)
    expect(replacedIn(false, 0)).toBe(0)
    const left = ({ flashMemory }: Unit, at: number) =>
      remainingPressureShare(flashMemory.cartridges, flashMemory.counters, at)
    expect(left(after(true, 30), noon + 30 * msPerDay)).toBeLessThan(
      left(after(false, 30), noon + 30 * msPerDay) - 0.02,
    )
  })

  test('batteries drain and are replaced', () => {
    const unit = unitLike({ power_mode: 2, battery_level: 30 })
    let before = 30
    let changed = 0
    for (let at = noon; at < noon + 600 * msPerDay; at += msPerDay) {
      advance(unit, at + msPerDay)
      const level = stateOf(unit).battery_level!
      expect(level).toBeGreaterThan(0)
      if (level > before) changed++
      before = level
    }
    expect(changed).toBeGreaterThan(0)
    expect(changed).toBeLessThan(10)
  })
})

describe('a unit that only follows commands', () => {
  test.each([0, 1, 2, 5, 6, 7, 8, 16] as const)('stays at status %i without commands', status => {
    const unit = unitLike({ status, power_mode: 2, battery_level: 3 }, { commandsOnly: true })
    advance(unit, noon + 400 * msPerDay)
    expect(statusOf(unit)).toBe(status)
    expect(takeReading(unit)).toMatchObject({ feed: 0, permeate: 0 })
    expect(stateOf(unit).battery_level).toBe(3)
    expect(unit.replaced).toEqual([])
  })
})
