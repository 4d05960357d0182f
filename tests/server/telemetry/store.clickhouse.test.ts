/** Telemetry in ClickHouse. */
import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { readTelemetryUrl } from '../../../server/core/telemetryUrl.ts'
import type { Database } from '../../../server/db/database.ts'
import { summingLock } from '../../../server/db/advisoryLocks.ts'
import { newId } from '../../../server/db/id.ts'
import { devices } from '../../../server/db/schema/devices.ts'
import { deviceTwins, telemetryState, unevaluatedReadings } from '../../../server/db/schema/telemetry.ts'
import { measureTelemetry } from '../../../server/metrics/telemetry.ts'
import { openMetrics } from '../../../server/metrics/metrics.ts'
import { openTelemetry } from '../../../server/start/telemetry.ts'
import { connect } from '../../../server/telemetry/clickhouse/connection.ts'
import { openClickHouseTelemetry } from '../../../server/telemetry/clickhouse/store.ts'
import { chartsOf } from '../support/devices/charts.ts'
import { launchClickHouse } from '../../support/clickhouse.ts'
import { until } from '../../support/until.ts'
import { startServer } from '../support/harness.ts'
import { hour, minute, newDevice, readingAt, testIngest } from '../support/devices/readingSamples.ts'
import { proveStore } from './proveStore.ts'

const clickHouse = await launchClickHouse()
afterAll(clickHouse.remove)
const address = readTelemetryUrl(clickHouse.url)!
/** Before the readings of the tests, so that some of them are summed only when a worker does so. */
const begun = new Date('2026-03-01T00:00:00Z')
const server = await startServer({
  openTelemetry: async (db: Database) => {
    await db.update(telemetryState).set({ place: 'clickhouse' })
    return openClickHouseTelemetry(db, address, begun)
  },
})
const { db, telemetry, clock } = server

proveStore({ server, open: () => openClickHouseTelemetry(db, address, begun) })

const never = new AbortController().signal
const { feeds, setClock } = chartsOf(server)
const feedsOf = async (bssid: string) => Object.values(await feeds(bssid, { range: 'day', zone: 'UTC' }))
const litresOf = async (bssid: string) =>
  (await db.select({ feed: deviceTwins.feed }).from(deviceTwins).where(eq(deviceTwins.bssid, bssid)))[0]!.feed

describe('readings that were stored by a server that was killed before it could count them', () => {
  /** Lets the transactions of the work fail at their end, as if the server was killed then. */
  const killed = async (work: () => Promise<unknown>) => {
    await db.execute(sql`create function kill() returns trigger language plpgsql as $$ begin raise 'killed'; end $$`)
    await db.execute(sql`create trigger killed before insert on telemetry_batches execute function kill()`)
    await expect(work()).rejects.toThrow('Failed query')
    await db.execute(sql`drop function kill cascade`)
  }
  const write = (bssid: string, times: readonly number[]) => {
    const storedAt = clock.now().getTime()
    return telemetry.write({
      id: String(times),
      storedAt,
      readings: times.map(at => ({ bssid, at, reading: readingAt(at) })),
      received: new Map([[bssid, storedAt]]),
    })
  }

  test('count once they come again, whether they are summed, newer than others, or in another batch', async () => {
    // Later than all other tests: what is before the last hour has been summed, and what follows has not.
    setClock('2026-12-20T12:00:00Z')
    const at = clock.now().getTime()
    await telemetry.prepare(at, never)
    for (const start of [at - 5 * hour, at - 10 * minute]) {
      const bssid = await newDevice(db)
      const [first, second, third] = [start, start + minute, start + 2 * minute]
      await killed(() => write(bssid, [first, second]))
      expect(await litresOf(bssid)).toBe(0)
      // A newer one arrives first.
      expect((await write(bssid, [third])).fresh).toHaveLength(1)
      expect((await write(bssid, [second])).fresh).toHaveLength(1)
      expect((await write(bssid, [first, second, third])).fresh.map(each => each.at)).toEqual([first])
      expect(await litresOf(bssid)).toBe(3)
      expect(await feedsOf(bssid)).toEqual([3])
    }
  })
})

const metrics = openMetrics()
measureTelemetry(metrics, telemetry)
const metricOf = () => metrics.registry.getSingleMetricAsString('permeate_telemetry_connected')
const health = async () => (await server.call('GET', '/health/ready')).json<{ data: { status: string } }>().data.status

test('rows that ClickHouse refuses count as telemetry that cannot be stored, until some are stored again', async () => {
  setClock('2026-12-20T12:00:00Z')
  const bssid = await newDevice(db)
  const at = clock.now().getTime() - minute
  const write = () =>
    telemetry.write({
      id: newId(),
      storedAt: at,
      readings: [{ bssid, at, reading: readingAt(at) }],
      received: new Map([[bssid, at]]),
    })
  const connection = await connect(address)
  await connection.run('rename table readings to readings_away')
  await expect(write()).rejects.toThrow('readings')
  expect(await health()).toBe('telemetry cannot be stored')
  await connection.run('rename table readings_away to readings')
  await connection.close()
  expect((await write()).fresh).toHaveLength(1)
  expect(await health()).toBe('ok')
})

test('no batch waits for the rows of a deleted device that goes on sending: the upkeep deletes them', async () => {
  setClock('2026-12-20T12:00:00Z')
  const at = clock.now().getTime() - minute
  const [gone, other] = [await newDevice(db), await newDevice(db)]
  const write = (bssids: readonly string[], time: number) =>
    telemetry.write({
      id: newId(),
      storedAt: time,
      readings: bssids.map(bssid => ({ bssid, at: time, reading: readingAt(time) })),
      received: new Map(bssids.map(bssid => [bssid, time])),
    })
  await write([gone], at)
  await db.delete(devices).where(eq(devices.bssid, gone))
  const { fresh, unknown } = await write([gone, other], at + minute)
  expect([fresh.map(({ bssid }) => bssid), unknown]).toEqual([[other], [gone]])
  expect(await telemetry.read([{ bssid: gone, at }])).toHaveLength(1)
  await telemetry.forgetDeleted(never)
  expect(await telemetry.read([{ bssid: gone, at }])).toEqual([])
})

test('batches that overlap do not keep hours from being summed', async () => {
  const [state] = await db.select().from(telemetryState)
  setClock(new Date(state!.summed_until!.getTime() + 3 * hour).toISOString())
  const ingest = testIngest(server)
  afterAll(() => ingest.close())
  const bssid = await newDevice(db)
  const waiting = async () =>
    (await db.execute(sql`select from pg_locks where locktype = 'advisory' and not granted`)).rows.length
  let hasStored = false
  const { storing, summing } = await db.transaction(async tx => {
    // As a batch that is being stored.
    await tx.execute(sql`select pg_advisory_xact_lock_shared(${summingLock})`)
    const summing = telemetry.prepare(clock.now().getTime(), never)
    await until(async () => expect(await waiting()).toBe(1))
    const storing = ingest.add(bssid, [readingAt(clock.now().getTime() - minute)]).then(() => (hasStored = true))
    await until(async () => expect(await waiting()).toBe(2))
    expect(hasStored).toBe(false)
    return { storing, summing }
  })
  await summing
  await storing
  expect(await feedsOf(bssid)).toEqual([1])
})

test('while ClickHouse is away no reading is acknowledged, and afterwards each counts once', async () => {
  setClock('2026-12-20T12:00:00Z')
  const ingest = testIngest(server)
  afterAll(() => ingest.close())
  const bssid = await newDevice(db)
  const reading = readingAt(clock.now().getTime() - minute)
  await clickHouse.kill()
  // Nobody has stored anything meanwhile: the server asks ClickHouse by itself.
  await until(async () => expect(await health()).toBe('telemetry cannot be stored'))
  await expect(ingest.add(bssid, [reading])).rejects.toThrow('ClickHouse does not answer')
  expect(await litresOf(bssid)).toBe(0)
  expect(await metricOf()).toContain('permeate_telemetry_connected 0')
  await clickHouse.start()
  await until(() => ingest.add(bssid, [reading]))
  await ingest.add(bssid, [reading])
  expect(await litresOf(bssid)).toBe(1)
  expect(await feedsOf(bssid)).toEqual([1])
  await until(async () => expect(await health()).toBe('ok'))
  expect(await metricOf()).toContain('permeate_telemetry_connected 1')
  expect(await db.$count(unevaluatedReadings, sql`${bssid} = any(${unevaluatedReadings.bssids})`)).toBe(1)
})

test('what was acknowledged is there after ClickHouse was killed', async () => {
  setClock('2026-12-20T12:00:00Z')
  const ingest = testIngest(server)
  afterAll(() => ingest.close())
  const bssid = await newDevice(db)
  await ingest.add(bssid, [readingAt(clock.now().getTime() - minute)])
  await clickHouse.kill()
  await clickHouse.start()
  expect(await feedsOf(bssid)).toEqual([1])
})

test('a server does not start where it would divide the telemetry of a database', async () => {
  const open = (at: Database, telemetryUrl: string | undefined) => openTelemetry({ telemetryUrl }, at, at, clock.now())
  await expect(open(db, undefined)).rejects.toThrow('is in ClickHouse')
  const beside = await startServer()
  const bssid = await newDevice(beside.db)
  const ingest = testIngest(beside)
  await ingest.add(bssid, [readingAt(beside.clock.now().getTime())])
  await ingest.close()
  await expect(open(beside.db, clickHouse.url)).rejects.toThrow('in PostgreSQL, which is not moved')
  const { telemetry: same } = await open(db, clickHouse.url)
  await same.close()
})
