/** What the screens read, by SWR; and what a change makes them read again. */
import useSWR, { mutate, type SWRConfiguration } from 'swr'
import { unstable_serialize } from 'swr'
import { ownZone } from '../domain/ownZone.ts'
import type { Role } from '../domain/roles.ts'
import type { Entity, ListState } from '../store/lists.ts'
import { call } from './client.ts'
import { admins, vendors } from './contract/accounts.ts'
import { devices, type DeviceDetail } from './contract/devices.ts'
import type { Endpoint, List, ListQuery } from './contract/endpoint.ts'
import { cache } from './cache.ts'
import { listEndpoints, type Row } from './lists.ts'
import { queryOf, readList, readShown } from './readList.ts'

/** Between two looks at the server while no stream tells of changes. */
export const pollInterval = 15_000

/** First the path, which tells what kind of thing it is, then what was asked of it. */
type Key = readonly [path: string, query: unknown]

export const everyList: SWRConfiguration = {
  refreshInterval: pollInterval,
  keepPreviousData: true,
  revalidateOnFocus: true,
}

const listKey = (entity: Entity, query: ListQuery): Key => [listEndpoints[entity].path, query]

export const useList = <E extends Entity>(entity: E, query: ListQuery) =>
  useSWR<List<Row<E>>>(listKey(entity, query), () => readShown(entity, query), everyList)

/** Reads a page before it is asked for. It is shown at once when it is, and read again then like any other. */
export function readAhead(entity: Entity, query: ListQuery): void {
  const key = listKey(entity, query)
  if (cache.get(unstable_serialize(key))?.data) return
  // Whoever turns to the page will be told what is wrong; reading ahead is not worth a message.
  mutate(key, readList(entity, query), { revalidate: false }).catch(() => undefined)
}

/** The page that is on screen, if it has arrived. */
export function shownList<E extends Entity>(entity: E, list: Readonly<ListState>): List<Row<E>> | undefined {
  return cache.get(unstable_serialize(listKey(entity, queryOf(list))))?.data as List<Row<E>> | undefined
}

const deviceKey = (bssid: string): Key => [devices.detail.path, bssid]

/** The device that is on a screen of its own, if it has arrived. */
export const shownDevice = (bssid: string): DeviceDetail | undefined =>
  cache.get(unstable_serialize(deviceKey(bssid)))?.data as DeviceDetail | undefined

/** A device with the statistics of today, as the clock on the wall has it. */
export const useDevice = (bssid: string | undefined) =>
  useSWR<DeviceDetail>(
    bssid ? deviceKey(bssid) : null,
    () => call(devices.detail, { params: { bssid: bssid ?? '' }, query: { zone: ownZone() } }),
    everyList,
  )

/** The own account of an administrator or a vendor; superadmins have none to show. */
export const useProfile = (role: Role | undefined) => {
  const endpoint = role === 'admin' ? admins.profile : role === 'vendor' ? vendors.profile : undefined
  return useSWR(endpoint ? ([endpoint.path, null] satisfies Key) : null, () => endpoint && call(endpoint))
}

const resourceOf = (path: string) => path.split('/')[3]

/** Reads again what a call to `endpoint` may have changed: everything of its resource. */
export async function revalidate(endpoint: Endpoint): Promise<void> {
  const changed = resourceOf(endpoint.path)
  await mutate(key => Array.isArray(key) && resourceOf(String(key[0])) === changed)
}
