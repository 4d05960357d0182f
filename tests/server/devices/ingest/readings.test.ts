/** Ingest of readings: which are stored or refused, and the resulting values of devices and cartridges. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import type { Device, DeviceDetail } from '../../../../src/api/contract/devices.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { deviceTwins, readings } from '../../../../server/db/schema/telemetry.ts'
import { openIngest } from '../../../../server/devices/ingest/readings.ts'
import type { Reading } from '../../../../server/protocol/messages.ts'
import { dayNumber, openPartitions, partitionOf } from '../../../../server/telemetry/postgres/partitions.ts'
import { syncTwins } from '../../../../server/devices/ingest/sync.ts'
import { breakingDatabase } from '../../support/database/breakingDatabase.ts'
import { startServer } from '../../support/harness.ts'
import { day, hour, minute, newDevice, readingAt, testIngest, testParts } from '../../support/devices/readingSamples.ts'
import { until } from '../../../support/until.ts'

const server = await startServer()
const { db, call, clock, signIn } = server
const token = (await signIn('admin')).access_token
const ingest = testIngest(server)
afterAll(() => ingest.close())

const now = () => clock.now().getTime()
const twinOf = async (bssid: string) => (await db.select().from(deviceTwins).where(eq(deviceTwins.bssid, bssid)))[0]!
const stored = (bssid: string) => db.$count(readings, eq(readings.bssid, bssid))
async function shown(bssid: string): Promise<Device> {
  const answer = await call('GET', `/api/v3/devices/${bssid}`, { token })
  return answer.json<{ data: DeviceDetail }>().data
}
/** Syncs the twins of all devices. */
async function syncAll(): Promise<void> {
  const twins = await db.select({ bssid: deviceTwins.bssid }).from(deviceTwins)
  await syncTwins(
    db,
    twins.map(({ bssid }) => bssid),
  )
}

describe('a reading', () => {
  test('that is repeated, in one message or a later one, is stored once; the first one for a time counts', async () => {
    const bssid = await newDevice(db)
    const at = now() - minute
    await ingest.add(bssid, [readingAt(at), readingAt(at, { feed: 7 }), readingAt(at - 1000)])
    await Promise.all([ingest.add(bssid, [readingAt(at, { feed: 9 })]), ingest.add(bssid, [readingAt(at - 2000)])])
    expect(await stored(bssid)).toBe(3)
    expect(await twinOf(bssid)).toMatchObject({ feed: 3 })
    // Alarms receive each reading once.
    expect(ingest.parts.alarms.calls.flatMap(one => one.bssids).filter(one => one === bssid)).toHaveLength(3)
  })

  test('more than a day in the future is dropped and counted, and a little in the future is stored', async () => {
    const bssid = await newDevice(db)
    const before = ingest.parts.drops.totals()
    await ingest.add(bssid, [readingAt(now() + day + minute), readingAt(now() + day - minute)])
    expect(await stored(bssid)).toBe(1)
    expect(ingest.parts.drops.totals()['ahead of time']).toBe(before['ahead of time'] + 1)
  })

  test('older than the retention is dropped and counted, and a newer one gets a partition', async () => {
    const bssid = await newDevice(db)
    const before = ingest.parts.drops.totals()
    await ingest.add(bssid, [readingAt(now() - 30 * day - minute), readingAt(now() - 30 * day + minute)])
    expect(await stored(bssid)).toBe(1)
    expect(ingest.parts.drops.totals()['too old']).toBe(before['too old'] + 1)
  })

  test('of a device that does not exist is dropped and counted, without affecting others', async () => {
    const bssid = await newDevice(db)
    const before = ingest.parts.drops.totals()
    const stranger = 'FE:FF:FF:FF:FF:FF'
    await Promise.all([ingest.add(stranger, [readingAt(now())]), ingest.add(bssid, [readingAt(now())])])
    expect(await stored(stranger)).toBe(0)
    expect(await stored(bssid)).toBe(1)
    expect(ingest.parts.drops.totals()['unknown device']).toBe(before['unknown device'] + 1)
  })

  test('with tiny values is stored like any other', async () => {
    const bssid = await newDevice(db)
    await ingest.add(bssid, [readingAt(now(), { feed: 1e-50, permeate: 5e-324, temperature: 0.1 })])
    expect(await twinOf(bssid)).toMatchObject({ feed: 0, permeate: 0, temperature: 0.1 })
  })
})

describe('the twin of a device', () => {
  test('has the values of its newest reading, and the litres of all', async () => {
    const bssid = await newDevice(db, { feed: 1000, permeate: 400, waste: 600 })
    const at = now() - 10 * minute
    await ingest.add(bssid, [readingAt(at, { feed: 2, permeate: 0.5, pressure: 4.1, feed_tds: 400, permeate_tds: 40 })])
    await ingest.add(bssid, [readingAt(at - hour, { feed: 1, permeate: 0.25, pressure: 9, feed_tds: 1 })])
    expect(await twinOf(bssid)).toMatchObject({
      feed: 1003,
      permeate: 400.75,
      waste: 602.25,
      pressure: 4.1,
      recovery_rate: 25,
      rejection_rate: 90,
      reading_at: new Date(at),
    })
  })

  test('has current values again once a clock that was ahead is corrected', async () => {
    const bssid = await newDevice(db)
    await ingest.add(bssid, [readingAt(now() + 20 * hour, { temperature: 33, pressure: 3 })])
    const mistaken = await twinOf(bssid)
    expect(mistaken).toMatchObject({ temperature: 33, pressure: 3 })
    expect(mistaken.reading_at!.getTime()).toBeLessThanOrEqual(now())
    clock.advance(minute)
    const at = now()
    await ingest.add(bssid, [
      readingAt(at, { temperature: 16, pressure: 5, permeate: 0.25, feed_tds: 400, permeate_tds: 40 }),
    ])
    expect(await twinOf(bssid)).toMatchObject({
      temperature: 16,
      pressure: 5,
      feed_tds: 400,
      permeate_tds: 40,
      recovery_rate: 25,
      rejection_rate: 90,
      reading_at: new Date(at),
    })
    // Of several future readings the last one counts.
    await ingest.add(bssid, [
      readingAt(at + 2 * hour, { temperature: 20 }),
      readingAt(at + 4 * hour, { temperature: 22 }),
      readingAt(at + 3 * hour, { temperature: 21 }),
    ])
    expect(await twinOf(bssid)).toMatchObject({ temperature: 22 })
  })

  test('keeps the recovery without a draw, has none without a flow sensor, and no value of a failed sensor', async () => {
    const bssid = await newDevice(db)
    const at = now() - hour
    await ingest.add(bssid, [readingAt(at)])
    await ingest.add(bssid, [readingAt(at + 1000, { feed: 0, permeate: 0, feed_flow: 0, permeate_flow: 0 })])
    expect(await twinOf(bssid)).toMatchObject({ recovery_rate: 40 })
    await ingest.add(bssid, [readingAt(at + 2000, { feed: 0, permeate: 0, feed_flow: null, feed_tds: null })])
    expect(await twinOf(bssid)).toMatchObject({ recovery_rate: null, feed_tds: null, rejection_rate: null })
  })

  test('may have a negative rejection, but no negative waste', async () => {
    const bssid = await newDevice(db)
    await ingest.add(bssid, [readingAt(now() - 1000, { feed_tds: 100, permeate_tds: 150, feed: 1, permeate: 1.5 })])
    await syncAll()
    expect(await shown(bssid)).toMatchObject({ rejection_rate: -50, waste: 0, feed: 1, permeate: 1.5 })
  })

  test('is copied to its row, and its litres count for its cartridges', async () => {
    const like = (await call('GET', '/api/v3/devices?limit=1000', { token }))
      .json<{ data: { data: Device[] } }>()
      .data.data.find(device => device.status === 0 && device.cartridges.some(({ type }) => type === 2))!
    const { bssid } = like
    const at = now() - 1000
    await ingest.add(bssid, [readingAt(at, { feed: 100, permeate: 40, temperature: 17.25 })])
    await syncAll()
    const after = await shown(bssid)
    expect(after).toMatchObject({ temperature: 17.25, status: 0, updated_at: like.updated_at })
    expect(after.feed).toBeCloseTo(like.feed + 100, 3)
    expect(after.waste).toBeCloseTo(like.waste + 60, 3)
    expect(Date.parse(after.last_active!)).toBeGreaterThanOrEqual(at)
    for (const [place, cartridge] of after.cartridges.entries()) {
      const more = cartridge.total - like.cartridges[place]!.total
      expect(Math.abs(more - (cartridge.type === 0 ? 100 : 40))).toBeLessThanOrEqual(1)
    }
  })
})

test.each([
  ['day', 600],
  ['week', 3600],
  ['month', 6 * 3600],
  ['year', 86_400],
])('the chart of a %s has readings in the bucket of their time only', async (range, seconds) => {
  const bssid = await newDevice(db)
  const at = now()
  await ingest.add(bssid, [readingAt(at, { feed: 2, permeate: 0.5 }), readingAt(at - 1, { feed: 1, permeate: 1 })])
  const query = new URLSearchParams({ range, zone: 'America/New_York', until: new Date(at + 1).toISOString() })
  const answer = await call('GET', `/api/v3/devices/${bssid}?${query.toString()}`, { token })
  const { statistics } = answer.json<{ data: DeviceDetail }>().data
  const { points } = statistics
  expect(statistics.bucket_seconds).toBe(seconds)
  const read = points.filter(point => point.feed !== null)
  // Two buckets if they are on both sides of an edge.
  expect(read.reduce((all, point) => all + point.feed!, 0)).toBe(3)
  expect(read.at(-1)).toMatchObject({ feed_tds: 300, permeate_tds: 15, rejection_rate: 95, pressure: 4.2 })
  expect(at - Date.parse(read.at(-1)!.at)).toBeLessThan(seconds * 1000)
  for (const point of points.filter(one => !read.includes(one)))
    expect(new Set(Object.values({ ...point, at: null }))).toEqual(new Set([null]))
})

test('readings of several batches are all stored, and none is pending', async () => {
  const bssids = await Promise.all(Array.from({ length: 5 }, () => newDevice(db)))
  const start = now() - 2 * hour
  const adds = bssids.flatMap(bssid =>
    Array.from({ length: 4 }, (_, message) =>
      ingest.add(
        bssid,
        Array.from({ length: 150 }, (_, at) => readingAt(start + (message * 150 + at) * 1000)),
      ),
    ),
  )
  expect(ingest.pending).toBe(3000)
  await Promise.all(adds)
  expect(ingest.pending).toBe(0)
  for (const bssid of bssids) expect(await stored(bssid)).toBe(600)
})

test('while the database fails no reading counts as stored, and afterwards storing continues', async () => {
  const bssid = await newDevice(db)
  const lines: string[] = []
  const log = { info: (text: string) => lines.push(text), error: (text: string) => lines.push(text) }
  const breaking = breakingDatabase(db)
  breaking.isBroken = true
  const failing = openIngest({ ...ingest.parts, db: breaking.db, log })
  const reading = readingAt(now())
  await expect(failing.add(bssid, [reading])).rejects.toThrow('connection refused')
  await expect(failing.add(bssid, [reading])).rejects.toThrow('connection refused')
  breaking.isBroken = false
  await failing.add(bssid, [reading])
  await failing.close()
  expect(await stored(bssid)).toBe(1)
  expect(lines).toEqual(['Could not store readings', 'Storing readings works again'])
})

test('closing stores pending readings', async () => {
  const bssid = await newDevice(db)
  const closing = testIngest(server)
  const added = closing.add(bssid, [readingAt(now())])
  await closing.close()
  await added
  expect(await stored(bssid)).toBe(1)
})

test('full batches are stored at the same time, those of one device one after the other', async () => {
  const begun: { readonly bssids: readonly string[]; readonly store: () => void }[] = []
  const parts = testParts(server)
  const gated = openIngest({
    ...parts,
    telemetry: {
      ...parts.telemetry,
      maxBatch: 2,
      write: async batch => {
        const { promise, resolve } = Promise.withResolvers<void>()
        begun.push({ bssids: [...batch.received.keys()], store: resolve })
        await promise
        return parts.telemetry.write(batch)
      },
    },
  })
  const [one, other, third] = [await newDevice(db), await newDevice(db), await newDevice(db)]
  const at = now() - minute
  const send = (bssid: string, first: number) =>
    gated.add(bssid, [readingAt(at + first * 1000), readingAt(at + (first + 1) * 1000)])
  const sent = [send(one, 0), send(one, 2), send(other, 0), send(one, 4), send(third, 0)]
  await until(() => expect(begun).toHaveLength(3))
  // Each batch asks the database before it is written, so batches of different devices begin in any order.
  expect(new Set(begun.flatMap(({ bssids }) => bssids))).toEqual(new Set([one, other, third]))
  const [first, ...others] = begun.toSorted((a, b) => Number(b.bssids.includes(one)) - Number(a.bssids.includes(one)))
  // The first device's batch is stored last, and its other messages wait for it.
  for (const { store } of others) store()
  await Promise.all([sent[2], sent[4]])
  expect(gated.pending).toBe(6)
  first!.store()
  await until(() => expect(begun).toHaveLength(4))
  expect(begun[3]!.bssids).toEqual([one])
  begun[3]!.store()
  await until(() => expect(begun).toHaveLength(5))
  begun[4]!.store()
  await Promise.all(sent)
  expect(await stored(one)).toBe(6)
  expect(parts.alarms.calls.flatMap(({ bssids }) => bssids).filter(bssid => bssid === one)).toHaveLength(6)
  await gated.close()
})

test('a reading that arrives a moment after a later one is evaluated before it, where the ingest waits for it', async () => {
  const parts = testParts(server)
  const evaluated: number[] = []
  const alarms = {
    ...parts.alarms,
    readings: async (fresh: readonly { readonly reading: Reading }[]) => {
      evaluated.push(...fresh.map(({ reading }) => Date.parse(reading.at)))
    },
  }
  const patient = openIngest({ ...parts, alarms, settling: 50 })
  const bssid = await newDevice(db)
  const at = now() - minute
  const later = patient.add(bssid, [readingAt(at + 1000)])
  await nextTurn()
  await Promise.all([later, patient.add(bssid, [readingAt(at)])])
  await patient.close()
  expect(evaluated).toEqual([at, at + 1000])
})

test('several processes store the same readings once, without a deadlock', async () => {
  const bssids = await Promise.all(Array.from({ length: 40 }, () => newDevice(db)))
  const several = Array.from({ length: 4 }, () => testIngest(server))
  const start = now() - 20 * day
  const message = (place: number) => Array.from({ length: 5 }, (_, at) => readingAt(start + (place * 5 + at) * 1000))
  await Promise.all(
    several.flatMap((one, turn) =>
      // Each process uses another order.
      Array.from({ length: 200 }, (_, place) => {
        const bssid = bssids[(place * (turn * 2 + 1)) % bssids.length]!
        return one.add(bssid, message(Math.floor(place / bssids.length)))
      }),
    ),
  )
  await Promise.all(several.map(one => one.close()))
  const { rows } = await db.execute<{ n: number; wrong: number }>(sql`
    select count(*)::integer as n, count(*) filter (where twin.feed <> 25)::integer as wrong
    from ${readings} join device_twins as twin using (bssid) where bssid = any(${sql.param(bssids)}::text[])`)
  expect(rows[0]).toEqual({ n: 40 * 25, wrong: 0 })
  expect(server.log).toEqual([])
})

test('several processes that create the same partitions create each once', async () => {
  const days = Array.from({ length: 5 }, (_, at) => dayNumber(now() + (100 + at) * day))
  const tables = ['readings', 'reading_ten_minutes', 'reading_hours', 'reading_days'] as const
  await Promise.all(Array.from({ length: 6 }, () => openPartitions(db).ensure(tables, days)))
  const names = new Set(tables.flatMap(table => days.map(day => partitionOf(table, day))))
  const { rows } = await db.execute<{ n: number }>(sql`
    select count(*)::integer as n from pg_class where relname = any(${sql.param([...names])}::text[])`)
  expect(rows[0]).toEqual({ n: names.size })
})

test('readings that arrive while their device is deleted do not recreate it', async () => {
  const bssid = await newDevice(db)
  await ingest.add(bssid, [readingAt(now())])
  const adding = Array.from({ length: 20 }, (_, at) => ingest.add(bssid, [readingAt(now() - at * minute)]))
  await call('DELETE', '/api/v3/devices', { token, body: { ids: [bssid] } })
  await Promise.all(adding)
  expect(await db.$count(devices, eq(devices.bssid, bssid))).toBe(0)
  await until(() => expect(ingest.pending).toBe(0))
})
