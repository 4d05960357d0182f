/** A device's statistics, as the charts ask for them. */
import useSWR, { type SWRConfiguration, type SWRResponse } from 'swr'
import { proxy } from 'valtio/vanilla'
import { newestDayEnd, sameDateEnd } from '../domain/charts/days.ts'
import { dayOf, wallTime } from '../domain/zone.ts'
import { call } from './client.ts'
import { devices, type DeviceDetail } from './contract/devices.ts'
import type { Range } from './contract/statistics.ts'
import { ApiError } from './errors.ts'
import { same } from './same.ts'

export interface StatisticsAsked {
  readonly range: Range
  /** ISO time in the last day, or its end; undefined is now. */
  readonly until?: string | undefined
  /** The viewer's zone, an IANA name. */
  readonly zone: string
  /** In the device's own zone where it has one; its last day has the same date as the viewer's. */
  readonly own?: boolean
}

export interface DeviceStatistics {
  readonly bssid: string
  readonly description: string
  readonly company: string
  /** IANA; null is the viewer's. */
  readonly timeZone: string | null
  readonly statistics: DeviceDetail['statistics']
}

/** Calls at once: enough to keep the server busy, few enough to leave room for what else is asked. */
const maxConcurrent = 4
let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(run: () => Promise<T>): Promise<T> {
  if (running >= maxConcurrent) await new Promise<void>(resolve => waiting.push(resolve))
  running++
  try {
    return await run()
  } finally {
    running--
    waiting.shift()?.()
  }
}

/** Devices' own zones as they were last heard of, null is the viewer's: so that one call is enough. */
export const deviceZones = proxy<Record<string, string | null>>({})

interface Shown {
  readonly range: Range
  readonly until: string | undefined
  readonly zone: 'viewer' | 'device'
}

/**
 * What is asked of each of these devices. On their own clocks the newest day has the latest date that it is where they
 * are, as far as that is known. `now`: milliseconds UTC; `zone`: the viewer's.
 */
export function statisticsAsked(
  { range, until, zone: clocks }: Shown,
  bssids: readonly string[],
  now: number,
  zone: string,
  zones: Readonly<Record<string, string | null>> = deviceZones,
): StatisticsAsked {
  if (clocks === 'viewer') return { range, until, zone, own: false }
  const known = bssids.flatMap(bssid => (zones[bssid] === undefined ? [] : [zones[bssid] ?? zone]))
  const newest = newestDayEnd(now, zone, known)
  const today = newestDayEnd(now, zone, [])
  return { range, until: until ?? (newest === today ? undefined : new Date(newest).toISOString()), zone, own: true }
}

/** A few at a time; the others wait for their turn. Rejects as `call` does. */
export async function readStatistics(
  bssid: string,
  asked: StatisticsAsked,
  signal?: AbortSignal,
): Promise<DeviceStatistics> {
  const read = (zone: string) => {
    const until = zone === asked.zone ? asked.until : new Date(sameDateEnd(untilOf(asked), asked.zone, zone)).toISOString()
    const query = { range: asked.range, zone, ...(until && { until }) }
    return inTurn(() => call(devices.detail, { params: { bssid }, query, ...(signal && { signal }) }))
  }
  const zoneOf = (own: string | null | undefined) => (asked.own && own) || asked.zone
  const first = zoneOf(deviceZones[bssid])
  let found = await read(first)
  deviceZones[bssid] = found.time_zone
  if (zoneOf(found.time_zone) !== first) found = await read(zoneOf(found.time_zone))
  return {
    bssid: found.bssid,
    description: found.description,
    company: found.vendor.company_name,
    timeZone: found.time_zone,
    statistics: found.statistics,
  }
}

const untilOf = ({ until }: StatisticsAsked) => (until === undefined ? Date.now() : Date.parse(until))

/** Whether the last day is today where the device's days are counted, or later. */
function includesNow(bssid: string | undefined, { until, zone, own }: StatisticsAsked): boolean {
  const there = (own && bssid !== undefined && deviceZones[bssid]) || zone
  return until === undefined || wallTime(zone, Date.parse(until) - 1) >= dayOf(wallTime(there, Date.now()))
}

/** Milliseconds between two looks at what still grows. */
const growing = 60_000

/** Statistics of one device; read again while they include now. Nothing is asked while `bssid` is undefined. */
export function useStatistics(bssid: string | undefined, asked: StatisticsAsked): SWRResponse<DeviceStatistics> {
  const { range, until, zone, own = false } = asked
  const grows = includesNow(bssid, asked)
  const config: SWRConfiguration<DeviceStatistics> = {
    refreshInterval: grows ? growing : 0,
    revalidateOnFocus: grows,
    compare: same,
    // Said where the device is, for each by itself.
    onError: () => undefined,
    shouldRetryOnError: error => !(error instanceof ApiError && error.status === 404),
  }
  // A name of its own in front: a change to devices does not have all of this read again.
  const key = bssid === undefined ? null : (['statistics', bssid, range, until, zone, own] as const)
  return useSWR<DeviceStatistics>(key, () => readStatistics(bssid!, asked), config)
}
