/** Charts of several devices need one request. */
import { renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SWRConfig } from 'swr'
import { useStatistics, type ChartQuery } from '../../../src/api/statistics.ts'
import type { ManyStatistics } from '../../../src/api/contract/statistics.ts'
import { emptyPoint } from '../../../src/domain/charts/emptyPoint.ts'

let requests: URL[]
const known = ['A', 'B', 'C']
const series = Object.fromEntries(Object.keys(emptyPoint).map((measure, place) => [measure, [place, null]]))

function responseTo(url: URL): { data: ManyStatistics } {
  const ids = url.searchParams.get('ids')!.split(',')
  const at = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:10:00.000Z']
  const names = { description: '', company_name: 'C', time_zone: null, grid: 0 }
  const devices = ids.filter(id => known.includes(id)).map(bssid => ({ bssid, ...names, series }))
  const grid = { from: at[0]!, to: '2026-01-01T00:20:00.000Z', bucket_seconds: 600, at }
  return { data: { grids: [grid], devices: devices as ManyStatistics['devices'] } }
}

beforeEach(() => {
  requests = []
  vi.stubGlobal('fetch', (path: string) => {
    const url = new URL(path, 'http://server')
    requests.push(url)
    return Promise.resolve(new Response(JSON.stringify(responseTo(url))))
  })
})
afterEach(() => void vi.unstubAllGlobals())

const day: ChartQuery = { range: 'day', zone: 'UTC' }
const week: ChartQuery = { range: 'week', zone: 'UTC', inDeviceZone: true }

/** Reads a device's statistics as a chart does. `cache` belongs to one page. */
const read = (cache: Map<string, object>, bssid: string, query: ChartQuery) =>
  renderHook(() => useStatistics(bssid, query), {
    wrapper: ({ children }) => <SWRConfig value={{ provider: () => cache }}>{children}</SWRConfig>,
  }).result

test('devices that are shown together are read by one request for each query', async () => {
  const cache = new Map<string, object>()
  const results = [read(cache, 'A', day), read(cache, 'B', day), read(cache, 'C', week)]
  for (const { current } of results) expect(current.data).toBeUndefined()
  await waitFor(() => expect(results.map(({ current }) => current.data?.bssid)).toEqual(['A', 'B', 'C']))
  expect(requests.map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual([
    { ids: 'A,B', range: 'day', zone: 'UTC', in_device_zone: 'false' },
    { ids: 'C', range: 'week', zone: 'UTC', in_device_zone: 'true' },
  ])
  const { statistics } = results[1]!.current.data!
  expect(statistics).toMatchObject({ from: '2026-01-01T00:00:00.000Z', bucket_seconds: 600 })
  const values = Object.fromEntries(Object.keys(emptyPoint).map((measure, place) => [measure, place]))
  expect(statistics.points).toEqual([
    { at: '2026-01-01T00:00:00.000Z', ...values },
    { at: '2026-01-01T00:10:00.000Z', ...emptyPoint },
  ])
})

test('a device that does not exist fails by itself', async () => {
  const cache = new Map<string, object>()
  const [existing, absent] = [read(cache, 'A', day), read(cache, 'X', day)]
  expect([existing.current.data, absent.current.error]).toEqual([undefined, undefined])
  await waitFor(() => expect(absent.current.error).toMatchObject({ status: 404, message: 'Device not found' }))
  await waitFor(() => expect(existing.current.data?.bssid).toBe('A'))
  expect(requests).toHaveLength(1)
})
