/** Runs the devices of one supply day by day, through one method. */
import { neighboursOf } from '../../../src/domain/health/residuals.ts'
import { channels, type ByChannel, type MembranePriors, type Neighbours } from '../../../src/domain/health/types.ts'
import type { BenchDevice } from './device.ts'
import { Pipeline, type Method } from './pipeline.ts'
import { simulateDay, waterAt } from './readings.ts'
import { msPerDay } from '../../../src/domain/time.ts'

export interface DayView {
  readonly device: BenchDevice
  readonly index: number
  readonly day: number
  readonly pipeline: Pipeline
  readonly neighbours: ByChannel<Neighbours>
}

/** Simulates the days, and shows each device's state after each of them for each method. */
export function runSupply(
  devices: readonly BenchDevice[],
  { start, days }: { readonly start: number; readonly days: number },
  methods: readonly Method[],
  priors: (device: BenchDevice) => MembranePriors,
  show: (view: DayView, method: number) => void,
): void {
  const waters = devices.map(device => waterAt(device, start))
  const pipelines = methods.map(method => devices.map(device => new Pipeline(device, method, priors(device))))
  const first = Math.floor(start / msPerDay)
  for (let day = first; day < first + days; day++) {
    for (const [index, device] of devices.entries())
      simulateDay(device, waters[index]!, day, {
        reading: reading => pipelines.forEach(of => of[index]!.reading(reading)),
        rest: (at, litres, seconds) => pipelines.forEach(of => of[index]!.rest(at, litres, seconds)),
      })
    for (const [number, of] of pipelines.entries()) {
      const residuals = of.map(pipeline => pipeline.residuals(day))
      const columns = Object.fromEntries(channels.map(channel => [channel, residuals.map(one => one[channel])]))
      for (const [index, pipeline] of of.entries()) {
        const neighbours: ByChannel<Neighbours> = {}
        for (const channel of channels) {
          const found = neighboursOf(columns[channel]!, index)
          if (found !== undefined) neighbours[channel] = found
        }
        pipeline.step(day, neighbours)
        show({ device: devices[index]!, index, day, pipeline, neighbours }, number)
      }
    }
  }
}
