/** One device as the server sees it: readings to sums to state, by one of the methods that are compared. */
import { hasTank } from '../../../src/domain/health/channelState.ts'
import { addRest, addToRun, emptySums, type RestHour, type Trace } from '../../../src/domain/health/daySums.ts'
import { chainRun, observe, type Run } from '../../../src/domain/health/observe.ts'
import { dayResiduals } from '../../../src/domain/health/residuals.ts'
import { levelsOf, stepDay } from '../../../src/domain/health/stepDay.ts'
import type { ByChannel } from '../../../src/domain/health/types/channels.ts'
import type { HealthContext, MembranePriors } from '../../../src/domain/health/types/context.ts'
import type {
  DaySums,
  DeviceConstants,
  HealthReading,
  Observation,
} from '../../../src/domain/health/types/observations.ts'
import type { HealthState } from '../../../src/domain/health/types/state.ts'
import type { Neighbours } from '../../../src/domain/health/types/supply.ts'
import { msPerDay } from '../../../src/domain/time.ts'
import type { BenchDevice } from './device.ts'
import type { Sink } from './readings.ts'

export type Observe = (reading: HealthReading, device: DeviceConstants) => Observation | undefined

/** A method of detection: how readings are observed, and whether neighbours and types are known. */
export interface Method {
  readonly observe: Observe
  readonly isRaw: boolean
}

/** Flow, salt passage and concentrate flow as they are measured. */
export function observeRaw(reading: HealthReading, device: DeviceConstants): Observation | undefined {
  const full = observe(reading, { ...device, levels: {} })
  if (full === undefined) return undefined
  const { feed_flow, permeate_flow, feed_tds, permeate_tds, pressure } = reading
  const values: Observation['values'] = {}
  values.a = Math.log(permeate_flow!)
  if (feed_flow! > permeate_flow!) values.r = Math.log(feed_flow! - permeate_flow!)
  if (feed_tds! > 0 && permeate_tds! > 0) {
    values.f = Math.log(feed_tds!)
    const passage = Math.log(permeate_tds! / feed_tds!)
    if (reading.run >= 120) values.b = passage
    else if (reading.run >= 20) values.brief = passage
  }
  // The pressure while water runs: as a ratio, to 1 bar.
  if (pressure! > 0) Object.assign(values, { h: Math.log(pressure!), p: 0 })
  for (const channel of ['a', 'b', 'brief', 'r', 'f', 'h'] as const) {
    const level = device.levels[channel]
    const value = values[channel]
    if (level !== undefined && value !== undefined)
      values[channel] = Math.min(level + 0.3, Math.max(level - 0.3, value))
  }
  return { ...full, values }
}

export const standardised: Method = { observe, isRaw: false }
export const raw: Method = { observe: observeRaw, isRaw: true }

/** Priors without knowledge of the type. */
export const unknownType: MembranePriors = { flow_a_year: 0, salt_a_year: 0, spread: 0.08, water_k: 0, salt_k: 0 }

export class Pipeline implements Sink {
  state: HealthState | undefined
  sums: DaySums = emptySums()
  /** Sums of the last ended day. */
  ended: DaySums = this.sums
  private run: Run | undefined
  private trace: Trace | undefined
  private readonly hour: RestHour = { hour: 0, litres: 0, seconds: 0 }
  private constants: DeviceConstants
  readonly isRaw: boolean
  private readonly device: BenchDevice
  private readonly method: Method
  private readonly priors: MembranePriors

  constructor(device: BenchDevice, method: Method, priors: MembranePriors) {
    this.device = device
    this.method = method
    this.isRaw = method.isRaw
    this.priors = method.isRaw ? unknownType : priors
    this.constants = { bypass: device.bypass, tank: false, levels: {} }
  }

  reading(reading: HealthReading): void {
    const { at, elapsed, permeate, permeate_flow } = reading
    const previous = this.run !== undefined && Math.abs(at - elapsed * 1000 - this.run.at) < 1500 ? this.run : undefined
    const run = permeate_flow! > 0 ? chainRun({ at, permeate, permeate_flow: permeate_flow! }, previous, elapsed) : 0
    this.run = { at, seconds: run }
    const observation = this.method.observe({ ...reading, run }, this.constants)
    if (observation !== undefined) this.trace = addToRun(this.sums, observation, this.trace, this.constants)
  }

  rest(at: number, litres: number, seconds: number): void {
    addRest(this.sums, this.hour, at, litres, seconds)
  }

  residuals(day: number): ByChannel<number> {
    return this.state === undefined ? {} : dayResiduals(this.state, this.sums, this.priors, day)
  }

  context(day: number, neighbours: ByChannel<Neighbours>, replaced: readonly number[] = []): HealthContext {
    return {
      day,
      neighbours: this.method.isRaw ? {} : neighbours,
      priors: this.priors,
      cartridges: this.device.cartridges,
      boosted: this.device.boost > 0,
      ...(this.device.isWaterKnown && { langelier: this.device.langelier }),
      replaced: replaced.map(position => ({ position, day })),
      bypass: 0,
      bypass_share: this.device.bypass,
    }
  }

  /** Ends the day. */
  step(day: number, neighbours: ByChannel<Neighbours>, replaced: readonly number[]): void {
    addRest(this.sums, this.hour, (day + 1) * msPerDay, 0, 0)
    this.state = stepDay(this.state, this.sums, this.context(day, neighbours, replaced))
    this.ended = this.sums
    this.sums = emptySums()
    this.constants = { ...this.constants, levels: levelsOf(this.state), tank: hasTank(this.state) }
  }
}
