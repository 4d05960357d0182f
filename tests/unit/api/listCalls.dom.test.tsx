/** What list calls send: all parameters of the specification's section 7, with its defaults of section 9. */
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { devices } from '../../../src/api/contract/devices.ts'
import { cachePage, loadPage, useList } from '../../../src/api/hooks.ts'
import { queryOf, readList, readVisiblePage, requestEarly } from '../../../src/api/readList.ts'
import { findDevices } from '../../../src/api/search.ts'
import { findEntities } from '../../../src/api/searchEntities.ts'
import { entities, initialList, type Entity } from '../../../src/store/lists.ts'

let requests: URL[]
beforeEach(() => {
  requests = []
  vi.stubGlobal('fetch', (path: string) => {
    requests.push(new URL(path, 'http://server'))
    return Promise.resolve(new Response(JSON.stringify({ data: { count: 0, data: [] } })))
  })
})
afterEach(() => void vi.unstubAllGlobals())

const sent = () => requests.map(({ searchParams }) => Object.fromEntries(searchParams))

const defaultColumns: Readonly<Record<Entity, string>> = {
  admins: 'login',
  vendors: 'login',
  users: 'email',
  devices: 'bssid',
  models: 'name',
  groups: 'name',
  filtrationSystems: 'model',
  cartridgeTypes: 'model',
  findings: 'bssid',
  audit: 'action',
  servers: 'name',
}

test.each(entities)('the list of %s sends all parameters, whatever is chosen', async entity => {
  const column = defaultColumns[entity]
  await readList(entity, queryOf(initialList()))
  await readList(entity, queryOf({ ...initialList(), search: 'kit', operator: 'sw', page: 3, limit: 50 }))
  await readList(entity, queryOf({ ...initialList(), sort: column, direction: 'desc' }))
  const defaults = { offset: '0', limit: '20', search: '', column, operator: 'co', sort: '', direction: 'asc' }
  expect(sent()).toEqual([
    defaults,
    { ...defaults, search: 'kit', operator: 'sw', offset: '100', limit: '50' },
    { ...defaults, sort: column, direction: 'desc' },
  ])
})

test('a search column that is chosen before a text is typed does not change the query, so nothing is read again', () => {
  expect(queryOf({ ...initialList(), column: 'status', operator: 'eq' })).toEqual(queryOf(initialList()))
})

test('a page to be shown may have an estimate of how many rows a search finds, which no other call gets', async () => {
  const query = queryOf({ ...initialList(), search: 'kit' })
  await readVisiblePage('devices', query)
  await loadPage('devices', queryOf({ ...initialList(), search: 'kit', page: 2 }))
  await readVisiblePage('devices', queryOf(initialList()))
  await readList('devices', query)
  expect(sent().map(({ count }) => count)).toEqual(['estimate', 'estimate', undefined, undefined])
})

test('the first page, requested before the console has loaded, is not requested again', async () => {
  void requestEarly('devices', queryOf(initialList()))
  await readVisiblePage('devices', queryOf(initialList()))
  expect(requests).toHaveLength(1)
})

test('the first render has a page that was read before it, and does not request it again', async () => {
  const query = queryOf(initialList())
  const page = await requestEarly('devices', query)
  cachePage('devices', query, page!)
  const renders: unknown[] = []
  const { unmount } = renderHook(() => {
    const { data, isLoading } = useList('devices', query)
    renders.push([data, isLoading])
  })
  expect(renders[0]).toEqual([page, false])
  await act(async () => void (await readVisiblePage('models', query)))
  expect(requests.map(({ pathname }) => pathname)).toEqual(['/api/v3/devices', '/api/v3/devices/models'])
  unmount()
})

test('an early request that fails resolves without a page, and the list reports the error', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('{"message":"No"}', { status: 500 })))
  const query = queryOf(initialList())
  expect(await requestEarly('devices', query)).toBeUndefined()
  await expect(readVisiblePage('devices', query)).rejects.toThrow('No')
})

test('searches for devices and other entities send all parameters too', async () => {
  const { signal } = new AbortController()
  await findDevices('cafe', signal)
  await findEntities('RO', 'admin', signal)
  const names = ['offset', 'limit', 'search', 'column', 'operator', 'sort', 'direction']
  expect(requests.length).toBeGreaterThan(3)
  for (const { pathname, searchParams } of requests)
    expect([...searchParams.keys()]).toEqual(pathname === devices.list.path ? [...names, 'count'] : names)
})
