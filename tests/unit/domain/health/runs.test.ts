/** What the readings of a run tell together: of a tank that is filled, and of the counter of litres. */
import { describe, expect, test } from 'vitest'
import { addToRun, emptySums, endRun, type Trace } from '../../../../src/domain/health/daySums.ts'
import { airOf } from '../../../../src/domain/health/maths/tank.ts'
import { chainRun, observe, type Run } from '../../../../src/domain/health/observe.ts'
import { signaturesAt, vectorChannels } from '../../../../src/domain/health/signatures.ts'
import type { DaySums, DeviceConstants, HealthReading } from '../../../../src/domain/health/types/observations.ts'
import { solveElement } from '../../../../simulator/model/element.ts'
import { litresAt, shutOff, tankPressure, worn, type Tank } from '../../../../simulator/model/tank.ts'

const plain: DeviceConstants = { bypass: 0, tank: false, levels: {} }
const spec = {
  waterPermeability: 0.12,
  saltPermeability: 0.012,
  waterCoefficient: 3020,
  saltCoefficient: 3100,
  restrictor: 0.3,
  drop: 0.05,
  polarisation: 0.7,
}
const condition = { waterPermeability: 1, saltPermeability: 1, restrictor: 1 }
const feed = { pressure: 4, tds: 300, temperature: 15 }
const seconds = 30

/** Returns the reading of a flow that has lasted so long. */
function readingOf(run: number, permeatePressure = 0, litres?: number): HealthReading {
  const flow = solveElement(spec, condition, { ...feed, permeatePressure })
  return {
    at: run * 1000,
    feed: (flow.feed * seconds) / 60,
    permeate: litres ?? (flow.permeate * seconds) / 60,
    feed_flow: flow.feed,
    permeate_flow: flow.permeate,
    feed_tds: feed.tds,
    permeate_tds: flow.permeateTds,
    pressure: feed.pressure,
    temperature: feed.temperature,
    run,
    elapsed: seconds,
    resting: 4,
  }
}

/** Adds the readings of a run to the sums of a day. */
function addRun(sums: DaySums, readings: readonly HealthReading[], device = plain): void {
  let trace: Trace | undefined
  for (const reading of readings) trace = addToRun(sums, observe(reading, device)!, trace, device)
  endRun(sums, trace, device)
}

/** Returns the readings of a run that fills a tank after a draw. */
function filling(tank: Tank, draw: number): HealthReading[] {
  const full = litresAt(tank, shutOff.closes * feed.pressure)
  const readings: HealthReading[] = []
  let litres = full - draw
  for (let run = seconds; litres < full; run += seconds) {
    const reading = readingOf(run, Math.max(0, tankPressure(tank, litres)))
    readings.push(reading)
    litres += reading.permeate
  }
  return readings
}

const tank: Tank = { volume: 12, precharge: 0.4 }
const sound = Math.log(12 * 1.4)

/** Returns the air of a tank by four runs after draws of different sizes. */
function airIn(what: Tank): number | undefined {
  const sums = emptySums()
  for (const draw of [1.2, 1.4, 1.6, 1.8]) addRun(sums, filling(what, draw))
  return airOf(sums)
}

describe('a tank', () => {
  test('has as much air as its runs tell, whatever was drawn', () => {
    expect(Math.abs(airIn(tank)! - sound)).toBeLessThan(0.1)
    for (const draw of [1.2, 3]) {
      const sums = emptySums()
      for (let run = 0; run < 3; run++) addRun(sums, filling(tank, draw))
      expect(Math.abs(airOf(sums)! - airIn(tank)!)).toBeLessThan(0.08)
    }
  })

  test('has less without its precharge, and with water in its air', () => {
    const change = (left: { precharge: number; tankAir: number }) => airIn(worn(tank, left))! - airIn(tank)!
    expect(change({ precharge: 0, tankAir: 1 })).toBeCloseTo(Math.log(1 / 1.4), 1)
    expect(Math.abs(change({ precharge: 1, tankAir: 0.5 }) - Math.log(0.5))).toBeLessThan(0.12)
  })

  test('that is known lets standard flow be that into an open tap, at the end of each run', () => {
    const sums = emptySums()
    const known = { ...plain, tank: true }
    addRun(sums, filling(tank, 2), known)
    expect(sums.channels.a!.n).toBe(1)
    const open = observe(readingOf(60), plain)!.values.a!
    expect(sums.channels.a!.sum).toBeCloseTo(open, 1)
  })

  test('is not seen in a device without one, nor in a single reading', () => {
    const sums = emptySums()
    addRun(
      sums,
      [30, 60, 90, 120].map(run => readingOf(run)),
    )
    addRun(sums, [readingOf(30, 2)])
    expect(sums).toMatchObject({ tank_runs: 0, tank_litres: 0, tank_relief: 0 })
    expect(airOf(sums)).toBeUndefined()
  })

  test('from which water is taken while it fills counts from then on', () => {
    const sums = emptySums()
    const [again, ...rest] = filling(tank, 2)
    const before = filling(tank, 1.5).slice(0, 4)
    const later = [again!, ...rest].map(reading => ({ ...reading, run: reading.run + before.length * seconds }))
    addRun(sums, [...before, ...later])
    expect(sums.tank_runs).toBe(1)
    expect(Math.abs(airOf(sums)! - sound)).toBeLessThan(0.2)
  })
})

describe('the counter of litres', () => {
  const ratio = (factor: number) => {
    const sums = emptySums()
    const { permeate } = readingOf(30)
    addRun(
      sums,
      [30, 60, 90].map(run => readingOf(run, 0, permeate * factor)),
    )
    return sums.metered / sums.integrated
  }

  test('is compared with the flow between two readings of a run', () => {
    expect(ratio(1)).toBeCloseTo(1)
    expect(ratio(0.8)).toBeCloseTo(0.8)
  })

  test('that counts a quarter less does not interrupt runs', () => {
    let run: Run | undefined
    for (let at = 30_000; at <= 120_000; at += 30_000) {
      const reading = { at, permeate: 0.75 * 0.25, permeate_flow: 0.5 }
      run = { at, seconds: chainRun(reading, run ?? { at: 0, seconds: 0 }, 30) }
    }
    expect(run!.seconds).toBe(120)
  })

  test('is the same in a tank that fills: between two readings the flow is their mean', () => {
    const sums = emptySums()
    addRun(sums, filling(tank, 3))
    expect(sums.metered / sums.integrated).toBeCloseTo(1, 1)
  })
})

test.each([0.2, 0.4, 0.6])(
  'a flow sensor does to the channels what its signature says, at a recovery of %d',
  recovery => {
    const permeate = 0.5
    const reading = { ...readingOf(150), feed_flow: permeate / recovery, permeate_flow: permeate, permeate_tds: 15 }
    const error = 0.01
    const before = observe(reading, plain)!.values
    const after = observe({ ...reading, permeate_flow: permeate * Math.exp(error) }, plain)!.values
    const [signature] = signaturesAt(recovery).filter(({ cause }) => cause === 'flow_sensor')
    for (const channel of ['a', 'b', 'r', 'f'] as const) {
      const expected = signature!.ratios[vectorChannels.indexOf(channel)]!
      expect(Math.abs((after[channel]! - before[channel]!) / error - expected), channel).toBeLessThan(0.12)
    }
  },
)
