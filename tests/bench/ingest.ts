/**
 * `npm run bench:ingest`: readings a second that the server takes, with the devices on the same machine, as JSON. Each
 * reading has eight values and is a message of its own. Parts by name: postgres, embedded, charts; a number is how many
 * seconds each load lasts.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { open } from '../../server/db/database.ts'
import { readings } from '../../server/db/schema/telemetry.ts'
import { fleetPath } from '../../server/demo/fleetFile.ts'
import { progress, quantile } from './figures.ts'
import { startPostgres } from './postgres.ts'
import { watch, type Usage } from './processes.ts'
import type { Load, Sent } from './publisher.ts'
import { startRealServer, type RealServer } from './realServer.ts'
import { measureYearCharts } from './yearCharts.ts'

const devices = 2_000
/** Readings a second that must be sustained, and how many times as many are offered besides. */
const aim = 5_000
const times = [1, 3, 10]
/** Milliseconds between two looks at memory. */
const look = 5_000
const warmUp: Load = { rate: 1_000, seconds: 10 }

const isNumber = (text: string) => /^\d+$/.test(text)
const asked = process.argv.slice(2).filter(text => !isNumber(text))
/** For each load; by default as long as the figures ask for. */
const seconds = process.argv.slice(2).filter(isNumber).map(Number)[0]
const wants = (part: string) => asked.length === 0 || asked.includes(part)
const rounded = (value: number) => Math.round(value * 10) / 10

interface Measured {
  readonly offered: number
  /** Readings a second that were in the database at the end of the time. */
  readonly stored: number
  /** Of those that were made, %. */
  readonly shareStored: number
  /** Readings that were acknowledged in all, and those that still wait in the devices. */
  readonly acknowledged: number
  readonly waiting: number
  /** Milliseconds from sending to the acknowledgement. */
  readonly acknowledgedIn: { readonly median: number; readonly p95: number }
  /** Of one core, %. */
  readonly cpu: { readonly server: number; readonly database: number | null; readonly devices: number }
  /** Megabytes of the server, at the begin, at most, at the end. */
  readonly memory: readonly [begin: number, most: number, end: number]
}

interface Bench {
  readonly server: RealServer
  readonly database: number | undefined
  readonly publisher: ChildProcess
}

async function send(publisher: ChildProcess, load: Load): Promise<Sent> {
  const answer = once(publisher, 'message')
  publisher.send(load)
  return ((await answer) as [Sent])[0]
}

async function measure({ server, database, publisher }: Bench, load: Load): Promise<Measured> {
  const ofServer = watch(server.process)
  const ofDatabase = database === undefined ? undefined : watch(database)
  const ofDevices = watch(publisher.pid!)
  const memory: number[] = []
  const looking = setInterval(() => {
    memory.push(ofServer().memory)
    ofDatabase?.()
  }, look)
  const sending = send(publisher, load)
  await wait(load.seconds * 1000)
  clearInterval(looking)
  const percent = ({ cpu }: Usage) => rounded((cpu / load.seconds) * 100)
  const cpu = {
    server: percent(ofServer()),
    database: ofDatabase === undefined ? null : percent(ofDatabase()),
    devices: percent(ofDevices()),
  }
  const sent = await sending
  return {
    offered: rounded(sent.made / load.seconds),
    stored: rounded(sent.acknowledgedInTime / load.seconds),
    shareStored: rounded((sent.acknowledgedInTime / sent.made) * 100),
    acknowledged: sent.acknowledged,
    waiting: sent.made - sent.acknowledged,
    acknowledgedIn: {
      median: rounded(quantile(sent.latencies, 0.5)),
      p95: rounded(quantile(sent.latencies, 0.95)),
    },
    cpu,
    memory: [rounded(memory[0] ?? 0), rounded(Math.max(...memory)), rounded(memory.at(-1) ?? 0)],
  }
}

interface Result {
  readonly loads: readonly Measured[]
  /** Readings that were acknowledged and are not in the database once the server has stopped. */
  readonly lost: number
}

/** Every load on one server in turn, on PostgreSQL or the embedded database. */
async function measureAll(kind: 'postgres' | 'embedded', lasting: number): Promise<Result> {
  const postgres = kind === 'postgres' ? await startPostgres() : undefined
  const server = await startRealServer(postgres?.url, devices)
  const fleet = [server.mqttUrl, fleetPath(server.dataDir), String(devices)]
  const publisher = fork(join(import.meta.dirname, 'publisher.ts'), fleet)
  try {
    await once(publisher, 'message')
    const warm = await send(publisher, warmUp)
    const loads: Measured[] = []
    for (const time of times) {
      const load = { rate: aim * time, seconds: lasting }
      loads.push(await measure({ server, database: postgres?.process, publisher }, load))
      progress(`${kind}, ${time} × ${aim} readings/s: ${JSON.stringify(loads.at(-1))}`)
    }
    publisher.kill()
    await server.stop()
    const acknowledged = loads.reduce((sum, load) => sum + load.acknowledged, warm.acknowledged)
    const lost = acknowledged - (await storedIn({ databaseUrl: postgres?.url, dataDir: server.dataDir }))
    progress(`${kind}: ${lost} of ${acknowledged} acknowledged readings lost`)
    return { loads, lost }
  } catch (error) {
    progress(server.log())
    throw error
  } finally {
    publisher.kill()
    await server.remove()
    await postgres?.stop()
  }
}

async function storedIn(where: Parameters<typeof open>[0]): Promise<number> {
  const { db, close } = await open(where)
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
  ...(wants('charts') && { charts: await measureYearCharts() }),
}
const machine = {
  cores: cpus().length,
  cpu: cpus()[0]?.model ?? 'unknown',
  node: process.version,
  loadBefore,
  loadAfter: loadavg(),
}
process.stdout.write(`${JSON.stringify({ machine, ...result }, null, 2)}\n`)
