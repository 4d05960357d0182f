/** What a unit's pump, tank and slow faults do to its readings. */
import { describe, expect, test } from 'vitest'
import { advance } from '../../../../simulator/model/advance.ts'
import { applyCommand } from '../../../../simulator/model/commands.ts'
import type { DeviceDescription } from '../../../../simulator/model/fleet.ts'
import { statusOf, takeReading } from '../../../../simulator/model/reading.ts'
import { tankPressure } from '../../../../simulator/model/tank.ts'
import type { Unit } from '../../../../simulator/model/unit.ts'
import { draw } from '../../../../simulator/model/water.ts'
import { msPerDay, msPerHour, msPerMinute, msPerSecond } from '../../../../src/domain/time.ts'
import { noon, unitLike } from '../../support/simulatorUnits.ts'

const still = {
  flush: { mode: 0, smart: null, frequency: 20, duration: 18, volume: 0 },
  bypass: { smart: 0, state: 0 },
  idle_protection: 0,
  feed_tds: 400,
  pressure: 4.5,
  recovery_rate: 45,
  rejection_rate: 95,
  tank: 0,
  boost: 0,
} as const satisfies Partial<DeviceDescription>
/** A unit that does nothing on its own, with a fault that began at a time. */
const idleUnit = (fault?: string, began = noon, differing: Partial<DeviceDescription> = {}) =>
  unitLike(
    {
      ...still,
      ...differing,
      ...(fault === undefined ? {} : { slow_faults: [{ fault, began: new Date(began).toISOString() }] }),
    },
    { commandsOnly: true },
  )
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
/** Returns medians of the readings during a draw of ten litres, after two minutes. */
function readingsOfDraw(unit: Unit) {
  draw(unit, 10)
  advance(unit, unit.at + 2 * msPerMinute)
  const readings = Array.from({ length: 41 }, () => {
    advance(unit, unit.at + 2 * msPerSecond)
    return takeReading(unit)
  })
  advance(unit, unit.at + msPerHour)
  const of = (name: 'permeate_flow' | 'feed_flow' | 'permeate_tds' | 'feed_tds' | 'pressure') =>
    median(readings.map(reading => reading[name]!))
  return {
    flow: of('permeate_flow'),
    concentrate: of('feed_flow') - of('permeate_flow'),
    permeateTds: of('permeate_tds'),
    feedTds: of('feed_tds'),
    pressure: of('pressure'),
  }
}
/** Returns how the readings of a draw change from before a fault to when it has grown, as factors. */
function change(fault: string, differing: Partial<DeviceDescription> = {}) {
  const unit = idleUnit(fault, noon + msPerDay, differing)
  const before = readingsOfDraw(unit)
  advance(unit, noon + 40 * msPerDay)
  const after = readingsOfDraw(unit)
  // The same days without the fault: water and sensors vary.
  const sound = idleUnit(undefined, noon, differing)
  const soundBefore = readingsOfDraw(sound)
  advance(sound, noon + 40 * msPerDay)
  const soundAfter = readingsOfDraw(sound)
  const factor = (name: keyof typeof before) => after[name] / before[name] / (soundAfter[name] / soundBefore[name])
  return {
    flow: factor('flow'),
    concentrate: factor('concentrate'),
    permeateTds: factor('permeateTds'),
    feedTds: factor('feedTds'),
    pressure: factor('pressure'),
  }
}

describe('slow faults in readings', () => {
  test.each([
    ['fouling:0.3:30d', { flow: 0.72, permeateTds: 1.4 }],
    ['oxidation:1:30d', { flow: 1.14, permeateTds: 1.7 }],
    ['restrictor:0.5:30d', { concentrate: 0.5, flow: 0.97 }],
    ['prefilter:0.3:30d', { pressure: 0.7, flow: 0.68 }],
    ['sediment:0.3:30d', { pressure: 0.7, flow: 0.68 }],
    ['outlet-sensor:0.6:30d', { permeateTds: 1.6, flow: 1, feedTds: 1 }],
    ['inlet-sensor:-0.35:30d', { feedTds: 0.65, permeateTds: 1 }],
    ['flow-sensor:-0.25:30d', { flow: 0.75, permeateTds: 1 }],
    ['feed:0.6:30d', { feedTds: 1.6, permeateTds: 1.7 }],
    ['feed-pressure:0.3:0d', { pressure: 0.7, feedTds: 1 }],
    ['oring:0.03:0d', { flow: 1.03, permeateTds: 1.7 }],
  ] as const)('%s', (fault, expected) => {
    const changed = change(fault)
    for (const [name, factor] of Object.entries(expected)) {
      expect(changed[name as keyof typeof changed] / factor, name).toBeGreaterThan(0.88)
      expect(changed[name as keyof typeof changed] / factor, name).toBeLessThan(1.12)
    }
  })

  test('a counter of litres that is wrong counts less permeate, and its flow stays true', () => {
    const of = (fault?: string) => {
      const unit = idleUnit(fault, noon)
      takeReading(unit)
      draw(unit, 4)
      advance(unit, noon + msPerMinute)
      const { permeate, permeate_flow } = takeReading(unit)
      return permeate / permeate_flow!
    }
    expect(of('litre-counter:-0.25:0d') / of()).toBeCloseTo(0.75, 1)
  })

  test('a failing pump lowers the pressure of a boosted unit, and of no other', () => {
    expect(change('pump:0.5:30d', { boost: 3, pressure: 2.5 }).pressure).toBeCloseTo(4 / 5.5, 1)
    expect(change('pump:0.5:30d').pressure).toBeCloseTo(1, 2)
  })

  test('a leak and a stuck valve let feed water flow at rest, unless the valve is closed', () => {
    const restOf = (fault?: string, differing = {}) => {
      const unit = idleUnit(fault, noon + msPerHour, differing)
      advance(unit, noon + msPerHour)
      expect(takeReading(unit)).toMatchObject({ feed: 0, permeate: 0 })
      advance(unit, noon + 3 * msPerHour)
      const reading = takeReading(unit)
      expect(reading.permeate).toBe(0)
      return reading
    }
    expect(restOf()).toMatchObject({ feed: 0, feed_flow: 0 })
    expect(restOf('leak:0.5').feed).toBeCloseTo(1, 2)
    const stuck = restOf('stuck-valve')
    expect(stuck.feed).toBeGreaterThan(5)
    expect(stuck.feed_flow! / (stuck.feed / 120)).toBeCloseTo(1, 1)
    expect(restOf('stuck-valve', { valve_closed: true })).toMatchObject({ feed: 0, feed_flow: 0 })
  })

  test('the litres at rest do not depend on the number of readings', () => {
    const litres = (steps: number) => {
      const unit = idleUnit('leak:0.6:6h', noon + 90 * msPerMinute)
      let sum = 0
      for (let step = 1; step <= steps; step++) {
        advance(unit, noon + (step / steps) * 12 * msPerHour)
        sum += takeReading(unit).feed
      }
      return sum
    }
    // Six hours of half of it on average, and four and a half of all of it.
    expect(litres(1)).toBeCloseTo(0.3 * 6 + 0.6 * 4.5, 2)
    expect(litres(37)).toBeCloseTo(litres(1), 1)
  })

  test('the readings of a device with a fault are those of the fleet file at the start, and were better before', () => {
    const unit = idleUnit('fouling:0.4:30d', noon - 30 * msPerDay)
    const { flow, concentrate, permeateTds, feedTds } = readingsOfDraw(unit)
    expect(flow / (flow + concentrate)).toBeCloseTo(0.45, 1)
    expect(1 - permeateTds / feedTds).toBeCloseTo(0.95, 1)
    expect(flow / readingsOfDraw(idleUnit('fouling:0.4:30d', noon + msPerDay)).flow).toBeCloseTo(0.63, 1)
  })

  test('an unknown fault is refused', () => {
    expect(() => idleUnit('rust')).toThrow('rust is not a fault such as fouling:0.3:90d')
  })
})

describe('a pump', () => {
  test('raises the pressure while water runs', () => {
    const unit = idleUnit(undefined, noon, { boost: 2.5, pressure: 2.5 })
    expect(takeReading(unit).pressure).toBeCloseTo(2.5, 0)
    expect(readingsOfDraw(unit).pressure).toBeCloseTo(5, 0)
  })
})

describe('a tank', () => {
  const tankUnit = () => idleUnit(undefined, noon, { tank: 12 })
  /** Returns the flows of each reading until the unit rests. */
  function flowsOfRun(unit: Unit): number[] {
    const flows: number[] = []
    for (let step = 0; step < 2000 && statusOf(unit) === 1; step++) {
      flows.push(unit.water.flow.permeate)
      advance(unit, unit.at + msPerMinute)
    }
    return flows
  }

  test('gives a small draw by itself; when it has emptied, the membrane fills it against its pressure', () => {
    const unit = tankUnit()
    draw(unit, 0.3)
    expect(statusOf(unit)).toBe(0)
    draw(unit, 5)
    expect(statusOf(unit)).toBe(1)
    const flows = flowsOfRun(unit)
    expect(statusOf(unit)).toBe(0)
    expect(flows.at(-1)!).toBeLessThan(0.8 * flows[0]!)
    expect(flows).toEqual(flows.toSorted((a, b) => b - a))
    expect(takeReading(unit).permeate).toBeCloseTo(5.3, 1)
  })

  test('shuts off at two thirds of the pressure', () => {
    const unit = tankUnit()
    draw(unit, 5)
    flowsOfRun(unit)
    const pressure = tankPressure(unit.spec.tank!, unit.water.tankLitres)
    expect(pressure / unit.spec.site.mean.pressure).toBeCloseTo(2 / 3, 1)
  })

  test.each([
    ['tank:0.9:0d', 0.77],
    ['waterlogged:0.5:0d', 0.5],
  ])('takes less between opening and closing with %s', (fault, share) => {
    const filled = (unit: Unit) => {
      draw(unit, 5)
      flowsOfRun(unit)
      takeReading(unit)
      // Just so much that it opens again.
      while (statusOf(unit) === 0) draw(unit, 0.02)
      flowsOfRun(unit)
      return takeReading(unit).permeate
    }
    expect(filled(idleUnit(fault, noon, { tank: 12 })) / filled(tankUnit())).toBeCloseTo(share, 1)
  })

  test('goes on filling after it was shut off, at the next draw', () => {
    const unit = tankUnit()
    draw(unit, 5)
    advance(unit, unit.at + msPerMinute)
    applyCommand(unit, { type: 'lock', locked: true })
    expect(statusOf(unit)).toBe(0)
    advance(unit, unit.at + 10 * msPerMinute)
    applyCommand(unit, { type: 'lock', locked: false })
    draw(unit, 0.1)
    flowsOfRun(unit)
    expect(takeReading(unit).permeate).toBeCloseTo(5.1, 1)
  })

  test('produces the same whatever is read in between', () => {
    const life = (steps: number) => {
      const unit = unitLike({ ...still, tank: 12 })
      for (let step = 1; step <= steps; step++) advance(unit, noon + (step / steps) * 5 * msPerDay)
      return takeReading(unit).permeate
    }
    expect(life(1)).toBeGreaterThan(5)
    expect(life(997)).toBeCloseTo(life(1), 2)
  })
})
