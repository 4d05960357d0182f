/**
 * `npm run bench:ingest`: readings a second that the server stores, with the devices on the same machine, as JSON. Each
 * reading has eight values and is sent in its own message. Arguments: the parts to run (postgres, embedded), and the
 * seconds of each load.
 */
import { cpus, loadavg } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { open } from '../../server/embedded/open.ts'
import { readConfig } from '../../server/core/config.ts'
import { readings } from '../../server/db/schema/telemetry.ts'
import { progress, quantile } from './figures.ts'
import { startPostgres } from '../support/postgres.ts'
import { watch, type Usage } from './processes.ts'
import type { Load } from './devices/publisher.ts'
import { connectPublisher, type Publisher } from './devices/readings.ts'
import { startRealServer, type RealServer } from './realServer.ts'

const devices = 2_000
/** The readings a second that must be sustained, and the multiples of it that are offered. */
const aim = 5_000
const times = [1, 3, 10]
/** Shares of the readings in which permeate flows: that of a fleet at any moment, and all of them. */
const shares = [0.04, 1]
/** Milliseconds between two samples of memory. */
const sampleInterval = 5_000
const warmUp: Load = { rate: 1_000, seconds: 10, producing: 1 }

const isNumber = (text: string) => /^\d+$/.test(text)
const parts = process.argv.slice(2).filter(text => !isNumber(text))
/** The seconds of each load; the default depends on the part. */
const seconds = process.argv.slice(2).filter(isNumber).map(Number)[0]
const wants = (part: string) => parts.length === 0 || parts.includes(part)
const round = (value: number) => Math.round(value * 10) / 10

interface Measured {
  readonly producing: number | undefined
  readonly offered: number
  /** Readings a second that were stored at the end of the load. */
  readonly stored: number
  /** Their percentage of the offered ones. */
  readonly shareStored: number
  /** The readings that were acknowledged in all, and those still pending in the devices. */
  readonly acknowledged: number
  readonly waiting: number
  /** Milliseconds from sending to the acknowledgement. */
  readonly acknowledgedIn: { readonly median: number; readonly p95: number }
  /** Percent of one core. */
  readonly cpu: { readonly server: number; readonly database: number | null; readonly devices: number }
  /** The server's memory in megabytes: at the start, the maximum, and at the end. */
  readonly memory: readonly [start: number, max: number, end: number]
}

interface Bench {
  readonly server: RealServer
  readonly database: number | undefined
  readonly publisher: Publisher
}

async function measure({ server, database, publisher }: Bench, load: Load): Promise<Measured> {
  const serverUsage = watch(server.process)
  const databaseUsage = database === undefined ? undefined : watch(database)
  const publisherUsage = watch(publisher.process)
  const memory: number[] = []
  const sampling = setInterval(() => {
    memory.push(serverUsage().memory)
    databaseUsage?.()
  }, sampleInterval)
  const sending = publisher.send(load)
  await wait(load.seconds * 1000)
  clearInterval(sampling)
  const percent = ({ cpu }: Usage) => round((cpu / load.seconds) * 100)
  const cpu = {
    server: percent(serverUsage()),
    database: databaseUsage === undefined ? null : percent(databaseUsage()),
    devices: percent(publisherUsage()),
  }
  const sent = await sending
  return {
    producing: load.producing,
    offered: round(sent.made / load.seconds),
    stored: round(sent.acknowledgedInTime / load.seconds),
    shareStored: round((sent.acknowledgedInTime / sent.made) * 100),
    acknowledged: sent.acknowledged,
    waiting: sent.made - sent.acknowledged,
    acknowledgedIn: {
      median: round(quantile(sent.latencies, 0.5)),
      p95: round(quantile(sent.latencies, 0.95)),
    },
    cpu,
    memory: [round(memory[0] ?? 0), round(Math.max(...memory)), round(memory.at(-1) ?? 0)],
  }
}

interface Result {
  readonly loads: readonly Measured[]
  /** Acknowledged readings that are not in the database after the server has stopped. */
  readonly lost: number
}

/** Runs all loads on one server, with PostgreSQL or the embedded database. */
async function measureAll(kind: 'postgres' | 'embedded', duration: number): Promise<Result> {
  const postgres = kind === 'postgres' ? await startPostgres({ durable: true }) : undefined
  const server = await startRealServer(postgres?.url, devices)
  let publisher: Publisher | undefined
  try {
    publisher = await connectPublisher(server, devices)
    const warm = await publisher.send(warmUp)
    const loads: Measured[] = []
    for (const producing of shares)
      for (const time of times) {
        const load = { rate: aim * time, seconds: duration, producing }
        loads.push(await measure({ server, database: postgres?.process, publisher }, load))
        progress(`${kind}, ${time} × ${aim} readings/s: ${JSON.stringify(loads.at(-1))}`)
      }
    await publisher.stop()
    await server.stop()
    const acknowledged = loads.reduce((sum, load) => sum + load.acknowledged, warm.acknowledged)
    const lost = acknowledged - (await storedIn({ DATABASE_URL: postgres?.url, DATA_DIR: server.dataDir }))
    progress(`${kind}: ${lost} of ${acknowledged} acknowledged readings lost`)
    return { loads, lost }
  } catch (error) {
    progress(server.log())
    throw error
  } finally {
    await publisher?.stop()
    await server.remove()
    await postgres?.stop()
  }
}

async function storedIn(settings: Parameters<typeof readConfig>[0]): Promise<number> {
  const { db, close } = await open(readConfig(settings), { info: progress, error: progress })
  try {
    return await db.$count(readings)
  } finally {
    await close()
  }
}

const loadBefore = loadavg()
const result = {
  devices,
  ...(wants('postgres') && { postgres: await measureAll('postgres', seconds ?? 60) }),
  ...(wants('embedded') && { embedded: await measureAll('embedded', seconds ?? 20) }),
}
const machine = {
  cores: cpus().length,
  cpu: cpus()[0]?.model ?? 'unknown',
  node: process.version,
  loadBefore,
  loadAfter: loadavg(),
}
process.stdout.write(`${JSON.stringify({ machine, ...result }, null, 2)}\n`)
