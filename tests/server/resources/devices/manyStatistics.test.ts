/** The statistics of several devices equal those of each device alone. */
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import type { DeviceDetail } from '../../../../src/api/contract/devices.ts'
import { maxStatisticsDevices, ranges, type ManyStatistics } from '../../../../src/api/contract/statistics.ts'
import { bucketsOfPeriod } from '../../../../src/domain/buckets.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { readingDays } from '../../../../server/db/schema/telemetry.ts'
import { startServer } from '../../support/harness.ts'
import { day, hour, newDevice, readingAt, testIngest } from '../../support/devices/readingSamples.ts'

const server = await startServer()
const { call, clock, db, signIn } = server
const ingest = testIngest(server)
afterAll(() => ingest.close())
const vendor = await signIn('vendor')
clock.advance(Date.parse('2026-07-20T12:00:00Z') - clock.now().getTime())
const admin = { token: (await signIn('admin')).access_token }

type Query = Readonly<Record<string, string>>
const ask = (ids: readonly string[], query: Query, caller = admin) =>
  call('GET', `/api/v3/devices/statistics?${new URLSearchParams({ ...query, ids: ids.join() })}`, caller)
async function statistics(ids: readonly string[], query: Query, caller = admin): Promise<ManyStatistics> {
  const answer = await ask(ids, query, caller)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ data: ManyStatistics }>().data
}
/** Returns a device's statistics as the endpoint of a single device has them. */
function pointsOf({ grids, devices: found }: ManyStatistics, bssid: string): DeviceDetail['statistics'] {
  const { grid, series } = found.find(one => one.bssid === bssid)!
  const { at, ...bounds } = grids[grid]!
  const points = at.map((start, row) => ({
    at: start,
    ...Object.fromEntries(Object.entries(series).map(([name, values]) => [name, values[row]])),
  }))
  return { ...bounds, points: points as DeviceDetail['statistics']['points'] }
}
async function alone(bssid: string, query: Query): Promise<DeviceDetail['statistics']> {
  const answer = await call('GET', `/api/v3/devices/${bssid}?${new URLSearchParams(query)}`, admin)
  return answer.json<{ data: DeviceDetail }>().data.statistics
}

/** Devices with readings at different times, the last one without any. */
async function fleet(): Promise<string[]> {
  const bssids = [await newDevice(db), await newDevice(db), await newDevice(db), await newDevice(db)]
  const now = clock.now().getTime()
  await Promise.all(
    bssids.slice(0, 3).map((bssid, place) => {
      const backs = Array.from({ length: 39 }, (_, at) => at + 1).filter(back => back % (place + 1) === 0)
      const readings = backs.flatMap(back => [
        readingAt(now - back * 9 * day - place * hour, { feed: back, permeate: back / 3, pressure: 3 + place }),
        readingAt(now - back * hour - place * hour, { feed_tds: null, permeate_flow: place === 2 ? 0 : 0.4 }),
      ])
      return ingest.add(bssid, readings)
    }),
  )
  return bssids
}

test.each(ranges)('of a %s equal those of each device, in any zone', async range => {
  const bssids = await fleet()
  for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Kathmandu']) {
    const query = { range, zone }
    // One device's days are stored before, so that the devices miss different days.
    const first = await alone(bssids[1]!, query)
    // Days are computed first and then read from the stored ones.
    for (const _ of [1, 2]) {
      const all = await statistics(bssids, query)
      expect(all.grids).toHaveLength(1)
      for (const bssid of bssids) expect(pointsOf(all, bssid)).toEqual(await alone(bssid, query))
      expect(pointsOf(all, bssids[1]!)).toEqual(first)
    }
  }
  const stored = await db.$count(readingDays, eq(readingDays.bssid, bssids[0]!))
  expect(stored > 0).toBe(range === 'year')
})

test('of devices in their own zones have the same dates', async () => {
  const [here, east, west] = (await fleet()) as [string, string, string, string]
  await db.update(devices).set({ time_zone: 'Pacific/Auckland' }).where(eq(devices.bssid, east))
  await db.update(devices).set({ time_zone: 'America/Lima' }).where(eq(devices.bssid, west))
  const until = '2026-07-14T22:00:00Z'
  const query = { range: 'day', zone: 'Europe/Berlin', until }
  const all = await statistics([here, east, west], { ...query, in_device_zone: 'true' })
  for (const [bssid, zone] of [
    [here, 'Europe/Berlin'],
    [east, 'Pacific/Auckland'],
    [west, 'America/Lima'],
  ] as const) {
    // The fourteenth of July, which in Berlin ends at 22:00 UTC.
    const { edges } = bucketsOfPeriod('day', Date.parse('2026-07-14T12:00:00Z'), zone)
    const found = pointsOf(all, bssid)
    expect(found.from, zone).toBe(new Date(edges[0]!).toISOString())
    expect(found).toEqual(await alone(bssid, { ...query, zone, until: found.to }))
  }
  expect((await statistics([here, east, west], query)).grids).toHaveLength(1)
})

describe('the devices', () => {
  test('are the caller’s own, each once; others are left out like absent ones', async () => {
    const [foreign] = await fleet()
    const [own] = await db.select().from(devices).where(eq(devices.vendor_id, vendor.user_id)).limit(1)
    await db
      .update(devices)
      .set({ vendor_id: (await signIn('vendor2')).user_id })
      .where(eq(devices.bssid, foreign!))
    const ids = [own!.bssid, foreign!, '00:00:00:00:00:00', own!.bssid.toLowerCase(), 'no device']
    const caller = { token: (await signIn('vendor')).access_token }
    const { devices: found } = await statistics(ids, {}, caller)
    expect(found.map(({ bssid }) => bssid)).toEqual([own!.bssid])
    expect(found[0]).toMatchObject({ description: own!.description, company_name: expect.any(String) as string })
    expect(await statistics(['00:00:00:00:00:00'], {}, caller)).toEqual({ grids: [], devices: [] })
  })

  test('are at least one and at most fifty', async () => {
    expect((await ask([], {})).statusCode).toBe(400)
    const many = Array.from({ length: maxStatisticsDevices + 1 }, (_, at) => `00:00:00:00:00:${at}`)
    expect((await ask(many, {})).statusCode).toBe(400)
    expect((await ask(many.slice(1), {})).statusCode).toBe(200)
    expect((await ask(['A'], { until: '9999-01-01T00:00:00Z' })).json()).toEqual({
      message: 'Until must be in the years 3 to 9998',
    })
    expect((await call('GET', '/api/v3/devices/statistics?ids=A', {})).statusCode).toBe(401)
  })
})
