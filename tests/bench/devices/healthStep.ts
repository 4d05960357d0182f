/** The cost of the daily step of health with its database: processor time of a device-day, and statements of a slice. */
import { sql } from 'drizzle-orm'
import { observedChannels, type ObservedChannel } from '../../../src/domain/health/types/channels.ts'
import { msPerDay } from '../../../src/domain/time.ts'
import type { Database } from '../../../server/db/database.ts'
import { maxDays, sliceSize } from '../../../server/devices/health/slice.ts'
import { stepSlice } from '../../../server/devices/health/step.ts'
import type { Bench, LongPart } from '../bench.ts'
import { figure, progress, report } from '../figures.ts'
import { watch } from '../processes.ts'
import { openOwnDatabase } from './ownDatabase.ts'

const fleet = 10_000
const devicesOfSupply = 25
/** Single days that are stepped, one after the other, once the devices have learnt. */
const days = 5
/** Microseconds of processor time that a device-day may take. */
const budget = { max: 50 }

/** Values of a healthy device, as natural logarithms. */
const healthy: Readonly<Record<ObservedChannel, number>> = {
  a: -1.6,
  b: -3,
  brief: -2.8,
  r: -1.2,
  h: -0.05,
  f: 5.8,
  p: 1.4,
}
const observations = 40

/** Stores days of all devices, each with its own wander of some per cent. `last`: days from 1 January 1970. */
async function storeDays(db: Database, last: number, count: number): Promise<void> {
  const columns = observedChannels.flatMap(channel => [`${channel}_n`, `${channel}_sum`, `${channel}_squares`])
  const values = observedChannels.flatMap(channel => {
    const value = `(${healthy[channel]} + (random() - 0.5) * 0.04)`
    return [`${observations}`, `${observations} * ${value}`, `${observations} * ${healthy[channel] ** 2 + 0.0002}`]
  })
  await db.execute(
    sql.raw(`insert into health_days (bssid, day, n, temperature, feed, permeate, max_run, metered, integrated, ${columns.join(', ')})
      select bssid, day, ${observations}, ${observations} * 15, 40, 14, 300, 10, 10, ${values.join(', ')}
      from devices, generate_series(${last - count + 1}, ${last}) as day`),
  )
}

interface Cost {
  /** Microseconds of processor time of a device-day. */
  readonly server: number
  readonly database: number
}

/** Steps all devices that are due at a time; each has `count` new days. */
async function stepAll(db: Database, now: Date, count: number): Promise<Cost> {
  const family = watch(process.pid)
  const before = process.cpuUsage()
  for (let more = true; more;) more = (await stepSlice(db, now)).hasMore
  const { user, system } = process.cpuUsage(before)
  const server = (user + system) / 1e6
  const perDay = 1e6 / (fleet * count)
  return { server: server * perDay, database: (family().cpu - server) * perDay }
}

async function measure(bench: Bench): Promise<void> {
  const db = await openOwnDatabase(bench, fleet)
  await db.execute(sql`update devices set water_supply = 'Supply ' || number / ${devicesOfSupply}::integer, time_zone = 'UTC'
    from (select bssid, row_number() over (order by bssid) as number from devices) as numbered
    where numbered.bssid = devices.bssid`)
  const first = Math.floor(Date.now() / msPerDay)
  const stepDays = async (last: number, count: number) => {
    await storeDays(db, last, count)
    await db.execute(sql`vacuum analyze health_days, device_health`)
    const now = new Date((last + 1) * msPerDay + 2 * 3_600_000)
    await db.execute(sql`update device_health set due_at = ${now.toISOString()}::timestamptz`)
    return stepAll(db, now, count)
  }
  progress(`The first ${maxDays - 1} days …`)
  const past = await stepDays(first, maxDays - 1)
  const costs: Cost[] = []
  for (let day = 1; day <= days; day++) costs.push(await stepDays(first + day, 1))
  const sum = ({ server, database }: Cost) => server + database
  const of = `of ${sliceSize} a slice`
  report(
    figure(`a device-day of its past, ${of}`, 'µs', [sum(past)], budget),
    figure(`a device-day, ${of}`, 'µs', costs.map(sum), budget),
    figure(
      'of it the server',
      'µs',
      costs.map(({ server }) => server),
      null,
    ),
    figure(
      'of it PostgreSQL',
      'µs',
      costs.map(({ database }) => database),
      null,
    ),
  )
}

/** The step of the first days takes longest. */
export const healthStepPart: LongPart = { limit: 10 * 60_000, measure }
