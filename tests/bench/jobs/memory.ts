/** Memory of the server while jobs for 100,000 devices are created and carried out. */
import { setTimeout as wait } from 'node:timers/promises'
import { jobs, type Job } from '../../../src/api/contract/jobs.ts'
import { callsOf, type Call } from '../apiCalls.ts'
import type { Bench, LongPart } from '../bench.ts'
import { largeFleet, unusedVersion } from '../devices/fleet.ts'
import { figure, progress, report } from '../figures.ts'
import type { RealServer } from '../realServer.ts'
import { memoryOf } from '../trust/serverProcesses.ts'

const times = 2
/** Milliseconds between two looks. */
const look = 100

/** Megabytes, the largest values during a job. */
interface Peak {
  readonly server: number
  readonly database: number
}

/** Carries out a job whose devices are all skipped, because their platforms do not have the version: no device has to be connected. */
async function peakOfJob(server: RealServer, call: Call): Promise<Peak> {
  let peak: Peak = { server: 0, database: 0 }
  const sample = () => {
    const { server: own, databasePrivate } = memoryOf(server)
    peak = { server: Math.max(peak.server, own), database: Math.max(peak.database, databasePrivate) }
  }
  const sampling = setInterval(sample, look)
  try {
    const body = { command: 'update_firmware', input: { version: unusedVersion }, search: {} }
    const { _id } = await call<{ readonly _id: string }>('POST', jobs.create.path, body)
    let job = await call<Job>('GET', `${jobs.list.path}/${_id}`)
    while (job.state !== 'ended') {
      await wait(look)
      job = await call<Job>('GET', `${jobs.list.path}/${_id}`)
    }
    if (job.counts.skipped !== largeFleet) throw new Error(`The job ended with ${JSON.stringify(job.counts)}`)
  } finally {
    clearInterval(sampling)
  }
  return peak
}

async function measure(bench: Bench): Promise<void> {
  progress('Memory during jobs for 100,000 devices …')
  const server = await bench.copyOfLargeServer()
  const call = await callsOf(server)
  const before = memoryOf(server)
  const peaks: Peak[] = []
  for (let time = 0; time < times; time++) peaks.push(await peakOfJob(server, call))
  const count = largeFleet.toLocaleString('en')
  const grown = (of: keyof Peak) => peaks.at(-1)![of] - peaks[0]![of]
  report(
    figure('memory of the server before', 'MB', [before.server], null),
    figure(
      `memory of the server during a job for ${count} devices`,
      'MB',
      peaks.map(({ server: own }) => own),
      null,
    ),
    figure(
      `memory of PostgreSQL of its own during a job for ${count} devices`,
      'MB',
      peaks.map(({ database }) => database),
      null,
    ),
    figure(`memory of the server that the second such job adds to the first`, 'MB', [grown('server')], {
      max: 30,
    }),
    figure(`memory of PostgreSQL that it adds`, 'MB', [grown('database')], { max: 30 }),
  )
}

/** Claiming two hundred thousand tasks takes a minute. */
export const memoryPart: LongPart = { limit: 5 * 60_000, measure }
