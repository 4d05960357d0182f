/** Reads device statistics for the charts. */
import useSWR, { type SWRConfiguration, type SWRResponse } from 'swr'
import { proxy } from 'valtio/vanilla'
import { newestDayEnd, sameDateEnd } from '../domain/charts/days.ts'
import { dayOf, wallTime } from '../domain/zone.ts'
import { call } from './client.ts'
import { devices, type DeviceDetail } from './contract/devices.ts'
import type { Range } from './contract/statistics.ts'
import { ApiError } from './errors.ts'
import { isSameResponse } from '../domain/lib/isSameResponse.ts'

export interface StatisticsQuery {
  readonly range: Range
  /** ISO time within the last day, or its end; undefined is now. */
  readonly until?: string | undefined
  /** The viewer's zone, an IANA name. */
  readonly zone: string
  /** Whether to use the device's own zone if it has one; its last day has the same date as the viewer's. */
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

interface ChartTime {
  readonly range: Range
  readonly until: string | undefined
  readonly zone: 'viewer' | 'device'
}

/**
 * Returns the query for these devices' statistics. In device zones the newest day has the latest current date in any of
 * the known zones. `now`: milliseconds UTC; `zone`: the viewer's.
 */
export function statisticsQuery(
  { range, until, zone: clocks }: ChartTime,
  bssids: readonly string[],
  now: number,
  zone: string,
  zones: Readonly<Record<string, string | null>> = deviceZones,
): StatisticsQuery {
  if (clocks === 'viewer') return { range, until, zone, inDeviceZone: false }
  const knownZones = bssids.flatMap(bssid => (zones[bssid] === undefined ? [] : [zones[bssid] ?? zone]))
  const newest = newestDayEnd(now, zone, knownZones)
  const today = newestDayEnd(now, zone, [])
  return {
    range,
    until: until ?? (newest === today ? undefined : new Date(newest).toISOString()),
    zone,
    inDeviceZone: true,
  }
}

/** Reads a device's statistics, with at most `maxConcurrent` requests at a time. Rejects like `call`. */
export async function readStatistics(
  bssid: string,
  query: StatisticsQuery,
  signal?: AbortSignal,
): Promise<DeviceStatistics> {
  const read = (zone: string) => {
    const until =
      zone === query.zone ? query.until : new Date(sameDateEnd(untilOf(query), query.zone, zone)).toISOString()
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

const untilOf = ({ until }: StatisticsQuery) => (until === undefined ? Date.now() : Date.parse(until))

/** Returns whether the last day is today or later in the zone that is used. */
function includesNow(bssid: string | undefined, { until, zone, inDeviceZone }: StatisticsQuery): boolean {
  const there = (inDeviceZone && bssid !== undefined && deviceZones[bssid]) || zone
  return until === undefined || wallTime(zone, Date.parse(until) - 1) >= dayOf(wallTime(there, Date.now()))
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
