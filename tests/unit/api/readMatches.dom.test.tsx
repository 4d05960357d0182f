/** Reading all matches of a search in pages, while rows begin and cease to match. */
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { readMatches } from '../../../src/api/readMatches.ts'
import { bssidOf, fleetDevice, serveFleet, type FleetDevice } from '../support/fleet.ts'

afterEach(() => vi.restoreAllMocks())

const search = { search: 'A4', column: undefined, operator: 'co' }
const { signal } = new AbortController()
const devices = (from: number, count: number) => Array.from({ length: count }, (_, at) => fleetDevice(from + at))
/** Reads all matches. `change` changes the fleet before each page after the first. */
async function read(first: FleetDevice[], change: (fleet: FleetDevice[], page: number) => FleetDevice[]) {
  let fleet = first
  let pages = 0
  const requests = serveFleet(() => {
    if (pages++ > 0) fleet = change(fleet, pages)
    return fleet
  })
  const rows = await readMatches('devices', search, { report: () => undefined, signal })
  return { ids: rows.map(row => row.bssid), requests, fleet }
}

test('matches that stay the same are read with one request for each thousand', async () => {
  const { ids, requests } = await read(devices(0, 2500), fleet => fleet)
  expect(ids).toEqual(devices(0, 2500).map(({ bssid }) => bssid))
  expect(requests).toHaveLength(3)
  expect((await read(devices(0, 1000), fleet => fleet)).requests).toHaveLength(1)
})

test('a device is not skipped if some before it cease to match between two pages', async () => {
  const { ids } = await read(devices(0, 1500), (fleet, page) => (page === 2 ? fleet.slice(40) : fleet))
  expect(ids).toEqual(devices(0, 1500).map(({ bssid }) => bssid))
})

test('a device is not skipped if so many cease to match that the next page is empty', async () => {
  const { ids } = await read(devices(0, 1005), (fleet, page) => (page === 2 ? fleet.slice(40) : fleet))
  expect(ids).toHaveLength(1005)
})

test('a device is not skipped if many before it cease to match between two pages', async () => {
  const { ids } = await read(devices(0, 3500), (fleet, page) => (page === 3 ? fleet.slice(900) : fleet))
  expect(ids).toEqual(devices(0, 3500).map(({ bssid }) => bssid))
})

test('law: devices that match all the time are all read once, and reading ends', async () => {
  const changes = fc.array(fc.record({ left: fc.nat(2499), came: fc.nat(400), gone: fc.nat(1500) }), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(changes, async all => {
      const { ids, fleet } = await read(devices(500, 2500), (before, page) => {
        const { left, came, gone } = all[page - 2] ?? { left: 0, came: 0, gone: 0 }
        return [...devices(page * 10_000, came), ...before.slice(0, left), ...before.slice(left + gone)]
      })
      expect(new Set(ids).size).toBe(ids.length)
      const start = new Set(devices(500, 2500).map(({ bssid }) => bssid))
      const always = fleet.filter(({ bssid }) => start.has(bssid)).map(({ bssid }) => bssid)
      const known = new Set(ids)
      expect(always.filter(id => !known.has(id))).toEqual([])
    }),
    { numRuns: 20 },
  )
})

test('reading ends although other devices match at each request', async () => {
  const { ids, requests } = await read(devices(0, 2000), (_, page) => devices(page * 2000, 2000))
  expect(requests.length).toBeLessThan(30)
  expect(ids).toContain(bssidOf(0))
})
