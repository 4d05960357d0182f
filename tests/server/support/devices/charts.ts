/** Charts of a test's server, read as the API reads them, and rollups to import. */
import type { Range } from '../../../../src/api/contract/statistics.ts'
import { bucketsOfPeriod, newestBuckets } from '../../../../src/domain/buckets.ts'
import { pointOf, statisticsOf } from '../../../../server/resources/devices/statistics.ts'
import type { Rollup } from '../../../../server/telemetry/rollup.ts'
import type { TestServer } from '../harness.ts'
import { minute, type Expected } from './readingSamples.ts'

export interface ChartQuery {
  readonly range: Range
  readonly zone: string
}

export function chartsOf({ telemetry, clock }: TestServer) {
  const newestEdges = ({ range, zone }: ChartQuery) => newestBuckets(range, clock.now().getTime(), zone).edges
  const periodEdges = ({ range, zone }: ChartQuery) => bucketsOfPeriod(range, clock.now().getTime(), zone).edges

  /** Returns the points of the charts of several devices. */
  async function pointsOfDevices(
    bssids: readonly string[],
    ask: ChartQuery,
    edges: readonly number[],
  ): Promise<ReadonlyMap<string, Expected[]>> {
    const all = await statisticsOf(telemetry, bssids, { ...ask, edges }, clock.now())
    const buckets = edges.slice(0, -1)
    return new Map([...all].map(([bssid, series]) => [bssid, buckets.map((_, bucket) => pointOf(series, bucket))]))
  }

  /** Returns the points of a chart, by default of the newest buckets. */
  const points = async (bssid: string, ask: ChartQuery, edges = newestEdges(ask)): Promise<Expected[]> =>
    (await pointsOfDevices([bssid], ask, edges)).get(bssid)!

  /** Returns the feed of each bucket that has any, by its start. */
  async function feeds(bssid: string, ask: ChartQuery): Promise<Record<string, number | null>> {
    const edges = newestEdges(ask)
    const found = await points(bssid, ask)
    return Object.fromEntries(
      found.flatMap(({ feed }, place) => (feed === null ? [] : [[new Date(edges[place]!).toISOString(), feed]])),
    )
  }

  return {
    setClock: (at: string) => clock.advance(Date.parse(at) - clock.now().getTime()),
    newestEdges,
    periodEdges,
    points,
    pointsOfDevices,
    feeds,
  }
}

/** Returns a rollup of a bucket that starts at this time. */
export const rollupAt = (bssid: string, at: string, feed: number): Rollup => ({
  bssid,
  at: Date.parse(at),
  readings: 10,
  feed,
  permeate: feed / 2,
  production_sum: 6,
  production_count: 10,
  feed_tds_sum: 3000,
  feed_tds_count: 10,
  permeate_tds_sum: 150,
  permeate_tds_count: 10,
  pressure_sum: 40,
  pressure_count: 10,
  temperature_sum: 200,
  temperature_count: 10,
  flow_at: Date.parse(at) + minute,
  last_feed_flow: 1.5,
  last_permeate_flow: 0.6,
})
