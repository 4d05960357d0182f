/** The demo's calendar events, within two months before and after its creation. */
import { instantOf, wallTime } from '../../src/domain/zone.ts'
import { random, type Random } from '../../simulator/model/random.ts'
import { companies } from './catalogue.ts'
import { demoDevice } from './device.ts'
import { demoId, seedOf } from './random.ts'
import { msPerDay, msPerHour, msPerMinute } from '../../src/domain/time.ts'

interface EventKind {
  readonly title: string
  readonly description: string
  /** Range of starting hours in the devices' time zone. */
  readonly hours: readonly [min: number, max: number]
  /** Milliseconds. */
  readonly duration: number
  /** Range of the number of devices. */
  readonly devices: readonly [min: number, max: number]
}

/** Kinds with their weights. */
const kinds: readonly (readonly [EventKind, number])[] = [
  [
    {
      title: 'Membrane replacement',
      description: 'New membrane and O-rings. Flush for ten minutes afterwards and measure the permeate.',
      hours: [8, 15],
      duration: 2 * msPerHour,
      devices: [1, 2],
    },
    9,
  ],
  [
    {
      title: 'Filter change',
      description: 'Sediment and carbon cartridges. Note the date on the housing.',
      hours: [8, 16],
      duration: msPerHour,
      devices: [1, 4],
    },
    11,
  ],
  [
    {
      title: 'Site visit',
      description: 'Look at the installation, talk to the people who use it.',
      hours: [9, 14],
      duration: 3 * msPerHour,
      devices: [2, 6],
    },
    8,
  ],
  [
    {
      title: 'Water samples for the laboratory',
      description: 'Feed and permeate, half a litre each, cooled.',
      hours: [7, 10],
      duration: 30 * msPerMinute,
      devices: [1, 3],
    },
    5,
  ],
  [
    {
      title: 'Yearly inspection',
      description: 'Pressure test, leak sensor, valve, sanitising.',
      hours: [8, 12],
      duration: 4 * msPerHour,
      devices: [3, 8],
    },
    4,
  ],
  [
    {
      title: 'Water shut off in the building',
      description: 'The house works on its pipes over night. Expect no feed water.',
      hours: [22, 23],
      duration: 7 * msPerHour,
      devices: [2, 5],
    },
    3,
  ],
]
/** Created by administrators, with devices of several vendors. */
const rollOut: EventKind = {
  title: 'Firmware roll-out',
  description: 'In three steps, a third of the devices each day.',
  hours: [9, 9],
  duration: 2 * msPerDay + 8 * msPerHour,
  devices: [8, 12],
}

/** Weights of the vendors; the two with published logins have most events. */
const shares: readonly (readonly [company: number, weight: number])[] = [
  [0, 16],
  [1, 14],
  [2, 3],
  [3, 3],
  [4, 2],
  [5, 2],
]

const count = 40
/** Milliseconds before and after the demo's creation. */
const span = 60 * msPerDay
/** Maximum devices of the fleet that have events. */
const maxDevices = 300

type DeviceRow = ReturnType<typeof demoDevice>['row']

/** Returns events with their devices; none if the fleet is empty. */
export function demoEvents(seed: number, fleet: number, now: Date) {
  const rows = Array.from({ length: Math.min(fleet, maxDevices) }, (_, index) => demoDevice(seed, index, now).row)
  const rng = random(seedOf(`${seed} events`))
  return Array.from({ length: count }, (_, index) => {
    const isRollOut = index % 14 === 13
    const owner = companies[rng.weighted(shares)]!
    const candidates = rows.filter(row => isRollOut || row.vendor_id === demoId(`account ${owner.login}`))
    const kind = isRollOut ? rollOut : rng.weighted(kinds)
    const chosen = sample(candidates, rng.integer(...kind.devices), rng)
    const zone = chosen[0]?.time_zone ?? owner.zones[0]
    const approximateStart = now.getTime() - span + ((index + rng.next()) / count) * 2 * span
    const starts_at = workday(zone, approximateStart, rng.integer(...kind.hours))
    return {
      row: {
        id: demoId(`event ${seed} ${index}`),
        title: kind.title,
        description: kind.description,
        starts_at: new Date(starts_at),
        ends_at: new Date(starts_at + kind.duration),
        created_by: demoId(`account ${isRollOut ? 'admin' : owner.login}`),
        created_at: new Date(Math.min(now.getTime(), starts_at) - rng.between(1, 14) * msPerDay),
      },
      bssids: chosen.map(({ bssid }) => bssid),
    }
  }).filter(({ bssids }) => bssids.length > 0)
}

/** Returns random devices, each at most once. */
function sample(from: readonly DeviceRow[], max: number, rng: Random): DeviceRow[] {
  const remaining = [...from]
  return Array.from(
    { length: Math.min(max, remaining.length) },
    () => remaining.splice(rng.integer(0, remaining.length - 1), 1)[0]!,
  )
}

/** Returns an hour of a local day, or of the following Monday if the day is on a weekend; milliseconds UTC. */
function workday(zone: string, approximateStart: number, hour: number): number {
  const today = Math.floor(wallTime(zone, approximateStart) / msPerDay)
  // 1 January 1970 was a Thursday: 2 and 3 are Saturday and Sunday.
  const weekend = [2, 3].indexOf(((today % 7) + 7) % 7)
  const day = weekend < 0 ? today : today + 2 - weekend
  return instantOf(zone, day * msPerDay + hour * msPerHour)
}
