/** The alarm load, and what commands read of it from the cache. */
import useSWR, { type SWRConfiguration } from 'swr'
import type { LoadRange } from '../../domain/notifications/alarmLoad.ts'
import { msPerMinute } from '../../domain/time.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { cachedData } from '../cache.ts'
import { call } from '../client.ts'
import { notifications, type AlarmLoad } from '../contract/notifications.ts'
import type { Key } from '../hooks.ts'

// No path of a resource: in a flood, each notification would read the whole load again.
const loadKey = (range: LoadRange): Key => ['alarm load', range]

const options: SWRConfiguration = { refreshInterval: msPerMinute, keepPreviousData: true }

/** Reads the alarm load by days of the system's time zone, and again every minute. */
export const useAlarmLoad = (range: LoadRange) =>
  useSWR<AlarmLoad>(
    loadKey(range),
    () => call(notifications.load, { query: { range, zone: systemTimeZone() } }),
    options,
  )

/** Returns the loaded alarm load; undefined while it is loading. */
export const cachedAlarmLoad = (range: LoadRange) => cachedData<AlarmLoad>(loadKey(range))
