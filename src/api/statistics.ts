/** Reads device statistics for the charts. */
import useSWR, { type SWRConfiguration, type SWRResponse } from 'swr'
import { proxy } from 'valtio/vanilla'
import { bucketsOfPeriod } from '../domain/buckets.ts'
import { sameDateEnd } from '../domain/charts/days.ts'
import { isSameResponse } from '../domain/lib/isSameResponse.ts'
import { call } from './client.ts'
import { devices, type DeviceDetail } from './contract/devices.ts'
import type { Range } from './contract/statistics.ts'
import { ApiError } from './errors.ts'

export interface StatisticsQuery {
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

/** Concurrent requests: enough to keep the server busy, few enough to leave capacity for other requests. */
const maxConcurrent = 4
let running = 0
const waiting: (() => void)[] = []

async function limitConcurrency<T>(run: () => Promise<T>): Promise<T> {
  if (running >= maxConcurrent) await new Promise<void>(resolve => waiting.push(resolve))
  running++
  try {
    return await run()
  } finally {
    running--
    waiting.shift()?.()
  }
}

/** The devices' last known zones (null is the viewer's), with which one request for statistics is enough. */
export const deviceZones = proxy<Record<string, string | null>>({})

/** Returns the query for what the charts show; `zone` is the viewer's. */
export const statisticsQuery = (
  { range, until, zone: clocks }: { range: Range; until: string | undefined; zone: 'viewer' | 'device' },
  zone: string,
): StatisticsQuery => ({ range, until, zone, inDeviceZone: clocks === 'device' })

/** Reads a device's statistics, with at most `maxConcurrent` requests at a time. Rejects like `call`. */
export async function readStatistics(
  bssid: string,
  query: StatisticsQuery,
  signal?: AbortSignal,
): Promise<DeviceStatistics> {
  const read = (zone: string) => {
    const until = query.until && untilIn(zone, query.until, query.zone)
    const input = { range: query.range, zone, ...(until && { until }) }
    return limitConcurrency(() => call(devices.detail, { params: { bssid }, query: input, ...(signal && { signal }) }))
  }
  const zoneOf = (deviceZone: string | null | undefined) => (query.inDeviceZone && deviceZone) || query.zone
  const first = zoneOf(deviceZones[bssid])
  let detail = await read(first)
  deviceZones[bssid] = detail.time_zone
  if (zoneOf(detail.time_zone) !== first) detail = await read(zoneOf(detail.time_zone))
  return {
    bssid: detail.bssid,
    description: detail.description,
    company: detail.vendor.company_name,
    timeZone: detail.time_zone,
    statistics: detail.statistics,
  }
}

/** Returns a time of the same dates in a device's zone; `until` is an ISO time in the viewer's. */
const untilIn = (zone: string, until: string, viewerZone: string): string =>
  zone === viewerZone ? until : new Date(sameDateEnd(Date.parse(until), viewerZone, zone)).toISOString()

/** Returns whether the range has not ended in the zone that is used. */
function includesNow(bssid: string | undefined, { range, until, zone, inDeviceZone }: StatisticsQuery): boolean {
  if (until === undefined) return true
  const there = (inDeviceZone && bssid !== undefined && deviceZones[bssid]) || zone
  return bucketsOfPeriod(range, Date.parse(untilIn(there, until, zone)), there).edges.at(-1)! > Date.now()
}

/** Milliseconds between two polls of statistics that include now. */
const pollInterval = 60_000

/** Reads a device's statistics, polling while they include now. An undefined `bssid` reads nothing. */
export function useStatistics(bssid: string | undefined, query: StatisticsQuery): SWRResponse<DeviceStatistics> {
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
  return useSWR<DeviceStatistics>(key, () => readStatistics(bssid!, query), config)
}
