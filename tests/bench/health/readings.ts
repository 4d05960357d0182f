/** Readings of a device of the labelled fleet: only those while permeate flows, and what flows at rest by the hour. */
import type { HealthReading } from '../../../src/domain/health/types.ts'
import { msPerDay, msPerHour, msPerMinute, msPerSecond, msPerYear } from '../../../src/domain/time.ts'
import { isCutOff, isUnplugged } from '../../../simulator/model/absence.ts'
import { creepAfterDraw, creepAfterFlush, creepAfterIdle } from '../../../simulator/model/creep.ts'
import type { Flow } from '../../../simulator/model/element.ts'
import { flowOf } from '../../../simulator/model/membrane.ts'
import { random, type Random } from '../../../simulator/model/random.ts'
import { measured, measuredTemperature } from '../../../simulator/model/sensors.ts'
import { effectsOf, noEffects, type Effects } from '../../../simulator/model/slowFaults.ts'
import { suppliedWater } from '../../../simulator/model/supplies.ts'
import { nextDraw, randomDrawLitres } from '../../../simulator/model/usage.ts'
import type { BenchDevice } from './device.ts'

/** Where the water of a device stands between two days. */
export interface WaterState {
  readonly rng: Random
  /** When the next draw begins, and when the last one ended: milliseconds UTC. */
  next: number
  ended: number
  creep: number
  concentrate: number
  draws: number
  /** Litres of feed through the pre-filter so far. */
  filtered: number
}

export function waterAt(device: BenchDevice, start: number): WaterState {
  const rng = random(device.seed ^ 0x5bd1e995)
  return {
    rng,
    next: nextDraw(device.usage, start, rng),
    ended: start,
    creep: 0,
    concentrate: device.site.mean.tds,
    draws: 0,
    filtered: 0,
  }
}

/** Share of the pressure that a worn pre-filter takes (simulator/model/cartridges.ts). */
const wornPressureDrop = 0.1
const flushSeconds = 18
const milli = (litres: number) => Math.floor(litres * 1000) / 1000
const hundredth = (value: number) => Math.round(value * 100) / 100
const tenth = (value: number) => Math.round(value * 10) / 10

/** Returns how far the pre-filter is used up, by time or by litres. */
function wearOf({ cartridges: [filter] }: BenchDevice, { filtered }: WaterState, at: number): number {
  return Math.max(0, filtered / filter!.resource, (at - filter!.installed_at) / (filter!.ttl * msPerDay))
}

/** Replaces a pre-filter that is due, and returns the positions of what was replaced. */
export function replaceDue(device: BenchDevice, water: WaterState, at: number): number[] {
  const serviced = device.serviced.includes(Math.floor(at / msPerDay)) ? [2] : []
  if (wearOf(device, water, at) < device.replacedAt) return serviced
  water.filtered = 0
  device.cartridges = device.cartridges.map(one => (one.position === 0 ? { ...one, installed_at: at } : one))
  return [0, ...serviced]
}

/** What the bench does with the readings of a day. */
export interface Sink {
  reading(reading: HealthReading): void
  /** Feed litres at rest in an hour, and the seconds of readings that had some. */
  rest(at: number, litres: number, seconds: number): void
}

/** Simulates the draws of a local day (number since 1970), and gives its readings to the sink. */
export function simulateDay(device: BenchDevice, water: WaterState, day: number, sink: Sink): void {
  const from = day * msPerDay - device.usage.utcOffset
  const to = from + msPerDay
  const effects = device.faults.length === 0 ? noEffects : effectsOf(device.faults, from + msPerDay / 2)
  while (water.next < to) {
    const at = water.next
    if (!isUnplugged(device.seed, at)) drawOnce(device, water, at, effects, sink)
    water.next = nextDraw(device.usage, Math.max(at, water.ended), water.rng)
  }
  restOf(device, from, effects, sink)
}

/** Simulates one draw and its readings. */
function drawOnce(device: BenchDevice, water: WaterState, at: number, effects: Effects, sink: Sink): void {
  const { site, membrane, bypass, seed } = device
  const feed = suppliedWater(site, at, effects)
  const remaining = effects.prefilter * (1 - wornPressureDrop * Math.min(1.5, wearOf(device, water, at)) ** 2)
  const pressure = feed.pressure * remaining + device.boost * effects.pump
  const flow = flowOf(
    membrane,
    { ...feed, pressure },
    { years: (at - device.installed) / msPerYear, blend: () => bypass, condition: effects },
  )
  if (flow.permeate <= 0) return
  water.creep = creepAfterIdle(water.creep, water.concentrate, feed.tds, at - water.ended)
  const start = { creep: water.creep * effects.creep, at }
  const litres = randomDrawLitres(device.usage, water.rng)
  const seconds = (litres / flow.permeate) * 60
  const end = at + seconds * msPerSecond
  const resting = hundredth(measured(seed, 'pressure', feed.pressure, at - 10_000))
  readingsOf(
    device,
    { flow, start, end, effects, pressure, temperature: feed.temperature, tds: feed.tds, resting },
    sink,
  )
  water.filtered += (flow.feed * seconds) / 60
  water.creep = creepAfterDraw(water.creep, seconds)
  water.concentrate = flow.concentrateTds
  water.ended = end
  water.draws++
  if (device.flushEvery > 0 && water.draws >= device.flushEvery) {
    water.draws = 0
    water.creep = creepAfterFlush(water.creep, flushSeconds)
    water.concentrate = feed.tds
  }
}

interface Draw {
  readonly flow: Flow
  readonly start: { readonly creep: number; readonly at: number }
  readonly end: number
  readonly effects: Effects
  readonly pressure: number
  readonly temperature: number
  readonly tds: number
  readonly resting: number
}

/** Gives the readings within a draw to the sink: at the device's interval, and one at its end. */
function readingsOf(device: BenchDevice, draw: Draw, sink: Sink): void {
  const step = device.interval * msPerSecond
  const offset = device.phase * step
  const { at: start } = draw.start
  let last = Math.floor((start - offset) / step) * step + offset
  for (let at = last + step; ; at += step) {
    const isLast = at >= draw.end
    const time = isLast ? draw.end : at
    // A second before the end: then the flow is still there.
    readingAt(device, draw, isLast ? time - msPerSecond : time, Math.max(last, 0), sink)
    if (isLast) return
    last = at
  }
}

function readingAt(device: BenchDevice, draw: Draw, at: number, last: number, sink: Sink): void {
  const { seed } = device
  const { flow, effects, start } = draw
  const run = (at - start.at) / msPerSecond
  if (run <= 1) return
  const flowed = (at - Math.max(last, start.at)) / msPerSecond
  const errors = effects.sensors
  sink.reading({
    at,
    run,
    elapsed: (at - last) / msPerSecond,
    feed: milli((flow.feed * flowed) / 60),
    permeate: milli((flow.permeate * flowed) / 60),
    feed_flow: hundredth(measured(seed, 'feedFlow', flow.feed, at, errors.feedFlow)),
    permeate_flow: hundredth(measured(seed, 'permeateFlow', flow.permeate, at, errors.permeateFlow)),
    feed_tds: Math.round(measured(seed, 'feedTds', draw.tds, at, errors.feedTds)),
    permeate_tds: tenth(
      measured(seed, 'permeateTds', flow.permeateTds + creepAfterDraw(start.creep, run), at, errors.permeateTds),
    ),
    pressure: hundredth(measured(seed, 'pressure', draw.pressure, at)),
    temperature: tenth(measuredTemperature(seed, draw.temperature, at)),
    resting: draw.resting,
  })
}

/** Gives the hours of a day in which feed flows at rest: leaks, a stuck valve, and flushes of idle protection. */
function restOf(device: BenchDevice, from: number, effects: Effects, sink: Sink): void {
  const concentrate = effects.restConcentrate * device.membrane.restrictor * 2 * 60
  const flow = effects.restLeak + concentrate
  const flushes = device.idleProtection > 0 ? 60 / device.idleProtection : 0
  if (flow === 0 && flushes === 0) return
  for (let hour = 0; hour < 24; hour++) {
    const at = from + hour * msPerHour
    if (isUnplugged(device.seed, at) || isCutOff(device.seed, at)) continue
    if (flow > 0) sink.rest(at + 30 * msPerMinute, flow * 0.9, 3240)
    else sink.rest(at + 30 * msPerMinute, flushes * 0.4, flushes * device.interval)
  }
}
