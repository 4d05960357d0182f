/**
 * One server on one core with a million devices, while 5,000 of them send: what a reading costs, and for ten minutes how fast lists
 * are, how soon silence is noticed, how far lists are behind, and whether memory grows.
 */
import { execFileSync } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Database } from '../../../server/db/database.ts'
import { fleetPath } from '../../../server/demo/fleetFile.ts'
import { openRunning } from '../../../server/embedded/openEmbedded.ts'
import { topicOf } from '../../../server/protocol/topics.ts'
import type { Bench, LongPart } from '../bench.ts'
import { measureCost, postgres } from './readingCost.ts'
import { connectPublisher, type Publisher } from './readings.ts'
import { connectDevice, readFleet, type Credentials } from './wire.ts'
import { figure, progress, report } from '../figures.ts'
import { measureListsOfMillion } from '../lists/lists.ts'
import { shareOf } from '../processes.ts'
import type { RealServer } from '../realServer.ts'
import { signIn } from '../session.ts'

export interface ScaleSizes {
  /** Devices that send, and devices that fall silent. */
  readonly senders: number
  readonly silent: number
  /** Readings a second that are offered to measure their cost, and seconds of each rate. */
  readonly rates: readonly number[]
  readonly seconds: number
  /** Seconds between two readings of a device, and for which they are sent, in the long run. */
  readonly interval: number
  readonly longSeconds: number
}

export const fullSize: ScaleSizes = {
  senders: 5_000,
  silent: 50,
  rates: [1_667, 5_000],
  seconds: 60,
  interval: 10,
  longSeconds: 600,
}
const warmUp = { rate: 500, seconds: 30 }
/** Seconds of a device's silence after which it is offline, with its reporting interval. */
const silence = 90
const reportInterval = 30
/** Seconds by which silence may be noticed late, and by which lists may be behind. */
const lateBudget = { max: 10 }
const behindBudget = { max: 5 }
/** Megabytes by which the memory of the server may grow in ten minutes and still count as flat. */
const growthBudget = { max: 20 }
/** Milliseconds of a sample. */
const sample = 5_000
const pollInterval = 500

/** Lets a process run on one core only, with all of its threads; its PostgreSQL, which is its child, keeps all of them. */
function pinToOneCore(id: number): void {
  try {
    execFileSync('taskset', ['-a', '-c', '-p', '0', String(id)], { stdio: 'ignore' })
  } catch {
    progress('  not pinned to one core: there is no taskset')
  }
}

/** Samples the server's memory and how far lists are behind, until the signal. Reports both. */
async function sampleServer(
  server: RealServer,
  db: Database,
  ids: readonly string[],
  stop: AbortSignal,
): Promise<void> {
  const memory: number[] = []
  const behind: number[] = []
  while (!stop.aborted) {
    memory.push((await shareOf(server.process, sample, postgres)).others.memory)
    behind.push(await secondsBehind(db, ids))
  }
  // Once the heap has what the lists need.
  const steady = memory.slice(Math.floor(memory.length / 3))
  const growth = slopeOf(steady) * (600_000 / sample)
  report(
    figure('scale: memory of the server', 'MB', memory, null),
    figure('scale: growth of its memory in ten minutes', 'MB', [growth], growthBudget),
    figure('scale: age of the oldest message that lists do not show', 's', behind, behindBudget),
  )
}

/** Returns the seconds since the oldest of the devices' newest messages that are not in the lists; 0 if all are. */
async function secondsBehind(db: Database, ids: readonly string[]): Promise<number> {
  const { rows } = await db.execute<{ seconds: number }>(sql`
    select coalesce(max(extract(epoch from now() - twin.heard_at)), 0)::float8 as seconds
    from device_twins as twin join device_values as shown using (bssid)
    where bssid = any(${sql.param(ids)}::text[]) and twin.heard_at > coalesce(shown.last_active, '-infinity')`)
  return rows[0]!.seconds
}

/** Returns the growth from one value to the next, by least squares. */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const products = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0)
  return products / values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0)
}

/** Connects devices, which then say nothing more, and reports how late the server notices that they are silent. */
async function measureSilence(server: RealServer, db: Database, devices: readonly Credentials[]): Promise<void> {
  const ids = devices.map(({ bssid }) => bssid)
  for (const device of devices) {
    const client = await connectDevice(server.mqttUrl, device)
    const state = { at: new Date().toISOString(), status: 0, report_interval: reportInterval }
    await client.publishAsync(topicOf(device.bssid, 'state'), JSON.stringify(state), { qos: 1 })
    // Without a last will, so that only silence tells.
    await client.endAsync()
  }
  // The condition rather than its notification, which may be counted with another one of the same day.
  const noticed = async () => {
    const { rows } = await db.execute<{ late: number }>(sql`
      select extract(epoch from since - heard_at)::float8 - ${silence} as late
      from device_alarms join device_twins using (bssid)
      where type = 'device_offline' and since > heard_at and bssid = any(${sql.param(ids)}::text[])`)
    return rows.map(({ late }) => late)
  }
  const maxWait = (silence + 60) * 1000
  let late = await noticed()
  for (const started = performance.now(); late.length < ids.length && performance.now() - started < maxWait;) {
    await wait(pollInterval)
    late = await noticed()
  }
  const missing = ids.length - late.length
  if (missing > 0) progress(`  the silence of ${missing} devices was not noticed`)
  report(figure('scale: silence noticed late by', 's', missing > 0 ? [] : late, lateBudget))
}

/** Sends at the devices' interval while everything else is measured. */
async function measureLong(
  server: RealServer,
  db: Database,
  publisher: Publisher,
  { senders, silent, interval, longSeconds }: ScaleSizes,
): Promise<void> {
  progress(`${senders.toLocaleString('en')} devices send every ${interval} s for ${longSeconds} s …`)
  const fleet = readFleet(fleetPath(server.dataDir), senders + silent)
  const ids = fleet.slice(0, senders).map(({ bssid }) => bssid)
  const stop = new AbortController()
  const sampling = sampleServer(server, db, ids, stop.signal)
  const sending = publisher.send({ rate: senders / interval, seconds: longSeconds })
  const admin = await signIn(server.url, 'admin')
  await Promise.all([
    measureListsOfMillion(server.url, admin, ', beside readings on one core'),
    measureSilence(server, db, fleet.slice(senders)),
  ])
  const { acknowledgedInTime } = await sending
  stop.abort()
  await sampling
  report(figure('scale: readings stored in the long run', 'a second', [acknowledgedInTime / longSeconds], null))
}

/** Measures a server whose demo fleet has the devices that send and fall silent. */
export async function measureScale(bench: Bench, server: RealServer, sizes: ScaleSizes): Promise<void> {
  const database = await openRunning(server.dataDir)
  if (!database) throw new Error('The server has no PostgreSQL of its own')
  bench.after(() => database.close())
  const { db } = database
  pinToOneCore(server.process)
  const publisher = await connectPublisher(server, sizes.senders)
  bench.after(() => publisher.stop())
  await publisher.send(warmUp)
  for (const rate of sizes.rates) await measureCost({ server, db, publisher }, { rate, seconds: sizes.seconds })
  await measureLong(server, db, publisher, sizes)
}

async function measure(bench: Bench): Promise<void> {
  progress('One server on one core with 1,000,000 devices …')
  await measureScale(bench, await bench.copyOfMillionServer(fullSize.senders + fullSize.silent), fullSize)
}

/** The fleet is copied first, and lists may take longer than the ten minutes. */
export const scalePart: LongPart = { limit: 40 * 60_000, measure }
