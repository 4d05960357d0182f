/** Generated statistics for tests of the charts. */
import { emptyPoint } from '../../../src/domain/charts/emptyPoint.ts'
import type { ChartDevice, ChartPoint } from '../../../src/domain/charts/data.ts'
import { bucketsOfPeriod } from '../../../src/domain/buckets.ts'

export interface SampleDevice {
  readonly range: 'day' | 'week' | 'month' | 'year'
  /** Milliseconds UTC. */
  readonly until: number
  /** The time zone in which the statistics are requested. */
  readonly zone: string
  /** The device's own time zone; null is the viewer's. */
  readonly deviceZone?: string | null
  readonly bssid?: string
  /** Returns the values of a bucket from its index and its start, milliseconds UTC. */
  readonly valuesAt?: (place: number, at: number) => Partial<ChartPoint>
}

/** Returns a device with the buckets that the server would return. */
export function sampleDevice({
  range,
  until,
  zone,
  deviceZone = null,
  bssid = 'A',
  valuesAt = () => ({}),
}: SampleDevice): ChartDevice {
  const { edges, seconds } = bucketsOfPeriod(range, until, zone)
  const iso = (instant: number) => new Date(instant).toISOString()
  return {
    bssid,
    name: bssid,
    colour: 'red',
    timeZone: deviceZone,
    statistics: {
      from: iso(edges[0]!),
      to: iso(edges.at(-1)!),
      bucket_seconds: seconds,
      points: edges.slice(0, -1).map((at, place) => ({ ...emptyPoint, ...valuesAt(place, at), at: iso(at) })),
    },
  }
}
