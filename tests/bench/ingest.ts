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
import { usageOf, type Usage } from './processes.ts'
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
  /** Of those that were made, %. The others wait in the devices: */
  readonly shareStored: number
  readonly waiting: number
  /** Acknowledged and not in the database. */
  readonly lost: number
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
  /** Readings in the database. */
  readonly count: () => Promise<number>
}

async function send(publisher: ChildProcess, load: Load): Promise<Sent> {
  const answer = once(publisher, 'message')
  publisher.send(load)
  return ((await answer) as [Sent])[0]
}

async function measure({ server, database, publisher, count }: Bench, load: Load): Promise<Measured> {
  const before = await count()
  const all = [server.process, database, publisher.pid].map(id => (id === undefined ? undefined : usageOf(id)))
  const memory: number[] = []
  const looking = setInterval(() => memory.push(usageOf(server.process).memory), look)
  const sending = send(publisher, load)
  await wait(load.seconds * 1000)
  clearInterval(looking)
  const after = [server.process, database, publisher.pid].map(id => (id === undefined ? undefined : usageOf(id)))
  const sent = await sending
  const inDatabase = (await count()) - before
  const used = (begin: Usage | undefined, end: Usage | undefined) =>
    begin && end ? rounded(((end.cpu - begin.cpu) / load.seconds) * 100) : null
  const [ofServer, ofDatabase, ofDevices] = all.map((begin, at) => used(begin, after[at]))
  return {
    offered: rounded(sent.made / load.seconds),
    stored: rounded(sent.acknowledgedInTime / load.seconds),
    shareStored: rounded((sent.acknowledgedInTime / sent.made) * 100),
    waiting: sent.made - sent.acknowledged,
    lost: sent.acknowledged - inDatabase,
    acknowledgedIn: {
      median: rounded(quantile(sent.latencies, 0.5)),
      p95: rounded(quantile(sent.latencies, 0.95)),
    },
    cpu: { server: ofServer ?? 0, database: ofDatabase ?? null, devices: ofDevices ?? 0 },
    memory: [rounded(memory[0] ?? 0), rounded(Math.max(...memory)), rounded(memory.at(-1) ?? 0)],
  }
}

/** Every load on one server in turn, on PostgreSQL or the embedded database. */
async function measureAll(kind: 'postgres' | 'embedded', lasting: number): Promise<Measured[]> {
  const postgres = kind === 'postgres' ? await startPostgres() : undefined
  const server = await startRealServer(postgres?.url, devices)
  const publisher = fork(join(import.meta.dirname, 'publisher.ts'), [
    server.mqttUrl,
    fleetPath(server.dataDir),
    String(devices),
  ])
  // The embedded database is the server's own: what is in it is counted when it has stopped.
  const counting = postgres === undefined ? undefined : await open({ databaseUrl: postgres.url, dataDir: '' })
  try {
    await once(publisher, 'message')
    const count = () => counting?.db.$count(readings) ?? Promise.resolve(0)
    const bench = { server, database: postgres?.process, publisher, count }
    await send(publisher, warmUp)
    const found: Measured[] = []
    for (const time of times) {
      const measured = await measure(bench, { rate: aim * time, seconds: lasting })
      progress(`${kind}, ${time} × ${aim} readings/s: ${JSON.stringify(measured)}`)
      found.push(measured)
    }
    return found
  } finally {
    publisher.kill()
    await counting?.close()
    await server.stop()
    await postgres?.stop()
    progress(server.log())
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
