/**
 * Follows which devices produce water, and returns from their readings what the health of a device is computed from. Kept in
 * memory for devices that produce or leak, which are a few in a hundred. If it is lost, runs begin anew.
 */
import { sql } from 'drizzle-orm'
import type { DaySums } from '../../../src/domain/health/types/observations.ts'
import {
  addRest,
  addToRun,
  canBeSustained,
  endRun,
  emptySums,
  type RestHour,
  type Trace,
} from '../../../src/domain/health/daySums.ts'
import { chainRun, observe, type Run } from '../../../src/domain/health/observe.ts'
import { deviceSensors, sensorFaults, type SensorFault } from '../../../src/domain/health/types/sensors.ts'
import type { ByChannel } from '../../../src/domain/health/types/channels.ts'
import { bypassShare } from '../../../src/domain/ro.ts'
import type { StatusCode } from '../../../src/domain/device.ts'
import { msPerDay, msPerHour, msPerSecond } from '../../../src/domain/time.ts'
import { wallTime } from '../../../src/domain/zone.ts'
import type { Database } from '../../db/database.ts'
import { prepareStatement } from '../../db/prepared.ts'
import type { Batch, ReceivedReading } from '../../telemetry/store.ts'

/** What a device's readings are standardised with while it produces. */
interface ProducingDevice {
  /** Milliseconds by which its local time is ahead of UTC. */
  readonly offset: number
  /** l/min that the bypass adds to the permeate. */
  readonly bypass: number
  readonly tank: boolean
  readonly levels: ByChannel<number>
  /** What it reports as not measured well, until the run ends. */
  readonly defective: readonly SensorFault[]
  /** Pressure of the last reading before its water ran, bar; null if that is unknown. */
  readonly resting: number | null
}

/** Statuses in which what a device measures says nothing of its cartridges; it says itself what is wrong. */
const excludedStatuses: readonly StatusCode[] = [4, 5, 6, 7, 8, 10, 18]

/** A device that produces, at its newest reading. */
interface Producing {
  readonly device: ProducingDevice
  /** Undefined if that had the time of a clock that was ahead. */
  readonly run: Run | undefined
  /** What its steady readings have shown; undefined before the first one. */
  readonly trace: Trace | undefined
}

/** A device with feed but no permeate in this hour, which flushes or leaks, at its newest reading. */
interface Leaking {
  readonly hour: RestHour
  at: number
}

/** What a reading shows about the health of its device. */
export interface ObservedReading {
  readonly reading: ReceivedReading
  /** Its local day, days from 1 January 1970; null of flow at rest, as the time zone is known only of devices that produce. */
  readonly day: number | null
  readonly sums: DaySums
}

export interface Production {
  /**
   * Looks up what is needed to observe readings, before they are stored; `received`: when the last message of each device was,
   * milliseconds UTC. Returns a function that is called once those of them are stored that had not been stored before, which are
   * sorted by device and time; it returns their observations. Readings of one device are not to be observed twice at the same
   * time.
   */
  prepare(
    db: Database,
    { readings, received }: Pick<Batch, 'readings' | 'received'>,
  ): Promise<(fresh: readonly ReceivedReading[]) => readonly ObservedReading[]>
}

/** Maximum devices that are followed at a time. */
const maxFollowed = 50_000

export function openProduction(): Production {
  const producing = new Map<string, Producing>()
  const leaking = new Map<string, Leaking>()
  /** Devices that produce although nothing of them counts, until their runs end. */
  const ignored = new Set<string>()

  /** Returns the observation of a producing reading. */
  const observeProduct = (
    received: ReceivedReading,
    flow: number,
    device: ProducingDevice,
  ): ObservedReading | undefined => {
    const { bssid, at, reading } = received
    const followed = producing.get(bssid)
    const previous = followed?.run
    const elapsed = previous ? (at - previous.at) / msPerSecond : Infinity
    const run = reading.run ?? chainRun({ at, permeate: reading.permeate, permeate_flow: flow }, previous, elapsed)
    const constants = { ...device, bypass: bypassShare(device.bypass, flow) }
    const trusted = {
      ...reading,
      ...Object.fromEntries(device.defective.map(fault => [deviceSensors[fault].measures, null])),
    }
    const observation = observe({ ...trusted, at, run, elapsed, resting: device.resting }, constants)
    const sums = emptySums()
    const trace = observation ? addToRun(sums, observation, followed?.trace, constants) : followed?.trace
    clearedIfFull(producing).set(bssid, { device, run: { at, seconds: run }, trace })
    if (!observation) return undefined
    return { reading: received, day: localDay(at, device.offset), sums }
  }

  /** Returns what a run shows that has ended by a reading without permeate. */
  const observeEnd = (received: ReceivedReading, { device, trace }: Producing): ObservedReading | undefined => {
    producing.delete(received.bssid)
    const sums = emptySums()
    endRun(sums, trace, device)
    return sums.tank_runs > 0 ? { reading: received, day: localDay(received.at, device.offset), sums } : undefined
  }

  /** Returns the rest flow of the hour that has ended with a reading with so much feed at rest, l. A pause ends no leak. */
  const observeRest = (received: ReceivedReading, litres: number): ObservedReading | undefined => {
    const { bssid, at } = received
    const followed = leaking.get(bssid)
    if (!followed) {
      if (litres > 0)
        clearedIfFull(leaking).set(bssid, { hour: { hour: Math.floor(at / msPerHour), litres: 0, seconds: 0 }, at })
      return undefined
    }
    const sums = emptySums()
    addRest(sums, followed.hour, at, litres, (at - followed.at) / msPerSecond)
    followed.at = at
    if (litres === 0 && !canBeSustained(followed.hour, at)) leaking.delete(bssid)
    return sums.rest_hours > 0 ? { reading: received, day: null, sums } : undefined
  }

  /** Returns whether a reading is older than what is followed of its device: it says nothing of a run that came later. */
  const isLate = ({ bssid, at }: ReceivedReading, receivedAt: number) => {
    const newest = producing.get(bssid)?.run?.at ?? leaking.get(bssid)?.at
    if (newest === undefined || at > newest) return false
    if (newest <= receivedAt) return true
    forgetRun(bssid)
    return false
  }

  /** Forgets what the readings of a clock that was ahead have shown: it would make all readings late until that time. */
  const forgetRun = (bssid: string) => {
    const followed = producing.get(bssid)
    if (followed) producing.set(bssid, { device: followed.device, run: undefined, trace: undefined })
    leaking.delete(bssid)
  }

  const observeAll = (
    fresh: readonly ReceivedReading[],
    receivedAt: Batch['received'],
    devices: Map<string, ProducingDevice>,
  ): ObservedReading[] => {
    const rows: (ObservedReading | undefined)[] = []
    for (const received of fresh) {
      if (isLate(received, receivedAt.get(received.bssid)!)) continue
      const { bssid, reading } = received
      const flow = flowOf(reading)
      const atRest = flow === 0 && reading.permeate === 0 ? reading.feed : 0
      if (atRest > 0 || leaking.size > 0) rows.push(observeRest(received, atRest))
      const followed = producing.get(bssid)
      const device = followed?.device ?? devices.get(bssid)
      if (flow > 0) {
        if (device) rows.push(observeProduct(received, flow, device))
        else clearedIfFull(ignored).add(bssid)
        continue
      }
      if (ignored.size > 0) ignored.delete(bssid)
      const isPressureKnown = !device?.defective.includes('pressure_sensor')
      if (device && isPressureKnown) devices.set(bssid, { ...device, resting: reading.pressure })
      if (followed) rows.push(observeEnd(received, followed))
    }
    return rows.filter(row => row !== undefined)
  }

  return {
    async prepare(db, { readings, received }) {
      const isKnown = (bssid: string) => producing.has(bssid) || ignored.has(bssid)
      const begun = readings.filter(({ bssid, reading }) => flowOf(reading) > 0 && !isKnown(bssid))
      const devices = await findDevices(db, begun)
      return fresh => observeAll(fresh, received, devices)
    },
  }
}

/** Returns a map or set of devices, emptied if it is full. */
function clearedIfFull<Followed extends { readonly size: number; clear(): void }>(followed: Followed): Followed {
  if (followed.size >= maxFollowed) followed.clear()
  return followed
}

const flowOf = ({ permeate_flow }: ReceivedReading['reading']) => permeate_flow ?? 0

const localDay = (at: number, offset: number) => Math.floor((at + offset) / msPerDay)

interface FoundDevice {
  readonly bssid: string
  readonly time_zone: string | null
  readonly bypass: number | null
  readonly tank: boolean
  readonly levels: ByChannel<number>
  readonly defective: readonly SensorFault[]
  readonly pressure: number | null
  /** When that was measured, milliseconds UTC. */
  readonly measured_at: number | null
}

const findProducing = prepareStatement<FoundDevice>(
  'find_producing',
  sql`
    select device.bssid, device.time_zone, model.bypass_flow_rates[device.bypass_state + 1] as bypass, health.levels,
      health.baselines -> 'tank' is not null as tank,
      array(select type from device_alarms as alarm where alarm.bssid = device.bssid
        and type = any(${sql.param(sensorFaults)}::text[])) as defective,
      twin.pressure, (extract(epoch from twin.reading_at) * 1000)::float8 as measured_at
    from devices as device join device_values as shown using (bssid) join device_models as model on model.id = device.model_id
    join device_twins as twin using (bssid) join device_health as health using (bssid)
    where device.bssid = any(${sql.placeholder('bssids')}::text::text[])
      and shown.status <> all(${sql.param(excludedStatuses)}::smallint[])`,
)

/** Devices up to which the plan is kept: joining four tables takes longer to plan than to do. */
const maxPlanned = 50

/** Finds the devices of readings that begin a run, without those whose status is not well. The newest stored pressure is that before the run. */
async function findDevices(db: Database, readings: readonly ReceivedReading[]): Promise<Map<string, ProducingDevice>> {
  if (readings.length === 0) return new Map()
  const beganAt = new Map(readings.toReversed().map(({ bssid, at }) => [bssid, at]))
  const bssids = [...beganAt.keys()]
  const rows = await findProducing(db, { bssids: `{${bssids.join(',')}}` }, { keepPlan: bssids.length <= maxPlanned })
  return new Map(
    rows.map(({ bssid, time_zone, bypass, tank, levels, defective, pressure, measured_at }) => {
      const at = beganAt.get(bssid)!
      const isResting = measured_at !== null && measured_at > at - msPerHour && !defective.includes('pressure_sensor')
      const offset = time_zone === null ? 0 : wallTime(time_zone, at) - at
      const resting = isResting ? pressure : null
      return [bssid, { offset, bypass: bypass ?? 0, tank, levels, defective, resting }]
    }),
  )
}
