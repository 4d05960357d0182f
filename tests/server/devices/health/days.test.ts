/** What readings add to the health of their device's day. */
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { healthDays } from '../../../../server/db/schema/healthDays.ts'
import { deviceAlarms } from '../../../../server/db/schema/notifications.ts'
import { openIngest } from '../../../../server/devices/ingest/readings.ts'
import type { Reading } from '../../../../server/protocol/messages.ts'
import type { TelemetryStore } from '../../../../server/telemetry/store.ts'
import { startServer } from '../../support/harness.ts'
import { day, hour, minute, newDevice, readingAt, testIngest } from '../../support/devices/readingSamples.ts'
import { setStatus } from '../../support/devices/deviceRows.ts'

const server = await startServer()
const { db, telemetry, clock } = server
const ingest = testIngest(server)
afterAll(() => ingest.close())

/** Midnight UTC of yesterday. */
const yesterday = Math.floor(clock.now().getTime() / day) * day - day
const daysOf = (bssid: string) =>
  db.select().from(healthDays).where(eq(healthDays.bssid, bssid)).orderBy(healthDays.day)
const idle = (at: number) => readingAt(at, { feed: 0, permeate: 0, feed_flow: 0, permeate_flow: 0, pressure: 4.5 })
/** Readings of a draw that begins at a time and lasts some half minutes: an idle one, and those of running water. */
const drawAt = (at: number, length: number) => [
  idle(at),
  ...Array.from({ length }, (_, index) => readingAt(at + (index + 1) * 30_000, { permeate: 0.25, feed: 0.6 })),
]

describe('a draw', () => {
  test('counts by channel, settled only after two minutes', async () => {
    const bssid = await newDevice(db)
    await ingest.add(bssid, drawAt(yesterday + hour, 8))
    const [row] = await daysOf(bssid)
    expect(row).toMatchObject({
      day: yesterday / day,
      n: 8,
      a_n: 8,
      r_n: 8,
      f_n: 8,
      h_n: 8,
      b_n: 5,
      brief_n: 3,
      passages: 5,
    })
    expect(row!.h_sum / row!.h_n).toBeCloseTo(Math.log(4.2 / 4.5), 4)
    expect(row!.max_run).toBe(240)
    expect(row!.permeate).toBeCloseTo(2, 4)
    expect(row!.flow / row!.flows).toBeCloseTo(0.5, 4)
  })

  test('does not count what a defective sensor measures', async () => {
    const bssid = await newDevice(db)
    const since = clock.now()
    await db.insert(deviceAlarms).values([
      { bssid, type: 'outlet_tds_sensor', subject: 'faults', since },
      { bssid, type: 'pressure_sensor', subject: 'status', since },
    ])
    await ingest.add(bssid, drawAt(yesterday + hour, 8))
    expect(await daysOf(bssid)).toMatchObject([{ n: 8, f_n: 8, a_n: 0, r_n: 0, h_n: 0, p_n: 0, b_n: 0, brief_n: 0 }])
  })

  test('does not count while a technician calibrates the device', async () => {
    const bssid = await newDevice(db)
    await setStatus(db, 7, [bssid])
    await ingest.add(bssid, drawAt(yesterday + hour, 8))
    expect(await daysOf(bssid)).toEqual([])
  })

  test('that is delivered twice counts once', async () => {
    const bssid = await newDevice(db)
    const draw = drawAt(yesterday + hour, 4)
    await ingest.add(bssid, draw)
    const once = await daysOf(bssid)
    await ingest.add(bssid, draw)
    expect(await daysOf(bssid)).toEqual(once)
  })

  test('belongs to the day of the device’s own time zone', async () => {
    const bssid = await newDevice(db, { time_zone: 'Pacific/Auckland' })
    await ingest.add(bssid, drawAt(yesterday + 14 * hour, 4))
    expect(await daysOf(bssid)).toMatchObject([{ day: yesterday / day + 1, n: 4 }])
  })

  test('is as long as its device says', async () => {
    const bssid = await newDevice(db)
    // Two draws of a minute, five minutes apart; the device sends the end of each.
    const at = (minutes: number) => yesterday + hour + minutes * minute
    const last = (minutes: number, run?: number) => readingAt(at(minutes), { permeate: 0.5, feed: 1.2, run })
    await ingest.add(bssid, [idle(at(0)), last(5, 60), last(10, 60)])
    expect(await daysOf(bssid)).toMatchObject([{ n: 2, b_n: 0, brief_n: 2, max_run: 60 }])
    const other = await newDevice(db)
    await ingest.add(other, [idle(at(0)), last(5, 200), last(10, 500)])
    expect(await daysOf(other)).toMatchObject([{ n: 2, b_n: 2, brief_n: 0, max_run: 500 }])
  })

  test('counts for at most a year, whatever its device measures', async () => {
    const [odd, other] = [await newDevice(db), await newDevice(db)]
    const at = yesterday + hour
    await Promise.all([
      ingest.add(odd, [
        readingAt(at, { permeate: 100_000, permeate_flow: 0.001 }),
        readingAt(at + minute, { run: 200, feed_tds: 1e-310, permeate_tds: 100 }),
      ]),
      ingest.add(other, drawAt(at, 4)),
    ])
    expect(await daysOf(odd)).toMatchObject([{ n: 2, max_run: 365 * 86_400, passages: 1 }])
    expect(await daysOf(other)).toMatchObject([{ n: 4 }])
  })

  test('goes on in the next batch', async () => {
    const bssid = await newDevice(db)
    const draw = drawAt(yesterday + hour, 8)
    await ingest.add(bssid, draw.slice(0, 4))
    await ingest.add(bssid, draw.slice(4))
    expect(await daysOf(bssid)).toMatchObject([{ n: 8, b_n: 5, h_n: 8, max_run: 240 }])
  })
})

describe('readings that could not be stored at first', () => {
  /** Adds readings to a new device in two parts, and returns its days. Storing each part fails once before it succeeds. */
  const addAgain = async (readings: readonly Reading[]) => {
    const bssid = await newDevice(db)
    let isFailing = false
    const write: TelemetryStore['write'] = batch => {
      isFailing = !isFailing
      return isFailing ? Promise.reject(new Error('The database is away')) : telemetry.write(batch)
    }
    const failing = openIngest({ ...ingest.parts, telemetry: { ...telemetry, write }, batchInterval: 0 })
    const half = Math.ceil(readings.length / 2)
    for (const part of [readings.slice(0, half), readings.slice(half)]) {
      await expect(failing.add(bssid, part)).rejects.toThrow('away')
      await failing.add(bssid, part)
    }
    await failing.close()
    await ingest.parts.healthSums.flush()
    return daysOf(bssid)
  }
  const addOnce = async (readings: readonly Reading[]) => {
    const bssid = await newDevice(db)
    await ingest.add(bssid, readings)
    return daysOf(bssid)
  }
  const valuesOf = (rows: Awaited<ReturnType<typeof daysOf>>) => rows.map(({ bssid: _, ...values }) => values)

  test('count as others do', async () => {
    const draw = [...drawAt(yesterday + hour, 8), idle(yesterday + hour + 5 * minute)]
    const once = await addOnce(draw)
    expect(once).toMatchObject([{ n: 8, b_n: 5 }])
    expect(valuesOf(await addAgain(draw))).toEqual(valuesOf(once))
  })

  test('add their flow at rest once', async () => {
    const leak = Array.from({ length: 130 }, (_, index) =>
      readingAt(yesterday + index * minute, { feed: 0.02, permeate: 0, feed_flow: 0.02, permeate_flow: 0 }),
    )
    const once = await addOnce(leak)
    expect(once[0]!.rest_hours).toBeCloseTo(2, 1)
    expect(valuesOf(await addAgain(leak))).toEqual(valuesOf(once))
  })
})

test('a late reading changes nothing of the run or leak that is followed', async () => {
  const bssid = await newDevice(db)
  const start = yesterday + hour
  const leak = (at: number) => readingAt(at, { feed: 0.02, permeate: 0, feed_flow: 0.02, permeate_flow: 0 })
  await ingest.add(bssid, drawAt(start, 4))
  await ingest.add(bssid, [idle(start + 45_000)])
  const draw = drawAt(start, 8)
  await ingest.add(bssid, draw.slice(5))
  expect(await daysOf(bssid)).toMatchObject([{ n: 8, b_n: 5, max_run: 240 }])
  for (let each = 1; each <= 70; each++) {
    await ingest.add(bssid, [leak(start + hour + each * minute), leak(start + each * minute)])
  }
  expect((await daysOf(bssid))[0]!.rest_hours).toBeCloseTo(1, 1)
})

describe('a clock that was ahead', () => {
  const start = yesterday + hour
  const receivedAt = start + 10 * minute
  const ahead = yesterday + day
  const leak = (at: number) => readingAt(at, { feed: 0.02, permeate: 0, feed_flow: 0.02, permeate_flow: 0 })

  test.each([
    ['run', drawAt(ahead, 8)],
    ['leak', [leak(ahead)]],
  ])('hides nothing of what its device does once it is right: after a %s', async (_, before) => {
    const bssid = await newDevice(db)
    await ingest.add(bssid, before, receivedAt)
    await ingest.add(bssid, drawAt(start, 8).slice(1), receivedAt)
    expect((await daysOf(bssid))[0]).toMatchObject({ day: yesterday / day, n: 8, b_n: 5 })
  })

  test('hides no pressure of other devices', async () => {
    const [wrong, sound] = [await newDevice(db), await newDevice(db)]
    const draw = drawAt(start, 4)
    await ingest.add(sound, draw.slice(0, 1))
    await Promise.all([ingest.add(wrong, drawAt(ahead, 4), receivedAt), ingest.add(sound, draw.slice(1))])
    expect(await daysOf(sound)).toMatchObject([{ n: 4, h_n: 4 }])
  })
})

describe('a run that fills a tank', () => {
  /** Readings of a run whose flow falls, and the idle one after it. */
  const run = (at: number) => [
    idle(at),
    ...Array.from({ length: 8 }, (_, index) => {
      const flow = 0.4 * 0.93 ** index
      return readingAt(at + (index + 1) * 30_000, { permeate: flow / 2, feed: 0.5, permeate_flow: flow })
    }),
    idle(at + 9 * 30_000),
  ]

  test('counts once it has ended, with its litres from the second reading on', async () => {
    const bssid = await newDevice(db)
    const readings = run(yesterday + hour)
    await ingest.add(bssid, readings.slice(0, -1))
    expect(await daysOf(bssid)).toMatchObject([{ n: 8, tank_runs: 0 }])
    await ingest.add(bssid, readings.slice(-1))
    const [row] = await daysOf(bssid)
    expect(row).toMatchObject({ n: 8, tank_runs: 1 })
    expect(row!.tank_litres).toBeCloseTo(
      readings.slice(2, -1).reduce((sum, { permeate }) => sum + permeate, 0),
      4,
    )
    expect(row!.tank_relief).toBeGreaterThan(0.02)
    expect(row!.metered).toBeCloseTo(row!.tank_litres, 4)
    // Between two readings the flow is their mean.
    expect(row!.metered / row!.integrated).toBeCloseTo(2 / (1 + 1 / 0.93), 2)
  })

  test('that is delivered twice counts once', async () => {
    const bssid = await newDevice(db)
    const readings = run(yesterday + hour)
    await ingest.add(bssid, readings)
    const once = await daysOf(bssid)
    expect(once).toMatchObject([{ tank_runs: 1 }])
    await ingest.add(bssid, readings)
    expect(await daysOf(bssid)).toEqual(once)
  })

  test('adds nothing of a tank where the flow stays the same', async () => {
    const bssid = await newDevice(db)
    await ingest.add(bssid, [...drawAt(yesterday + hour, 8), idle(yesterday + hour + 5 * minute)])
    expect(await daysOf(bssid)).toMatchObject([{ n: 8, tank_runs: 0, tank_litres: 0, tank_relief: 0 }])
  })
})

test('a device at rest adds nothing', async () => {
  const bssid = await newDevice(db)
  await ingest.add(bssid, [idle(yesterday), idle(yesterday + minute)])
  expect(await daysOf(bssid)).toEqual([])
})

describe('flow at rest', () => {
  /** Returns the reading of feed without permeate, at 1.2 l/h. */
  const leak = (at: number) => readingAt(at, { feed: 0.02, permeate: 0, feed_flow: 0.02, permeate_flow: 0 })
  const flush = (at: number) => readingAt(at, { feed: 0.7, permeate: 0, permeate_flow: 0 })
  /** Adds a reading each minute of the first hours of yesterday, and returns the day. */
  const addMinutes = async (minutes: number, readingOf: (at: number, minute: number) => Reading) => {
    const bssid = await newDevice(db)
    await ingest.add(
      bssid,
      Array.from({ length: minutes }, (_, index) => readingOf(yesterday + index * minute, index)),
    )
    return (await daysOf(bssid))[0]
  }

  test('is feed without permeate for hours, and no flushes', async () => {
    const row = await addMinutes(241, leak)
    expect(row!.rest_hours).toBeCloseTo(4, 1)
    expect(row!.rest_litres / row!.rest_hours).toBeCloseTo(1.2, 1)
    expect(await addMinutes(241, (at, index) => (index % 30 === 0 ? flush(at) : idle(at)))).toBeUndefined()
  })

  test('counts though some of its readings have no feed, also at the turn of the hour', async () => {
    const row = await addMinutes(241, (at, index) => (index % 10 === 0 ? idle(at) : leak(at)))
    expect(row!.rest_hours).toBeCloseTo(0.9 * 4, 1)
    expect(row!.rest_litres / row!.rest_hours).toBeCloseTo(1.2, 1)
  })

  test('goes on for most of an hour', async () => {
    expect(await addMinutes(61, (at, index) => (index % 2 === 0 ? idle(at) : leak(at)))).toBeUndefined()
    // The hour in which it begins does not count, and the next one does.
    const row = await addMinutes(121, (at, index) => (index < 30 ? idle(at) : leak(at)))
    expect(row!.rest_hours).toBeCloseTo(1, 1)
  })

  test('is not the draw between two flushes', async () => {
    const draw = (at: number, index: number) =>
      index === 2 || index === 58 ? flush(at) : index < 5 || index > 58 ? idle(at) : readingAt(at)
    expect(await addMinutes(61, draw)).toMatchObject({ n: 53, rest_hours: 0 })
  })
})
