/** What the screens read, by SWR; and what a change makes them read again. */
import useSWR, { mutate, type SWRConfiguration } from 'swr'
import { unstable_serialize } from 'swr'
import { useSnapshot } from 'valtio'
import { systemTimeZone } from '../domain/systemTimeZone.ts'
import { connection } from '../store/connection.ts'
import type { Entity, ListState } from '../store/lists.ts'
import { changedSince, detailWithChanged } from './changed.ts'
import { call } from './client.ts'
import { devices, type DeviceDetail } from './contract/devices.ts'
import { resourceOf, type Endpoint, type List, type ListQuery } from './contract/endpoint.ts'
import { cache } from './cache.ts'
import { listEndpoints, type Row } from './lists.ts'
import { queryOf, readList, readShown } from './readList.ts'
import { same } from './same.ts'

/** Milliseconds between two looks at the server while no stream tells of changes; and while one does, to be sure. */
export const pollInterval = 15_000
const reconcileInterval = 120_000

/** First the path, which tells what kind of thing it is, then what was asked of it. */
export type Key = readonly [path: string, query: unknown]

const polled: SWRConfiguration = {
  refreshInterval: pollInterval,
  keepPreviousData: true,
  revalidateOnFocus: true,
  compare: same,
}
const streamed: SWRConfiguration = { ...polled, refreshInterval: reconcileInterval }

/** How what is on screen keeps up with the server. */
export const useKeptUp = (): SWRConfiguration => (useSnapshot(connection).streaming ? streamed : polled)

export const listKey = (entity: Entity, query: ListQuery): Key => [listEndpoints[entity].path, query]

export const useList = <E extends Entity>(entity: E, query: ListQuery) =>
  useSWR<List<Row<E>>>(listKey(entity, query), () => readShown(entity, query), useKeptUp())

/** A page as it was read last, or else read now. It is shown at once when it is asked for, and read again like any other. */
export async function pageOf<E extends Entity>(entity: E, query: ListQuery): Promise<List<Row<E>>> {
  const key = listKey(entity, query)
  const known = cache.get(unstable_serialize(key))?.data as List<Row<E>> | undefined
  if (known) return known
  const page = await readList(entity, query)
  await mutate(key, page, { revalidate: false })
  return page
}

/** Reads a page before it is asked for. */
export function prefetchPage(entity: Entity, query: ListQuery): void {
  // Whoever turns to the page will be told what is wrong; reading ahead is not worth a message.
  pageOf(entity, query).catch(() => undefined)
}

/** The page that is on screen, if it has arrived. */
export function shownList<E extends Entity>(entity: E, list: Readonly<ListState>): List<Row<E>> | undefined {
  return cache.get(unstable_serialize(listKey(entity, queryOf(list))))?.data as List<Row<E>> | undefined
}

const deviceKey = (bssid: string): Key => [devices.detail.path, bssid]

/** The device that is on a screen of its own, if it has arrived. */
export const shownDevice = (bssid: string): DeviceDetail | undefined =>
  cache.get(unstable_serialize(deviceKey(bssid)))?.data as DeviceDetail | undefined

/** A device with the statistics of today, as the clock on the wall has it. No stream tells of those: they are polled. */
export const useDevice = (bssid: string | undefined) =>
  useSWR<DeviceDetail>(bssid ? deviceKey(bssid) : null, () => readDevice(bssid ?? ''), polled)

async function readDevice(bssid: string): Promise<DeviceDetail> {
  const asked = performance.now()
  const detail = await call(devices.detail, { params: { bssid }, query: { zone: systemTimeZone() } })
  return detailWithChanged(detail, changedSince(asked))
}

/** Reads a device before it is asked for. */
export function prefetchDevice(bssid: string): void {
  // Whoever opens it will be told what is wrong.
  if (!shownDevice(bssid)) mutate(deviceKey(bssid), readDevice(bssid), { revalidate: false }).catch(() => undefined)
}

/** Reads again what a call to `endpoint` may have changed: everything of its resource. */
export const revalidate = (endpoint: Endpoint): Promise<void> => revalidateResources([resourceOf(endpoint.path)])

/** Reads again all that is on screen. */
export async function rereadShown(): Promise<void> {
  await mutate(() => true)
}

export async function revalidateResources(resources: readonly string[]): Promise<void> {
  await mutate(key => Array.isArray(key) && resources.includes(resourceOf(String(key[0]))))
}
