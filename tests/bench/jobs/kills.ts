/** Jobs of 10,000 devices whose server is killed again and again: each device does its part once, by its own log. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { jobs } from '../../../src/api/contract/jobs.ts'
import { fleetPath } from '../../../server/demo/fleetFile.ts'
import { readDeviceLog, type DeviceEvent } from '../../../simulator/deviceLog.ts'
import { random } from '../../../simulator/model/random.ts'
import { contradictions } from '../../support/jobTruth.ts'
import { startPostgres } from '../../support/postgres.ts'
import { callsOf, timed } from '../apiCalls.ts'
import type { Bench, LongPart } from '../bench.ts'
import { startDevices, stopDevices } from '../devices/simulated.ts'
import { figure, progress, report } from '../figures.ts'
import { startRealServer, type RealServer } from '../realServer.ts'
import { endedShare, jobWhere, tasksOf } from './course.ts'

/** About a twentieth is offline or of a model without a lock, so that ten thousand devices are commanded. */
const fleet = 11_000
const kills = 20
const seed = 16
/** The share of the tasks after which the last kill is at the latest: some have to be left. */
const lastKill = 0.85
/** Maximum milliseconds until the kill once it is due: sometimes its devices are back, and sometimes they are coming back. */
const maxDelay = 10_000
/** Milliseconds that a job may take with its kills and retries. */
const limit = 40 * 60_000

/** Servers on one database; the last one is killed. */
type Servers = readonly RealServer[]

async function onPostgres(bench: Bench): Promise<string> {
  const postgres = await startPostgres({ durable: true })
  bench.after(() => postgres.stop())
  return postgres.url
}

async function start(bench: Bench, databaseUrl: string | undefined, devices = fleet): Promise<RealServer> {
  const server = await startRealServer(databaseUrl, devices, undefined, {
    SECRETS_KEY: 'the key of all servers in this bench',
  })
  bench.after(() => server.remove())
  return server
}

const part = (name: string, open: (bench: Bench) => Promise<Servers>): LongPart => ({
  limit,
  measure: async bench => {
    progress(`${name}, killed ${kills} times during a job …`)
    await measureKills(bench, name, await open(bench))
  },
})

export const killParts: Readonly<Record<string, LongPart>> = {
  'jobs:kills:embedded': part('embedded PostgreSQL', async bench => [await start(bench, undefined)]),
  'jobs:kills:postgres': part('PostgreSQL', async bench => [await start(bench, await onPostgres(bench))]),
  'jobs:kills:servers': part('one of two servers', async bench => {
    const url = await onPostgres(bench)
    return [await start(bench, url), await start(bench, url, 0)]
  }),
}

/** Connects the fleet, an equal part of it to each server. Returns a function that ends it and returns what it did. */
async function connectFleet(bench: Bench, servers: Servers): Promise<() => Promise<DeviceEvent[]>> {
  const { dataDir } = servers[0]!
  const lines = readFileSync(fleetPath(dataDir), 'utf8').trimEnd().split('\n')
  const logs = servers.map((_, index) => join(dataDir, `devices-${index}.jsonl`))
  const simulators = await Promise.all(
    servers.map(async ({ mqttUrl }, index) => {
      const some = join(dataDir, `fleet-${index}.jsonl`)
      const own = lines.filter((_, line) => line % servers.length === index)
      appendFileSync(some, `${own.join('\n')}\n`, { mode: 0o600 })
      const options = { fleet: some, log: logs[index]!, connects: '2000', 'max-back-off': '2s' }
      const simulator = await startDevices({ mqttUrl, dataDir }, options)
      bench.after(() => stopDevices(simulator))
      return simulator
    }),
  )
  return async () => {
    await Promise.all(simulators.map(stopDevices))
    return logs.filter(existsSync).flatMap(readDeviceLog)
  }
}

async function measureKills(bench: Bench, name: string, servers: Servers): Promise<void> {
  const killed = servers.at(-1)!
  const stopFleet = await connectFleet(bench, servers)
  const call = await callsOf(servers[0]!)
  const body = { command: 'lock', input: { locked: true }, search: {}, policy: { retries: 3 } }
  const started = performance.now()
  const { _id } = await call<{ readonly _id: string }>('POST', jobs.create.path, body)
  const path = `${jobs.list.path}/${_id}`

  const rng = random(seed)
  const moments = Array.from({ length: kills }, () => rng.between(0, lastKill)).toSorted((a, b) => a - b)
  const starts: number[] = []
  for (const moment of moments) {
    await jobWhere(call, path, job => endedShare(job) >= moment)
    await wait(rng.between(0, maxDelay))
    await killed.kill()
    starts.push((await timed(() => killed.start()))[0])
    progress(`  kill ${starts.length}, ${JSON.stringify((await jobWhere(call, path, () => true)).counts)}`)
  }
  const ended = await jobWhere(call, path, ({ state }) => state === 'ended')
  const seconds = (performance.now() - started) / 1000
  const tasks = await tasksOf(call, path, ended.total)
  const events = await stopFleet()
  const wrong = contradictions(ended, tasks, events)
  progress(`  ${JSON.stringify(ended.counts)}`)
  for (const sentence of wrong.slice(0, 20)) progress(`  ${sentence}`)
  const repeated = events.filter(({ did }) => did === 'repeated').length
  const executed = new Set(events.filter(({ did }) => did === 'executed').map(({ bssid }) => bssid))
  const unacknowledged = tasks.filter(({ state, bssid }) => state === 'unanswered' && executed.has(bssid)).length
  report(
    figure(`${name}: contradictions between a job of ${ended.total} tasks and its devices`, '', [wrong.length], {
      max: 0,
    }),
    figure(`${name}: the job with ${kills} kills`, 's', [seconds], null),
    figure(`${name}: start after a kill`, 'ms', starts, null),
    figure(`${name}: done`, 'devices', [ended.counts.done], null),
    figure(`${name}: unanswered`, 'devices', [ended.counts.unanswered], null),
    figure(`${name}: unanswered, although the device did it`, 'devices', [unacknowledged], null),
    figure(`${name}: commands that a device got again`, '', [repeated], null),
  )
}
