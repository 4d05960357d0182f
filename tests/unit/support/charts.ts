/** Statistics made up for tests of the charts. */
import { emptyPoint } from '../../../src/api/contract/statistics.ts'
import type { ChartDevice, ChartPoint } from '../../../src/domain/charts/data.ts'
import { bucketsOf } from '../../../src/domain/buckets.ts'

export interface Made {
  readonly range: 'day' | 'week' | 'month' | 'year'
  /** Milliseconds UTC. */
  readonly until: number
  /** In which its statistics are asked for. */
  readonly zone: string
  /** The device's own; null is the viewer's. */
  readonly own?: string | null
  readonly bssid?: string
  /** What was read in a bucket, by its place and its begin, milliseconds UTC. */
  readonly read?: (place: number, at: number) => Partial<ChartPoint>
}

/** A device with the buckets that the server would answer with. */
export function madeDevice({ range, until, zone, own = null, bssid = 'A', read = () => ({}) }: Made): ChartDevice {
  const { edges, seconds } = bucketsOf(range, until, zone)
  const iso = (instant: number) => new Date(instant).toISOString()
  return {
    bssid,
    name: bssid,
    colour: 'red',
    timeZone: own,
    statistics: {
      from: iso(edges[0]!),
      to: iso(edges.at(-1)!),
      bucket_seconds: seconds,
      points: edges.slice(0, -1).map((at, place) => ({ ...emptyPoint, ...read(place, at), at: iso(at) })),
    },
  }
}
