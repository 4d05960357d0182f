/** Reads device statistics for the charts. */
import useSWR, { type SWRConfiguration, type SWRResponse } from 'swr'
import { proxy } from 'valtio/vanilla'
import { bucketsOfPeriod } from '../domain/buckets.ts'
import { sameDateEnd } from '../domain/charts/days.ts'
import { isSameResponse } from '../domain/lib/isSameResponse.ts'
import { call } from './client.ts'
import { devices, type DeviceDetail } from './contract/devices.ts'
import { emptyPoint } from '../domain/charts/emptyPoint.ts'
import { maxStatisticsDevices, type ManyStatistics, type Range } from './contract/statistics.ts'
import { ApiError } from './errors.ts'

export interface ChartQuery {
  readonly range: Range
  /** ISO time within the calendar day, week, month or year, or its end; undefined is the newest range, up to now. */
  readonly until?: string | undefined
  /** The viewer's zone, an IANA name. */
  readonly zone: string
  /** Whether to use the device's own zone if it has one; a calendar period has the same dates there. */
  readonly inDeviceZone?: boolean
}

export interface DeviceStatistics {
  readonly bssid: string
  readonly description: string
  readonly company: string
  /** IANA name; null is the viewer's zone. */
  readonly timeZone: string | null
  readonly statistics: DeviceDetail['statistics']
}

/** The devices' last known zones; null is the viewer's. */
export const deviceZones = proxy<Record<string, string | null>>({})

/** Returns the query for what the charts show; `zone` is the viewer's. */
export const statisticsQuery = (
  { range, until, zone: clocks }: { range: Range; until: string | undefined; zone: 'viewer' | 'device' },
  zone: string,
): ChartQuery => ({ range, until, zone, inDeviceZone: clocks === 'device' })

/**
 * Reads the statistics of devices, at most `maxStatisticsDevices`, by bssid; devices that do not exist are absent. Rejects
 * like `call`.
 */
export async function readStatistics(
  bssids: readonly string[],
  { range, until, zone, inDeviceZone = false }: ChartQuery,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, DeviceStatistics>> {
  const query = { ids: bssids.join(), range, zone, in_device_zone: `${inDeviceZone}` as const, ...(until && { until }) }
  const { grids, devices: found } = await call(devices.statistics, { query, ...(signal && { signal }) })
  for (const { bssid, time_zone } of found) deviceZones[bssid] = time_zone
  return new Map(
    found.map(({ bssid, description, company_name, time_zone, grid, series }) => [
      bssid,
      { bssid, description, company: company_name, timeZone: time_zone, statistics: pointsOf(grids[grid]!, series) },
    ]),
  )
}

type Series = ManyStatistics['devices'][number]['series']
type StatisticsPoint = DeviceStatistics['statistics']['points'][number]
const measures = Object.keys(emptyPoint) as (keyof Series)[]

const pointsOf = (
  { at, ...grid }: ManyStatistics['grids'][number],
  series: Series,
): DeviceStatistics['statistics'] => ({
  ...grid,
  points: at.map((start, row) => {
    const point: Record<string, number | string | null> = { at: start }
    for (const measure of measures) point[measure] = series[measure][row] ?? null
    return point as StatisticsPoint
  }),
})

/** The requests that are about to be sent, by their query. */
const batches = new Map<
  string,
  { readonly bssids: Set<string>; readonly response: ReturnType<typeof readStatistics> }
>()

/**
 * Reads a device's statistics, together with the other devices for which this is called at the same moment. Rejects like
 * `call`, with a 404 for a device that does not exist.
 */
async function readTogether(bssid: string, query: ChartQuery): Promise<DeviceStatistics> {
  const key = JSON.stringify(query)
  let batch = batches.get(key)
  if (batch === undefined || batch.bssids.size >= maxStatisticsDevices) {
    const bssids = new Set<string>()
    const response = new Promise(resolve => setTimeout(resolve)).then(() => {
      if (batches.get(key)?.bssids === bssids) batches.delete(key)
      return readStatistics([...bssids], query)
    })
    batch = { bssids, response }
    batches.set(key, batch)
  }
  batch.bssids.add(bssid)
  const statistics = (await batch.response).get(bssid)
  if (statistics === undefined) throw new ApiError(404, 'Device not found')
  return statistics
}

/** Returns a time of the same dates in a device's zone; `until` is an ISO time in the viewer's. */
const untilIn = (zone: string, until: string, viewerZone: string): string =>
  zone === viewerZone ? until : new Date(sameDateEnd(Date.parse(until), viewerZone, zone)).toISOString()

/** Returns whether the range has not ended in the zone that is used. */
function includesNow(bssid: string | undefined, { range, until, zone, inDeviceZone }: ChartQuery): boolean {
  if (until === undefined) return true
  const there = (inDeviceZone && bssid !== undefined && deviceZones[bssid]) || zone
  return bucketsOfPeriod(range, Date.parse(untilIn(there, until, zone)), there).edges.at(-1)! > Date.now()
}

/** Milliseconds between two polls of statistics that include now. */
const pollInterval = 60_000

/** Reads a device's statistics, polling while they include now. An undefined `bssid` reads nothing. */
export function useStatistics(bssid: string | undefined, query: ChartQuery): SWRResponse<DeviceStatistics> {
  const { range, until, zone, inDeviceZone = false } = query
  const isCurrent = includesNow(bssid, query)
  const config: SWRConfiguration<DeviceStatistics> = {
    refreshInterval: isCurrent ? pollInterval : 0,
    revalidateOnFocus: isCurrent,
    compare: isSameResponse,
    // The chart shows errors per device.
    onError: () => undefined,
    shouldRetryOnError: error => !(error instanceof ApiError && error.status === 404),
  }
  // A key prefix of its own, so that revalidating devices does not read all statistics again.
  const key = bssid === undefined ? null : (['statistics', bssid, range, until, zone, inDeviceZone] as const)
  return useSWR<DeviceStatistics>(key, () => readTogether(bssid!, query), config)
}
