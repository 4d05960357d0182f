/**
 * The time axis that charts share. On the viewer's clock a position is an instant. On each device's own clock it is what
 * the clock on its wall shows, so that mornings lie under each other; where clocks are put back, the axis is as much
 * longer, and those whose clocks are not pass over it.
 */
import { wallTime } from '../zone.ts'

/** Whose clock the axis shows. */
export interface Clock {
  /** The viewer's zone, an IANA name. */
  readonly zone: string
  /** Each device's own clock instead. */
  readonly own: boolean
}

/** A device as far as the axis looks at it. */
interface OnGrid {
  readonly timeZone: string | null
  readonly statistics: { readonly to: string; readonly points: readonly { readonly at: string }[] }
}

export interface GridRow {
  /** Milliseconds along the axis. */
  readonly x: number
  /** What the clock shows, milliseconds as if it were UTC. */
  readonly wall: number
  /** The clock has shown that once before: it was put back. */
  readonly again: boolean
  /** Milliseconds UTC at which the first of the devices' buckets begins. */
  readonly begins: number
}

export interface Grid {
  /** In the order of time, each bucket once. */
  readonly rows: readonly GridRow[]
  /** Where the last bucket ends. */
  readonly end: number
  /** Of each device, the row of each of its points. */
  readonly places: readonly (readonly number[])[]
}

/** A moment on one device's clock. */
interface Moment {
  readonly instant: number
  readonly wall: number
  readonly again: boolean
}

/** A stretch that a clock shows twice: it is put back by `length` when it would show `ends`. */
interface Repeat {
  readonly ends: number
  readonly length: number
}

export function chartGrid(devices: readonly OnGrid[], clock: Clock): Grid {
  const zoneOf = (device: OnGrid) => (clock.own ? (device.timeZone ?? clock.zone) : clock.zone)
  // Devices in one zone have one grid, and asking clocks takes milliseconds.
  const known = new Map<string, ReturnType<typeof momentsOf>>()
  const read = devices.map(device => {
    const { points, to } = device.statistics
    const key = `${zoneOf(device)} ${points[0]?.at} ${points.length} ${to}`
    const moments = known.get(key) ?? momentsOf(device, zoneOf(device))
    known.set(key, moments)
    return moments
  })
  const repeats = clock.own ? merged(read.flatMap(({ repeats }) => repeats)) : []
  const position = (moment: Moment) => (clock.own ? moment.wall + inserted(repeats, moment) : moment.instant)

  const found = new Map<number, Moment & { begins: number }>()
  const positions = read.map(({ moments }) =>
    moments.map(moment => {
      const x = position(moment)
      const there = found.get(x)
      if (!there) found.set(x, { ...moment, begins: moment.instant })
      else if (moment.instant < there.begins) there.begins = moment.instant
      return x
    }),
  )
  const xs = [...found.keys()].sort((a, b) => a - b)
  const rowOf = new Map(xs.map((x, row) => [x, row]))
  return {
    rows: xs.map(x => {
      const { wall, again, begins } = found.get(x)!
      return { x, wall, again, begins }
    }),
    end: Math.max(0, ...read.map(({ end }) => position(end))),
    places: positions.map(of => of.map(x => rowOf.get(x)!)),
  }
}

/** What a device's clock shows at the begin of each of its buckets and at the end of the last, and what it shows twice. */
function momentsOf({ statistics }: OnGrid, zone: string): { moments: Moment[]; end: Moment; repeats: Repeat[] } {
  const instants = [...statistics.points.map(({ at }) => Date.parse(at)), Date.parse(statistics.to)]
  const repeats: Repeat[] = []
  let last: Repeat | undefined
  let before: { instant: number; offset: number } | undefined
  const moments = instants.map(instant => {
    const wall = wallTime(zone, instant)
    const offset = wall - instant
    if (before && offset < before.offset) {
      const length = before.offset - offset
      last = { ends: changeBetween(zone, before.instant, instant) + before.offset, length }
      repeats.push(last)
    }
    before = { instant, offset }
    return { instant, wall, again: last !== undefined && wall < last.ends }
  })
  return { moments: moments.slice(0, -1), end: moments.at(-1)!, repeats }
}

/** The instant at which clocks change between two instants with different offsets. */
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

/** Devices whose clocks are put back alike share what is inserted. */
const merged = (repeats: readonly Repeat[]): Repeat[] => [
  ...new Map(repeats.map(repeat => [`${repeat.ends} ${repeat.length}`, repeat])).values(),
]

/** By how much a moment lies later on the axis than the clock shows it. */
function inserted(repeats: readonly Repeat[], { wall, again }: Moment): number {
  return repeats.reduce(
    (sum, { ends, length }) => sum + (wall >= ends || (again && wall >= ends - length) ? length : 0),
    0,
  )
}
