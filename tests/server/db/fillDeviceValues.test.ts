/** The newest values of devices after a crash of PostgreSQL, which empties their table. */
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { newId } from '../../../server/db/id.ts'
import { fillDeviceValues } from '../../../server/db/fillDeviceValues.ts'
import { deviceValues, deviceValuesFilled } from '../../../server/db/schema/deviceValues.ts'
import { devices } from '../../../server/db/schema/devices.ts'
import { dayNumber, openPartitions } from '../../../server/telemetry/postgres/partitions.ts'
import { storeReadings } from '../../../server/telemetry/postgres/storeReadings.ts'
import { syncTwins } from '../../../server/devices/ingest/sync.ts'
import { until } from '../../support/until.ts'
import { startServer } from '../support/harness.ts'
import { newDevice, readingAt } from '../support/devices/readingSamples.ts'

const { db, call, signIn, databaseUrl } = await startServer()

const empty = sql`truncate ${deviceValues}, ${deviceValuesFilled}`
const allValues = () => db.select().from(deviceValues).orderBy(deviceValues.bssid)
const indexes = async () =>
  (await db.execute(sql`select indexdef from pg_indexes where tablename = 'device_values' order by 1`)).rows

/** Does what a crash does: empties the unlogged tables and ends every connection but its own. */
async function crash() {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  onTestFinished(() => client.end())
  const single = drizzle(client)
  await single.execute(empty)
  await single.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`)
}

test('a reading writes neither values nor their indexes to the write-ahead log', async () => {
  const { rows } = await db.execute(sql`
    select distinct relpersistence::text as kind from pg_class
    where oid in ('device_values'::regclass, 'device_values_filled'::regclass)
      or oid in (select indexrelid from pg_index where indrelid = 'device_values'::regclass)`)
  expect(rows).toEqual([{ kind: 'u' }])
})

test('after a crash calls fail until all devices have their values again, and then lists are whole', async () => {
  const at = Date.now() + 1000
  const bssid = await newDevice(db)
  await openPartitions(db).ensure(['readings'], [dayNumber(at)])
  const readings = [{ bssid, at, reading: readingAt(at, { temperature: 31.5, feed: 0.1 + 0.2 }) }]
  await storeReadings(db, { id: newId(), storedAt: at, readings, received: new Map([[bssid, at]]) })
  await syncTwins(db, [bssid])
  const token = (await signIn('admin')).access_token
  const list = async () => {
    const { statusCode, body } = await call('GET', '/api/v3/devices?limit=100&sort=temperature&direction=desc', {
      token,
    })
    return { statusCode, body }
  }
  const [before, values] = [await list(), await allValues()]
  expect(before.statusCode).toBe(200)

  await crash()
  const answers: Awaited<ReturnType<typeof list>>[] = []
  await until(async () => {
    answers.push(await list())
    expect(answers.at(-1)?.statusCode).toBe(200)
  })
  expect(answers[0]?.statusCode).toBe(503)
  expect(answers.filter(({ statusCode }) => statusCode !== 503)).toEqual([before])
  expect(await allValues()).toEqual(values)
})

test(
  'a large fleet keeps its indexes, and of several connections one fills the table',
  { timeout: 60_000 },
  async () => {
    await db.execute(sql`
    insert into devices (bssid, platform, model_id, vendor_id)
    select 'AA:' || lpad(n::text, 14, '0'), platform, model_id, vendor_id
    from generate_series(1, 5000) as n, (select * from ${devices} limit 1) as template`)
    const [values, defined] = [await allValues(), await indexes()]
    await db.execute(empty)
    await Promise.all([fillDeviceValues(db), fillDeviceValues(db), fillDeviceValues(db)])
    expect(await allValues()).toEqual(values)
    expect(await indexes()).toEqual(defined)
    expect(await db.select().from(deviceValuesFilled)).toEqual([{ id: 1 }])
  },
)
