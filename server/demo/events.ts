/** The demo's calendar events, within two months before and after its creation. */
import { instantOf, wallTime } from '../../src/domain/zone.ts'
import { random, type Random } from '../../simulator/model/random.ts'
import { companies } from './catalogue.ts'
import { demoDevice } from './device.ts'
import { idOf, seedOf } from './random.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

interface Kind {
  readonly title: string
  readonly description: string
  /** Range of starting hours in the devices' time zone, and duration in milliseconds. */
  readonly hours: readonly [min: number, max: number]
  readonly takes: number
  readonly devices: readonly [min: number, max: number]
}

const kinds: readonly (readonly [Kind, number])[] = [
  [
    {
      title: 'Membrane replacement',
      description: 'New membrane and O-rings. Flush for ten minutes afterwards and measure the permeate.',
      hours: [8, 15],
      takes: 2 * hour,
      devices: [1, 2],
    },
    9,
  ],
  [
    {
      title: 'Filter change',
      description: 'Sediment and carbon cartridges. Note the date on the housing.',
      hours: [8, 16],
      takes: hour,
      devices: [1, 4],
    },
    11,
  ],
  [
    {
      title: 'Site visit',
      description: 'Look at the installation, talk to the people who use it.',
      hours: [9, 14],
      takes: 3 * hour,
      devices: [2, 6],
    },
    8,
  ],
  [
    {
      title: 'Water samples for the laboratory',
      description: 'Feed and permeate, half a litre each, cooled.',
      hours: [7, 10],
      takes: 30 * minute,
      devices: [1, 3],
    },
    5,
  ],
  [
    {
      title: 'Yearly inspection',
      description: 'Pressure test, leak sensor, valve, sanitising.',
      hours: [8, 12],
      takes: 4 * hour,
      devices: [3, 8],
    },
    4,
  ],
  [
    {
      title: 'Water shut off in the building',
      description: 'The house works on its pipes over night. Expect no feed water.',
      hours: [22, 23],
      takes: 7 * hour,
      devices: [2, 5],
    },
    3,
  ],
]
/** Created by administrators, with devices of several vendors. */
const rollOut: Kind = {
  title: 'Firmware roll-out',
  description: 'In three steps, a third of the devices each day.',
  hours: [9, 9],
  takes: 2 * day + 8 * hour,
  devices: [8, 12],
}

/** Weights of the vendors; the two with published logins have most events. */
const shares: readonly (readonly [place: number, weight: number])[] = [
  [0, 16],
  [1, 14],
  [2, 3],
  [3, 3],
  [4, 2],
  [5, 2],
]

const count = 40
const span = 60 * day
/** Maximum devices of the fleet that have events. */
const maxVisited = 300

type DeviceRow = ReturnType<typeof demoDevice>['row']

/** Returns events with their devices; none where there is no fleet. */
export function demoEvents(seed: number, fleet: number, now: Date) {
  const rows = Array.from({ length: Math.min(fleet, maxVisited) }, (_, place) => demoDevice(seed, place, now).row)
  const dice = random(seedOf(`${seed} events`))
  return Array.from({ length: count }, (_, place) => {
    const isRollOut = place % 14 === 13
    const owner = companies[dice.weighted(shares)]!
    const candidates = rows.filter(row => isRollOut || row.vendor_id === idOf(`account ${owner.login}`))
    const kind = isRollOut ? rollOut : dice.weighted(kinds)
    const concerned = sample(candidates, dice.whole(...kind.devices), dice)
    const zone = concerned[0]?.time_zone ?? owner.zones[0]
    const about = now.getTime() - span + ((place + dice.next()) / count) * 2 * span
    const starts_at = workday(zone, about, dice.whole(...kind.hours))
    return {
      row: {
        id: idOf(`event ${seed} ${place}`),
        title: kind.title,
        description: kind.description,
        starts_at: new Date(starts_at),
        ends_at: new Date(starts_at + kind.takes),
        created_by: idOf(`account ${isRollOut ? 'admin' : owner.login}`),
        created_at: new Date(Math.min(now.getTime(), starts_at) - dice.between(1, 14) * day),
      },
      bssids: concerned.map(({ bssid }) => bssid),
    }
  }).filter(({ bssids }) => bssids.length > 0)
}

/** Returns random devices, each at most once. */
function sample(from: readonly DeviceRow[], max: number, dice: Random): DeviceRow[] {
  const remaining = [...from]
  return Array.from(
    { length: Math.min(max, remaining.length) },
    () => remaining.splice(dice.whole(0, remaining.length - 1), 1)[0]!,
  )
}

/** Returns an hour on a local day, or on the following Monday where it is a weekend; milliseconds UTC. */
function workday(zone: string, about: number, atHour: number): number {
  const today = Math.floor(wallTime(zone, about) / day)
  // 1 January 1970 was a Thursday: 2 and 3 are Saturday and Sunday.
  const weekend = [2, 3].indexOf(((today % 7) + 7) % 7)
  const on = weekend < 0 ? today : today + 2 - weekend
  return instantOf(zone, on * day + atHour * hour)
}
