/** What the method costs: processor time of a reading and of a device-day. */
import { assess } from '../../../src/domain/health/assess.ts'
import { addToRun, emptySums, type Trace } from '../../../src/domain/health/daySums.ts'
import { observe } from '../../../src/domain/health/observe.ts'
import { stepDay } from '../../../src/domain/health/stepDay.ts'
import type { HealthContext, MembranePriors } from '../../../src/domain/health/types/context.ts'
import type { DaySums, HealthReading } from '../../../src/domain/health/types/observations.ts'
import type { HealthState } from '../../../src/domain/health/types/state.ts'
import { msPerDay } from '../../../src/domain/time.ts'
import { standardised } from './pipeline.ts'
import { simulateDay, waterAt } from './readings.ts'
import { benchSupply } from './supplyFleet.ts'
import { runSupply } from './supplyRun.ts'

export interface Cost {
  /** Microseconds. */
  readonly reading: number
  readonly day: number
  /** Bytes of a device's state as JSON. */
  readonly state: number
}

const rounds = 5
const micro = (run: () => number): number => {
  const best = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage()
    const count = run()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / count
  })
  return Math.min(...best)
}

/** Returns the cost on a supply of this seed, with every reading that its devices would send. */
export function measureCost(seed: number, types: readonly MembranePriors[]): Cost {
  return { reading: readingCost(seed), ...dayCost(seed, types) }
}

function readingCost(seed: number): number {
  const { devices, start } = benchSupply(seed, 'cost', 20)
  const readings: HealthReading[] = []
  const days = 10
  const first = Math.floor(start / msPerDay) + 1
  for (const device of devices) {
    const water = waterAt(device, start)
    for (let day = first; day < first + days; day++) {
      const producing: HealthReading[] = []
      simulateDay(device, water, day, { reading: reading => producing.push(reading), rest() {} })
      readings.push(...producing)
      const [example] = producing
      if (example === undefined) continue
      const idle = { ...example, feed: 0, permeate: 0, feed_flow: 0, permeate_flow: 0, run: 0 }
      const count = 86_400 / device.interval - producing.length
      for (let number = 0; number < count; number++) readings.push(idle)
    }
  }
  const constants = {
    bypass: 0.01,
    tank: false,
    levels: { a: -1.2, b: -3, r: -0.5, f: 5.8, h: 0, p: 1.4 },
  }
  return micro(() => {
    const sums = emptySums()
    let trace: Trace | undefined
    for (const reading of readings) {
      const observation = observe(reading, constants)
      if (observation !== undefined) trace = addToRun(sums, observation, trace, constants)
    }
    return readings.length
  })
}

function dayCost(seed: number, types: readonly MembranePriors[]): Pick<Cost, 'day' | 'state'> {
  const { devices, start } = benchSupply(seed, 'cost', 20)
  for (const [index, device] of devices.entries())
    if (index % 20 === 0)
      device.faults = [{ kind: 'fouling', size: 0.3, ramp: 90 * msPerDay, began: start + 60 * msPerDay, seed: 1 }]
  const steps: { index: number; sums: DaySums; context: HealthContext }[] = []
  runSupply(devices, { start, days: 150 }, [standardised], device => types[device.type]!, {
    device({ index, day, pipeline, neighbours }) {
      steps.push({ index, sums: pipeline.ended, context: pipeline.context(day, neighbours) })
    },
  })
  let last: (HealthState | undefined)[] = []
  const day = micro(() => {
    last = devices.map(() => undefined)
    for (const { index, sums, context } of steps) {
      const state = stepDay(last[index], sums, context)
      last[index] = state
      assess(state, context)
    }
    return steps.length
  })
  return { day, state: JSON.stringify(last[0]).length }
}
