/** What the screens read, by SWR; and what a change makes them read again. */
import useSWR, { mutate, preload, type SWRConfiguration } from 'swr'
import { unstable_serialize } from 'swr'
import type { ListState } from '../store/lists.ts'
import { call } from './client.ts'
import { devices, type Device, type DeviceDetail } from './contract/devices.ts'
import type { Endpoint, List, ListQuery, Operator } from './contract/endpoint.ts'
import { cache } from './cache.ts'

/** Between two looks at the server while no stream tells of changes. */
export const pollInterval = 15_000

/** First the path, which tells what kind of thing it is, then what was asked of it. */
type Key = readonly [path: string, query: unknown]

export const everyList: SWRConfiguration = {
  refreshInterval: pollInterval,
  keepPreviousData: true,
  revalidateOnFocus: true,
}

export function queryOf(list: Readonly<ListState>, page = list.page): ListQuery {
  return {
    offset: (page - 1) * list.limit,
    limit: list.limit,
    ...(list.search ? { search: list.search, column: list.column, operator: list.operator as Operator } : {}),
    ...(list.sort ? { sort: list.sort, direction: list.direction } : {}),
  }
}

const deviceListKey = (query: ListQuery): Key => [devices.list.path, query]
const fetchDevices = ([, query]: Key) => call(devices.list, { query: query as ListQuery })

export const useDevices = (query: ListQuery) => useSWR<List<Device>>(deviceListKey(query), fetchDevices, everyList)

/** Asks for a page that is about to be shown; whoever shows it gets this answer, or this error. */
export const askAhead = (query: ListQuery): void => {
  Promise.resolve(preload(deviceListKey(query), fetchDevices)).catch(() => undefined)
}

/** Reads a page before it is asked for. It is shown at once when it is, and read again then like any other. */
export function readAhead(query: ListQuery): void {
  const key = deviceListKey(query)
  if (cache.get(unstable_serialize(key))?.data) return
  // Whoever turns to the page will be told what is wrong; reading ahead is not worth a message.
  mutate(key, fetchDevices(key), { revalidate: false }).catch(() => undefined)
}

/** The page of devices that is on screen, if it has arrived. */
export function shownDevices(list: Readonly<ListState>): List<Device> | undefined {
  return cache.get(unstable_serialize(deviceListKey(queryOf(list))))?.data as List<Device> | undefined
}

const deviceKey = (bssid: string): Key => [devices.detail.path, bssid]

/** The device that is on a screen of its own, if it has arrived. */
export const shownDevice = (bssid: string): DeviceDetail | undefined =>
  cache.get(unstable_serialize(deviceKey(bssid)))?.data as DeviceDetail | undefined

export const useDevice = (bssid: string | undefined) =>
  useSWR<DeviceDetail>(
    bssid ? deviceKey(bssid) : null,
    () => call(devices.detail, { params: { bssid: bssid ?? '' } }),
    everyList,
  )

const resourceOf = (path: string) => path.split('/')[3]

/** Reads again what a call to `endpoint` may have changed: everything of its resource. */
export async function revalidate(endpoint: Endpoint): Promise<void> {
  const changed = resourceOf(endpoint.path)
  await mutate(key => Array.isArray(key) && resourceOf(String(key[0])) === changed)
}
