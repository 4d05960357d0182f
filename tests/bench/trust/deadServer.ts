/** How soon another server fetches the share of readings that a broker keeps for a server that is gone. */
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { executable } from '../../../scripts/testPrograms.ts'
import { startPostgres } from '../../support/postgres.ts'
import type { Bench, LongPart } from '../bench.ts'
import { launchBrokerFor } from '../devices/ownBroker.ts'
import { connectPublisher, type Publisher } from '../devices/readings.ts'
import { figure, progress, report } from '../figures.ts'
import { startRealServer, type RealServer } from '../realServer.ts'

const fleet = 100
/** Readings a second of all devices, and the seconds for which both servers get theirs. */
const rate = 200
const seconds = 2
/** Seconds for which a server does nothing any more while devices go on: what it gets then is its share. */
const silentFor = 1
const rounds = 3
/** Milliseconds until all readings are stored. */
const budget = { max: 15_000 }
/** Milliseconds after which readings count as lost. */
const patience = 60_000

export const deadServerPart: LongPart = { limit: 10 * 60_000, measure }

interface Setup {
  readonly killed: RealServer
  readonly publisher: Publisher
  /** Returns how many readings are stored. */
  readonly count: () => Promise<number>
}

async function measure(bench: Bench): Promise<void> {
  progress('The share of a server that is gone …')
  if (executable('mosquitto') === undefined) {
    progress('  left out: Mosquitto is not installed')
    return
  }
  const setup = await open(bench)
  const { publisher, count } = setup
  await publisher.send({ rate, seconds })
  // A machine that fails leaves its connection open, until the broker misses its signs of life.
  for (const [name, signal] of [
    ['is killed', 'SIGKILL'],
    ['falls silent', undefined],
  ] as const) {
    const times: number[] = []
    const shares: number[] = []
    const lost: number[] = []
    for (let round = 0; round < rounds; round++) {
      const before = await count()
      const { time, share, sent } = await lose(setup, before, signal)
      times.push(time)
      shares.push(share)
      lost.push(before + sent - (await count()))
      await setup.killed.kill()
      await setup.killed.start()
    }
    report(
      figure(`readings that wait for a server that ${name}`, 'readings', shares, null),
      // Otherwise there was nothing to fetch.
      figure(`times when none waited for a server that ${name}`, '', [shares.filter(share => share < 1).length], {
        max: 0,
      }),
      figure(`until another server has stored the readings of one that ${name}`, 'ms', times, budget),
      figure(`acknowledged readings that are lost with a server that ${name}`, 'readings', lost, { max: 0 }),
    )
  }
}

interface Fetched {
  /** Milliseconds from the server's end. */
  readonly time: number
  /** Readings that were not stored then. */
  readonly share: number
  /** Readings that the broker acknowledged. */
  readonly sent: number
}

/** Stops a server while devices send, ends it by a signal if one is given, and waits until all is stored. */
async function lose(
  { killed, publisher, count }: Setup,
  before: number,
  signal: 'SIGKILL' | undefined,
): Promise<Fetched> {
  const sending = publisher.send({ rate, seconds: seconds + silentFor })
  await wait(seconds * 1000)
  process.kill(killed.process, 'SIGSTOP')
  const stopped = performance.now()
  const { acknowledged: sent } = await sending
  const started = signal === undefined ? stopped : performance.now()
  const share = before + sent - (await count())
  if (signal !== undefined) await killed.kill()
  while ((await count()) < before + sent && performance.now() - started < patience) await wait(50)
  return { time: performance.now() - started, share, sent }
}

/** Starts two servers on one database and one broker, and connects devices. All end with the part. */
async function open(bench: Bench): Promise<Setup> {
  const postgres = await startPostgres({ durable: true })
  bench.after(() => postgres.stop())
  const first = await startRealServer(postgres.url, fleet, undefined, secrets)
  bench.after(() => first.remove())
  await first.stop()
  const mosquitto = await launchBrokerFor(first.dataDir)
  bench.after(() => mosquitto.stop())
  const start = async () => {
    const server = await startRealServer(postgres.url, 0, undefined, { ...secrets, MQTT_URL: mosquitto.serverUrl })
    bench.after(() => server.remove())
    return server
  }
  await start()
  const killed = await start()
  const publisher = await connectPublisher({ mqttUrl: mosquitto.deviceUrl, dataDir: first.dataDir }, fleet)
  bench.after(() => publisher.stop())
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  bench.after(() => client.end())
  const count = async () => {
    const { rows } = await client.query<{ count: number }>('select count(*)::int as count from readings')
    return rows[0]!.count
  }
  return { killed, publisher, count }
}

const secrets = { SECRETS_KEY: 'the key of all servers in this bench' }
