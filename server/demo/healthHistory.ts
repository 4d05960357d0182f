/** Generates the days of health of a demo device: what ingest would have stored of its simulated readings. */
import type { DeviceDescription } from '../../simulator/model/fleet.ts'
import { pastReadings } from '../../simulator/model/pastReadings.ts'
import { addObservation, addRest, emptySums, type RestHour } from '../../src/domain/health/daySums.ts'
import { observe } from '../../src/domain/health/observe.ts'
import type { DaySums } from '../../src/domain/health/types.ts'
import { bypassShare } from '../../src/domain/ro.ts'
import { msPerDay, msPerSecond } from '../../src/domain/time.ts'
import { wallTime } from '../../src/domain/zone.ts'
import type { HealthDay } from '../devices/health/days.ts'
import { unitAt, type Span } from './simulateHistory.ts'

/** Days before the end for which health is generated: enough for a baseline before each trouble of the demo. */
const healthLength = 200 * msPerDay
/** Milliseconds between two readings of a draw. */
const interval = 30 * msPerSecond

/** Returns the ended local days of a device. */
export function healthHistory(device: DeviceDescription, seed: number, { from, to }: Span, now: number): HealthDay[] {
  const start = Math.max(from, now - healthLength)
  if (start >= to) return []
  const zone = device.time_zone ?? 'UTC'
  const bypassRate = device.bypass_rates?.[device.bypass.state] ?? 0
  const byDay = new Map<number, DaySums>()
  const hour: RestHour = { hour: 0, litres: 0, seconds: 0 }
  let resting: number | null = null
  let offset = 0
  let utcDay = -1
  for (const { reading, phase, run, elapsed } of pastReadings(unitAt(device, seed, start, now), to, interval)) {
    const at = Date.parse(reading.at)
    if (Math.floor(at / msPerDay) !== utcDay) {
      utcDay = Math.floor(at / msPerDay)
      offset = wallTime(zone, at) - at
    }
    const day = Math.floor((at + offset) / msPerDay)
    const sums = byDay.get(day) ?? emptySums()
    byDay.set(day, sums)
    if (phase === 'idle') {
      resting = reading.pressure
      addRest(sums, hour, at, reading.feed, elapsed)
      continue
    }
    const bypass = bypassShare(bypassRate, reading.permeate_flow ?? 0)
    const constants = { levels: {}, boosted: (device.boost ?? 0) > 0, bypass }
    const observation = observe({ ...reading, at, run, elapsed, resting }, constants)
    if (observation) addObservation(sums, observation)
  }
  const today = Math.floor((to + offset) / msPerDay)
  return [...byDay]
    .filter(([day, { n, rest_hours }]) => day < today && (n > 0 || rest_hours > 0))
    .map(([day, sums]) => ({ bssid: device.bssid, day, sums }))
}
