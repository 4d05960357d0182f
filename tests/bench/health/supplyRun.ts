/** Runs the devices of one supply day by day, through the methods that are compared. */
import { mediansOf, neighboursOfEach } from '../../../src/domain/health/residuals.ts'
import type { ByChannel } from '../../../src/domain/health/types/channels.ts'
import type { MembranePriors } from '../../../src/domain/health/types/context.ts'
import type { Neighbours, SupplyDay } from '../../../src/domain/health/types/supply.ts'
import { msPerDay } from '../../../src/domain/time.ts'
import type { BenchDevice } from './device.ts'
import { Pipeline, type Method } from './pipeline.ts'
import { replaceDue, simulateDay, waterAt } from './readings.ts'

export interface DayView {
  readonly device: BenchDevice
  readonly index: number
  readonly day: number
  readonly pipeline: Pipeline
  readonly neighbours: ByChannel<Neighbours>
}

/** What a run calls for each method (by its index) after each day. */
export interface Watcher {
  device(view: DayView, method: number): void
  supply?(day: SupplyDay, method: number): void
}

export interface Span {
  /** Milliseconds UTC. */
  readonly start: number
  readonly days: number
}

/** Simulates the days of the devices of a supply. */
export function runSupply(
  devices: readonly BenchDevice[],
  { start, days }: Span,
  methods: readonly Method[],
  priors: (device: BenchDevice) => MembranePriors,
  watcher: Watcher,
): void {
  const waters = devices.map(device => waterAt(device, start))
  const pipelines = methods.map(method => devices.map(device => new Pipeline(device, method, priors(device))))
  const first = Math.floor(start / msPerDay)
  for (let day = first; day < first + days; day++) {
    const replaced = devices.map((device, index) => replaceDue(device, waters[index]!, day * msPerDay))
    for (const [index, device] of devices.entries())
      simulateDay(device, waters[index]!, day, {
        reading: reading => pipelines.forEach(of => of[index]!.reading(reading)),
        rest: (at, litres, seconds) => pipelines.forEach(of => of[index]!.rest(at, litres, seconds)),
      })
    for (const [number, of] of pipelines.entries()) {
      const residuals = of.map(pipeline => pipeline.residuals(day))
      const others = neighboursOfEach(residuals)
      watcher.supply?.({ day, medians: mediansOf(residuals) }, number)
      for (const [index, pipeline] of of.entries()) {
        const neighbours = others[index]!
        pipeline.step(day, neighbours, replaced[index]!)
        watcher.device({ device: devices[index]!, index, day, pipeline, neighbours }, number)
      }
    }
  }
}
