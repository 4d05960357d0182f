/** SWR hooks for lists and devices, and their revalidation after changes. */
import useSWR, { mutate, type SWRConfiguration } from 'swr'
import { unstable_serialize } from 'swr'
import { useSnapshot } from 'valtio'
import { listDefinitions } from '../domain/lists/lists.ts'
import { devicePath } from '../domain/lists/query.ts'
import { isSameResponse } from '../domain/lib/isSameResponse.ts'
import { systemTimeZone } from '../domain/systemTimeZone.ts'
import { connection } from '../store/connection.ts'
import type { Entity, ListState } from '../store/lists.ts'
import { updatesSince, updateDetail } from './deviceUpdates.ts'
import { call } from './client.ts'
import type { DeviceDetail } from './contract/devices.ts'
import type { Endpoint, List, ListQuery } from './contract/endpoint.ts'
import { resourceOf } from './contract/address.ts'
import { cache, cachedData } from './cache.ts'
import type { Row } from './lists.ts'
import { queryOf, readList, readVisiblePage, shownQuery } from './readList.ts'

/** Milliseconds between two polls without a stream; with one, lists are reconciled less often. */
export const pollInterval = 15_000
const reconcileInterval = 120_000

/**
 * A cache key: the endpoint's path, which contains the resource, the query, and the path of another resource whose changes
 * it shows, if there is one.
 */
export type Key = readonly [path: string, query: unknown, other?: string]

const pollingOptions: SWRConfiguration = {
  refreshInterval: pollInterval,
  keepPreviousData: true,
  revalidateOnFocus: true,
  compare: isSameResponse,
}
const streamingOptions: SWRConfiguration = { ...pollingOptions, refreshInterval: reconcileInterval }

/** Returns SWR options that poll, or only reconcile while the stream is connected. */
export const useRefreshOptions = (): SWRConfiguration =>
  useSnapshot(connection).streaming ? streamingOptions : pollingOptions

/** Returns the cache key of a page of a list. */
export const listKey = (entity: Entity, query: ListQuery): Key => [listDefinitions[entity].endpoint.path, query]

/** Reads a page of a list and keeps it up to date. */
export const useList = <E extends Entity>(entity: E, query: ListQuery) =>
  useSWR<List<Row<E>>>(listKey(entity, query), () => readVisiblePage(entity, query), useRefreshOptions())

/** Returns a page from the cache, or reads it into the cache. */
export async function loadPage<E extends Entity>(entity: E, query: ListQuery): Promise<List<Row<E>>> {
  const key = listKey(entity, query)
  const cached = cachedData<List<Row<E>>>(key)
  if (cached) return cached
  const page = await readList(entity, shownQuery(query))
  await mutate(key, page, { revalidate: false })
  return page
}

/** Puts a page that has just been read into the cache, so that the first render already has it. */
export function cachePage<E extends Entity>(entity: E, query: ListQuery, page: List<Row<E>>): void {
  cache.set(unstable_serialize(listKey(entity, query)), { data: page, isLoading: false, isValidating: false })
}

/** Reads a page into the cache in advance. */
export function prefetchPage(entity: Entity, query: ListQuery): void {
  // A failed prefetch is silent: opening the page reads it again and reports the error.
  loadPage(entity, query).catch(() => undefined)
}

/** Returns the page on screen; undefined while it is loading. */
export function cachedList<E extends Entity>(entity: E, list: Readonly<ListState>): List<Row<E>> | undefined {
  return cachedData(listKey(entity, queryOf(list)))
}

const deviceKey = (bssid: string): Key => [devicePath, bssid]

/** Returns a device's cached detail; undefined if it has not loaded. */
export const cachedDevice = (bssid: string): DeviceDetail | undefined => cachedData(deviceKey(bssid))

/**
 * Reads a device with the statistics of the last 24 hours, in buckets of the system's time zone. Always polls, as the
 * stream carries no statistics.
 */
export const useDevice = (bssid: string | undefined) =>
  useSWR<DeviceDetail>(bssid ? deviceKey(bssid) : null, () => readDevice(bssid ?? ''), pollingOptions)

async function readDevice(bssid: string): Promise<DeviceDetail> {
  const requested = performance.now()
  const input = { params: { bssid }, query: { zone: systemTimeZone() } }
  const detail = (await call({ method: 'GET', path: devicePath }, input)) as DeviceDetail
  return updateDetail(detail, updatesSince(requested))
}

/** Reads a device into the cache in advance. */
export function prefetchDevice(bssid: string): void {
  // A failed prefetch is silent: opening the device reads it again and reports the error.
  if (!cachedDevice(bssid)) mutate(deviceKey(bssid), readDevice(bssid), { revalidate: false }).catch(() => undefined)
}

/** Revalidates the resource that a call to `endpoint` may have changed. */
export const revalidate = (endpoint: Endpoint): Promise<void> => revalidateResources([resourceOf(endpoint.path)])

/** Revalidates everything on screen. */
export async function revalidateAll(): Promise<void> {
  await mutate(() => true)
}

/** Revalidates the cached responses of these resources. */
export async function revalidateResources(resources: readonly string[]): Promise<void> {
  await mutate(key => Array.isArray(key) && [key[0], key[2]].some(path => resources.includes(resourceOf(String(path)))))
}
