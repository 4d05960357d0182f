/** Readings of a device of the labelled fleet: only those while permeate flows, and what flows at rest by the hour. */
import type { HealthReading } from '../../../src/domain/health/types/observations.ts'
import { msPerDay, msPerHour, msPerMinute, msPerSecond, msPerYear } from '../../../src/domain/time.ts'
import { isCutOff, isUnplugged } from '../../../simulator/model/absence.ts'
import { creepAfterDraw, creepAfterFlush, creepAfterIdle } from '../../../simulator/model/creep.ts'
import type { ElementWater, Flow } from '../../../simulator/model/element.ts'
import { flowOf } from '../../../simulator/model/membrane.ts'
import { random, type Random } from '../../../simulator/model/random.ts'
import { calibration, measured, measuredTemperature } from '../../../simulator/model/sensors.ts'
import { effectsOf, noEffects, type Effects } from '../../../simulator/model/slowFaults.ts'
import { suppliedWater } from '../../../simulator/model/supplies.ts'
import { litresAt, shutOff, tankPressure, worn, type Tank } from '../../../simulator/model/tank.ts'
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
  /** Litres in its tank; more than it can hold count as full. */
  tankLitres: number
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
    tankLitres: Infinity,
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

/** Simulates one draw and its readings. With a tank the water comes from there, and the membrane fills it again. */
function drawOnce(device: BenchDevice, water: WaterState, at: number, effects: Effects, sink: Sink): void {
  const { site, membrane, bypass } = device
  const feed = suppliedWater(site, at, effects)
  const remaining = effects.prefilter * (1 - wornPressureDrop * Math.min(1.5, wearOf(device, water, at)) ** 2)
  const pressure = feed.pressure * remaining + device.boost * effects.pump
  const flowAgainst = (permeatePressure: number) =>
    flowOf(
      membrane,
      { ...feed, pressure, permeatePressure },
      { years: (at - device.installed) / msPerYear, blend: () => bypass, condition: effects },
    )
  const litres = randomDrawLitres(device.usage, water.rng)
  const draw = drawAt(device, water, at, { ...feed, pressure }, effects)
  const last = device.tank
    ? fillTank(device, water, worn(device.tank, effects), litres, draw, flowAgainst, sink)
    : drawDirectly(device, litres, draw, flowAgainst(0), sink)
  if (last === undefined) return
  const seconds = (last.end - at) / msPerSecond
  water.filtered += last.feed
  water.creep = creepAfterDraw(water.creep, seconds)
  water.concentrate = last.flow.concentrateTds
  water.ended = last.end
  water.draws++
  if (device.flushEvery > 0 && water.draws >= device.flushEvery) {
    water.draws = 0
    water.creep = creepAfterFlush(water.creep, flushSeconds)
    water.concentrate = feed.tds
  }
}

/** A run of the membrane: what does not change in it. */
interface Draw {
  readonly start: { readonly creep: number; readonly at: number }
  readonly effects: Effects
  readonly water: ElementWater
  /** bar, as measured. */
  readonly resting: number
}

function drawAt(device: BenchDevice, water: WaterState, at: number, feed: ElementWater, effects: Effects): Draw {
  water.creep = creepAfterIdle(water.creep, water.concentrate, feed.tds, at - water.ended)
  const { pressure } = suppliedWater(device.site, at, effects)
  return {
    start: { creep: water.creep * effects.creep, at },
    effects,
    water: feed,
    resting: hundredth(measured(device.seed, 'pressure', pressure, at - 10_000)),
  }
}

/** How a run has ended: when (milliseconds UTC), with which flow, and after which litres of feed. */
interface Ended {
  readonly end: number
  readonly flow: Flow
  readonly feed: number
}

/** Lets a run's flow into the open tap, with a reading at the device's interval and one at the end. */
function drawDirectly(device: BenchDevice, litres: number, draw: Draw, flow: Flow, sink: Sink): Ended | undefined {
  if (flow.permeate <= 0) return undefined
  const { at: start } = draw.start
  const end = start + (litres / flow.permeate) * msPerMinute
  let last = readingBefore(device, start)
  for (let at = last + device.interval * msPerSecond; ; at += device.interval * msPerSecond) {
    // A second before the end: then the flow is still there.
    const readAt = at >= end ? end - msPerSecond : at
    const minutes = (readAt - Math.max(last, start)) / msPerMinute
    readingAt(device, draw, flow, readAt, Math.max(last, 0), minutes * flow.feed, minutes * flow.permeate, sink)
    if (at >= end) return { end, flow, feed: (flow.feed * (end - start)) / msPerMinute }
    last = at
  }
}

/** Returns the time of a device's last reading before a time. */
function readingBefore({ interval, phase }: BenchDevice, at: number): number {
  const step = interval * msPerSecond
  return Math.floor((at - phase * step) / step) * step + phase * step
}

/** Milliseconds after which the flow into a filling tank is computed anew. */
const tankStep = msPerMinute
/** A tank counts as full when the membrane passes less than this share of what it would into an open tap. */
const minFillingShare = 0.05

/** Takes litres from a tank, and fills it if its pressure has fallen so far; further draws may come while it fills. */
function fillTank(
  device: BenchDevice,
  water: WaterState,
  tank: Tank,
  litres: number,
  draw: Draw,
  flowAgainst: (pressure: number) => Flow,
  sink: Sink,
): Ended | undefined {
  const { pressure } = draw.water
  const full = litresAt(tank, shutOff.closes * pressure)
  water.tankLitres = Math.max(0, Math.min(full, water.tankLitres) - litres)
  if (water.tankLitres >= litresAt(tank, shutOff.opens * pressure)) return undefined
  const { at: start } = draw.start
  const step = device.interval * msPerSecond
  let last = readingBefore(device, start)
  let [now, feed, permeate, total] = [start, 0, 0, 0]
  let flow = flowAgainst(0)
  const minFlow = minFillingShare * flow.permeate
  const read = (at: number) => readingAt(device, draw, flow, at, Math.max(last, 0), feed, permeate, sink)
  for (;;) {
    flow = flowAgainst(Math.max(0, tankPressure(tank, water.tankLitres)))
    const left = full - water.tankLitres
    if (!(flow.permeate > minFlow)) break
    const next = Math.min(
      now + tankStep,
      last + step,
      Math.max(now, water.next),
      now + (left / flow.permeate) * msPerMinute,
    )
    const minutes = (next - now) / msPerMinute
    feed += flow.feed * minutes
    permeate += flow.permeate * minutes
    total += flow.feed * minutes
    water.tankLitres += flow.permeate * minutes
    now = next
    if (water.tankLitres >= full - 1e-6) break
    if (now >= last + step) {
      read(now)
      last += step
      feed = permeate = 0
    }
    if (now >= water.next) {
      water.tankLitres = Math.max(0, water.tankLitres - randomDrawLitres(device.usage, water.rng))
      water.next = nextDraw(device.usage, now, water.rng)
    }
  }
  read(now - msPerSecond)
  return { end: now, flow, feed: total }
}

function readingAt(
  device: BenchDevice,
  { effects, start, water, resting }: Draw,
  flow: Flow,
  at: number,
  last: number,
  feed: number,
  permeate: number,
  sink: Sink,
): void {
  const { seed } = device
  const run = (at - start.at) / msPerSecond
  if (run <= 1) return
  const errors = effects.sensors
  sink.reading({
    at,
    run,
    elapsed: (at - last) / msPerSecond,
    feed: milli(feed),
    permeate: milli(permeate * calibration(seed, 'permeateCounter', at) * errors.permeateCounter),
    feed_flow: hundredth(measured(seed, 'feedFlow', flow.feed, at, errors.feedFlow)),
    permeate_flow: hundredth(measured(seed, 'permeateFlow', flow.permeate, at, errors.permeateFlow)),
    feed_tds: Math.round(measured(seed, 'feedTds', water.tds, at, errors.feedTds)),
    permeate_tds: tenth(
      measured(seed, 'permeateTds', flow.permeateTds + creepAfterDraw(start.creep, run), at, errors.permeateTds),
    ),
    pressure: hundredth(measured(seed, 'pressure', water.pressure, at)),
    temperature: tenth(measuredTemperature(seed, water.temperature, at)),
    resting,
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
