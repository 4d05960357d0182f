/**
 * The time axis that charts share. In the viewer's zone a position is an instant. In each device's own zone it is the
 * device's wall time, so that mornings align; where clocks are put back, the axis is longer by that time, and devices
 * whose clocks do not change have no buckets there.
 */
import { wallTime } from '../zone.ts'

/** The time zone that the axis shows. */
export interface Clock {
  /** The viewer's time zone, an IANA name. */
  readonly zone: string
  /** Whether each device is drawn in its own time zone instead. */
  readonly perDevice: boolean
}

/** The parts of a device that the axis needs. */
interface GridDevice {
  readonly timeZone: string | null
  readonly statistics: { readonly to: string; readonly points: readonly { readonly at: string }[] }
}

export interface GridRow {
  /** Milliseconds along the axis. */
  readonly x: number
  /** The wall time. */
  readonly wall: number
  /** Whether this is the second occurrence of the wall time, after clocks were put back. */
  readonly isRepeated: boolean
  /** Milliseconds UTC at which the earliest of the devices' buckets starts. */
  readonly startsAt: number
}

export interface Grid {
  /** Distinct buckets in order of time. */
  readonly rows: readonly GridRow[]
  /** The position at which the last bucket ends. */
  readonly end: number
  /** For each device, the row of each of its points. */
  readonly deviceRows: readonly (readonly number[])[]
}

/** An instant in one device's time zone. */
interface Moment {
  readonly instant: number
  readonly wall: number
  readonly isRepeated: boolean
}

/** A span of wall time that occurs twice: clocks are put back by `length` at the wall time `ends`. */
interface Repeat {
  readonly ends: number
  readonly length: number
}

/** Returns the axis of the devices' buckets, and the row of each bucket. */
export function chartGrid(devices: readonly GridDevice[], clock: Clock): Grid {
  const zoneOf = (device: GridDevice) => (clock.perDevice ? (device.timeZone ?? clock.zone) : clock.zone)
  // Cached because time zone conversions take milliseconds, and devices in one zone share their moments.
  const cache = new Map<string, ReturnType<typeof momentsOf>>()
  const deviceMoments = devices.map(device => {
    const { points, to } = device.statistics
    const key = `${zoneOf(device)} ${points[0]?.at} ${points.length} ${to}`
    const moments = cache.get(key) ?? momentsOf(device, zoneOf(device))
    cache.set(key, moments)
    return moments
  })
  const repeats = clock.perDevice ? uniqueRepeats(deviceMoments.flatMap(({ repeats }) => repeats)) : []
  const position = (moment: Moment) =>
    clock.perDevice ? moment.wall + insertedBefore(repeats, moment) : moment.instant

  const byPosition = new Map<number, Moment & { startsAt: number }>()
  const positions = deviceMoments.map(({ moments }) =>
    moments.map(moment => {
      const x = position(moment)
      const existing = byPosition.get(x)
      if (!existing) byPosition.set(x, { ...moment, startsAt: moment.instant })
      else if (moment.instant < existing.startsAt) existing.startsAt = moment.instant
      return x
    }),
  )
  const xs = [...byPosition.keys()].sort((a, b) => a - b)
  const rowOf = new Map(xs.map((x, row) => [x, row]))
  return {
    rows: xs.map(x => {
      const { wall, isRepeated, startsAt } = byPosition.get(x)!
      return { x, wall, isRepeated, startsAt }
    }),
    end: Math.max(0, ...deviceMoments.map(({ end }) => position(end))),
    deviceRows: positions.map(xsOfDevice => xsOfDevice.map(x => rowOf.get(x)!)),
  }
}

/**
 * Returns the moments at which a device's buckets start, the end of the last bucket, and the spans that occur twice.
 */
function momentsOf({ statistics }: GridDevice, zone: string): { moments: Moment[]; end: Moment; repeats: Repeat[] } {
  const instants = [...statistics.points.map(({ at }) => Date.parse(at)), Date.parse(statistics.to)]
  const repeats: Repeat[] = []
  let last: Repeat | undefined
  let previous: { instant: number; offset: number } | undefined
  const moments = instants.map(instant => {
    const wall = wallTime(zone, instant)
    const offset = wall - instant
    if (previous && offset < previous.offset) {
      const length = previous.offset - offset
      last = { ends: changeBetween(zone, previous.instant, instant) + previous.offset, length }
      repeats.push(last)
    }
    previous = { instant, offset }
    return { instant, wall, isRepeated: last !== undefined && wall < last.ends }
  })
  return { moments: moments.slice(0, -1), end: moments.at(-1)!, repeats }
}

/** Returns the instant at which the offset changes, by bisection between two instants with different offsets. */
function changeBetween(zone: string, from: number, to: number): number {
  const before = wallTime(zone, from) - from
  let [early, late] = [from, to]
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2)
    if (wallTime(zone, middle) - middle === before) early = middle
    else late = middle
  }
  return late
}

/** Devices whose clocks are put back at the same time share one inserted span. */
const uniqueRepeats = (repeats: readonly Repeat[]): Repeat[] => [
  ...new Map(repeats.map(repeat => [`${repeat.ends} ${repeat.length}`, repeat])).values(),
]

/** Returns the milliseconds by which a moment's position on the axis exceeds its wall time. */
function insertedBefore(repeats: readonly Repeat[], { wall, isRepeated }: Moment): number {
  return repeats.reduce(
    (sum, { ends, length }) => sum + (wall >= ends || (isRepeated && wall >= ends - length) ? length : 0),
    0,
  )
}
