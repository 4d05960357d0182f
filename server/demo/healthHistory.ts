/** Generates the days of health of a demo device: what ingest would have stored of its simulated readings. */
import type { DeviceDescription } from '../../simulator/model/fleet.ts'
import { pastReadings } from '../../simulator/model/pastReadings.ts'
import { addRest, addToRun, endRun, emptySums, type RestHour, type Trace } from '../../src/domain/health/daySums.ts'
import { observe } from '../../src/domain/health/observe.ts'
import type { DaySums } from '../../src/domain/health/types/observations.ts'
import { bypassShare } from '../../src/domain/ro.ts'
import { msPerDay, msPerSecond } from '../../src/domain/time.ts'
import { wallTime } from '../../src/domain/zone.ts'
import { usualFlow } from '../devices/health/steppingDevice.ts'
import type { DayEnd, PastDevice } from './pastDevice.ts'
import { unitAt, type Span } from './simulateHistory.ts'

/** Days before the end for which health is generated: enough for a baseline before each trouble of the demo. */
const healthLength = 200 * msPerDay
/** Milliseconds between two readings of a draw. */
const interval = 30 * msPerSecond

/** Returns what readings would have shown about a device's health until now. */
export function healthHistory(device: DeviceDescription, seed: number, { from, to }: Span, now: number): PastDevice {
  const start = Math.max(from, now - healthLength)
  const zone = device.time_zone ?? 'UTC'
  const bypassRate = device.bypass_rates?.[device.bypass.state] ?? 0
  const plumbing = { levels: {}, tank: (device.tank ?? 0) > 0, bypass: 0 }
  const byDay = new Map<number, DaySums>()
  const hour: RestHour = { hour: 0, litres: 0, seconds: 0 }
  let resting: number | null = null
  let trace: Trace | undefined
  let offset = 0
  let utcDay = -1
  const unit = unitAt(device, seed, start, now)
  const ends = new Map<number, DayEnd>()
  for (const { reading, at, phase, run, elapsed } of pastReadings(unit, to, interval)) {
    if (Math.floor(at / msPerDay) !== utcDay) {
      utcDay = Math.floor(at / msPerDay)
      offset = wallTime(zone, at) - at
    }
    const day = Math.floor((at + offset) / msPerDay)
    const sums = byDay.get(day) ?? emptySums()
    byDay.set(day, sums)
    ends.set(day, { counters: { ...unit.flashMemory.counters }, cartridges: unit.flashMemory.cartridges })
    if (phase === 'idle') {
      resting = reading.pressure
      endRun(sums, trace, plumbing)
      trace = undefined
      addRest(sums, hour, at, reading.feed, elapsed)
      continue
    }
    const bypass = bypassShare(bypassRate, reading.permeate_flow ?? 0)
    const constants = { ...plumbing, bypass }
    const observation = observe({ ...reading, at, run, elapsed, resting }, constants)
    if (observation) trace = addToRun(sums, observation, trace, constants)
  }
  const today = Math.floor((to + offset) / msPerDay)
  const days = [...byDay]
    .filter(([day, { n, rest_hours }]) => day < today && (n > 0 || rest_hours > 0))
    .map(([day, sums]) => ({ bssid: device.bssid, day, sums }))
  const constants = {
    boosted: unit.spec.boost > 0,
    bypass: device.bypass.state,
    bypass_share: bypassShare(bypassRate, usualFlow),
  }
  const fitted = (device.cartridges ?? []).map(({ installed_at, volume_before }) => ({
    installed_at: Date.parse(installed_at),
    volume_before,
  }))
  return { days, ends, constants, fitted, counters: { feed: device.feed ?? 0, permeate: device.permeate ?? 0 } }
}
