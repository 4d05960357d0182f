/**
 * Kills a web server, a gateway and a worker on one database and one broker, each again and again, while devices send
 * readings and a job runs: nothing is lost, nothing counts twice, and the other two go on.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { executable } from '../../scripts/testPrograms.ts'
import { fleetPath } from '../../server/demo/fleetFile.ts'
import { readDeviceLog } from '../../simulator/deviceLog.ts'
import { jobs } from '../../src/api/contract/jobs.ts'
import { serverRoles, type ServerRole } from '../../src/domain/columns/servers.ts'
import { contradictions } from '../support/jobTruth.ts'
import { startPostgres } from '../support/postgres.ts'
import { callsOf, timed, type Call } from './apiCalls.ts'
import type { Bench, LongPart } from './bench.ts'
import { launchBrokerFor } from './devices/ownBroker.ts'
import { connectPublisher, type Publisher } from './devices/readings.ts'
import { startDevices, stopDevices } from './devices/simulated.ts'
import { readFleet } from './devices/wire.ts'
import { figure, progress, report } from './figures.ts'
import { jobWhere, tasksOf } from './jobs/course.ts'
import { startRealServer, type RealServer } from './realServer.ts'

/** Devices that only send readings, and devices that do the job. */
const senders = 200
const workers = 4000
/** Readings a second of all senders. */
const rate = 400
/** Tasks of the job that begin in a minute. */
const tasksPerMinute = 600
/** Kills of each role. */
const kills = 10
/** Milliseconds within which the others go on. */
const budget = { max: 10_000 }
/** Milliseconds until all readings are stored after the last kill. */
const patience = 60_000

export const roleKillsPart: LongPart = { limit: 30 * 60_000, measure }

interface Setup {
  readonly servers: Readonly<Record<ServerRole, RealServer>>
  readonly publisher: Publisher
  readonly client: Client
  /** The ids of the devices that send readings, and the ids of the devices that do the job. */
  readonly ids: readonly string[]
  readonly working: readonly string[]
  /** Ends the devices of the job, and returns what they did. */
  readonly stopWorkers: () => Promise<ReturnType<typeof readDeviceLog>>
}

async function measure(bench: Bench): Promise<void> {
  progress(`A web server, a gateway and a worker, each killed ${kills} times …`)
  if (executable('mosquitto') === undefined) {
    progress('  left out: Mosquitto is not installed')
    return
  }
  const setup = await open(bench)
  const { servers, publisher, client, ids, working, stopWorkers } = setup
  const stored = () => countReadings(client, ids)
  const call = await callsOf(servers.web)
  const litresBefore = await lifetimeLitres(client, ids)

  const done = new AbortController()
  const sending = sendUntil(publisher, done.signal)
  const policy = { rate: tasksPerMinute, retries: 3 }
  const body = { command: 'lock', input: { locked: true }, ids: working, policy }
  const { _id } = await call<{ readonly _id: string }>('POST', jobs.create.path, body)
  const path = `${jobs.list.path}/${_id}`

  const pauses: Record<ServerRole, number[]> = { web: [], gateway: [], worker: [] }
  const starts: Record<ServerRole, number[]> = { web: [], gateway: [], worker: [] }
  for (let kill = 0; kill < kills; kill++)
    for (const role of serverRoles) {
      await servers[role].kill()
      const [pause] = await timed(() => goOn(role, call, stored))
      pauses[role].push(pause)
      const [start] = await timed(() => servers[role].start())
      starts[role].push(start)
      // Until it works as before, so that each kill meets a whole installation.
      await goOn(undefined, call, stored)
      progress(`  ${role} ${kill + 1}: ${Math.round(pause)} ms, ${await doneTasks(client, _id)} tasks done`)
    }
  done.abort()
  const acknowledged = await sending
  const job = await jobWhere(call, path, ({ state }) => state === 'ended')
  const tasks = await tasksOf(call, path, job.total)
  const wrong = contradictions(job, tasks, await stopWorkers())
  for (const sentence of wrong.slice(0, 20)) progress(`  ${sentence}`)
  for (const started = performance.now(); (await stored()) < acknowledged && performance.now() - started < patience;)
    await wait(100)
  const counted = (await lifetimeLitres(client, ids)) - litresBefore
  const all = await storedLitres(client, ids)
  progress(`  ${JSON.stringify(job.counts)}, ${acknowledged} readings of ${all.toFixed(3)} l`)
  for (const role of serverRoles)
    report(
      figure(`roles:kills: until the others go on without the ${role}`, 'ms', pauses[role], budget),
      figure(`roles:kills: start of the ${role} after its kill`, 'ms', starts[role], null),
    )
  report(
    figure('roles:kills: acknowledged readings that are lost', 'readings', [acknowledged - (await stored())], {
      max: 0,
    }),
    figure('roles:kills: litres that count twice or not at all', 'ml', [Math.round(Math.abs(counted - all) * 1000)], {
      max: 0,
    }),
    figure(`roles:kills: contradictions between a job of ${job.total} tasks and its devices`, '', [wrong.length], {
      max: 0,
    }),
    figure('roles:kills: done', 'devices', [job.counts.done], null),
  )
}

/** Sends readings until the signal, and returns how many the broker acknowledged. */
async function sendUntil(publisher: Publisher, signal: AbortSignal): Promise<number> {
  let acknowledged = 0
  while (!signal.aborted) acknowledged += (await publisher.send({ rate, seconds: 2, producing: 1 })).acknowledged
  return acknowledged
}

type Count = () => Promise<number>

/** Waits until the web server answers. */
const webGoesOn = async (call: Call) => {
  while ((await call('GET', '/api/v3/devices?limit=1').catch(() => undefined)) === undefined) await wait(20)
}
/** Waits until another reading is stored. */
const gatewayGoesOn = async (stored: Count) => {
  for (const before = await stored(); (await stored()) === before;) await wait(20)
}

/** Waits until the servers that people and devices notice go on, except a killed one. */
async function goOn(killed: ServerRole | undefined, call: Call, stored: Count): Promise<void> {
  await Promise.all([killed !== 'web' && webGoesOn(call), killed !== 'gateway' && gatewayGoesOn(stored)])
}

async function numberOf(client: Client, text: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await client.query<{ number: number }>(text, [...values])
  return rows[0]!.number
}
const countReadings = (client: Client, ids: readonly string[]) =>
  numberOf(client, 'select count(*)::int as number from readings where bssid = any($1)', [ids])
const storedLitres = (client: Client, ids: readonly string[]) =>
  numberOf(
    client,
    `select coalesce(sum(permeate::text::float8 + feed::text::float8), 0) as number from readings where bssid = any($1)`,
    [ids],
  )
const lifetimeLitres = (client: Client, ids: readonly string[]) =>
  numberOf(client, 'select sum(permeate + feed) as number from device_twins where bssid = any($1)', [ids])
const doneTasks = (client: Client, job: string) =>
  numberOf(client, `select count(*)::int as number from job_tasks where job_id = $1 and state = 'done'`, [job])

/** Starts a server of each role on one database and one broker, and connects the devices. All end with the part. */
async function open(bench: Bench): Promise<Setup> {
  const postgres = await startPostgres({ durable: true })
  bench.after(() => postgres.stop())
  const secrets = { SECRETS_KEY: 'the key of all servers in this bench' }
  const first = await startRealServer(postgres.url, senders + workers, undefined, secrets)
  bench.after(() => first.remove())
  await first.stop()
  const { dataDir } = first
  const mosquitto = await launchBrokerFor(dataDir)
  bench.after(() => mosquitto.stop())
  const started = await Promise.all(
    serverRoles.map(async role => {
      const more = { ...secrets, ROLES: role, MQTT_URL: mosquitto.serverUrl }
      const server = await startRealServer(postgres.url, 0, undefined, more)
      bench.after(() => server.remove())
      return [role, server] as const
    }),
  )
  const at = { mqttUrl: mosquitto.deviceUrl, dataDir }
  const publisher = await connectPublisher(at, senders)
  bench.after(() => publisher.stop())
  const [fleet, log] = [join(dataDir, 'workers.jsonl'), join(dataDir, 'workers.log.jsonl')]
  const lines = readFileSync(fleetPath(dataDir), 'utf8').trimEnd().split('\n').slice(senders)
  appendFileSync(fleet, `${lines.join('\n')}\n`, { mode: 0o600 })
  const simulator = await startDevices(at, { fleet, log, connects: '2000' })
  bench.after(() => stopDevices(simulator))
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  bench.after(() => client.end())
  return {
    servers: Object.fromEntries(started) as Record<ServerRole, RealServer>,
    publisher,
    client,
    ids: readFleet(fleetPath(dataDir), senders).map(({ bssid }) => bssid),
    working: readFleet(fleet).map(({ bssid }) => bssid),
    stopWorkers: async () => {
      await stopDevices(simulator)
      return readDeviceLog(log)
    },
  }
}
