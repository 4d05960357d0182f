/** Memory of the server while large jobs are created and carried out. */
import { setTimeout as wait } from 'node:timers/promises'
import { jobs, type Job } from '../../../src/api/contract/jobs.ts'
import { callsOf, type Call } from '../apiCalls.ts'
import type { Bench, LongPart } from '../bench.ts'
import { largeFleet, unusedVersion } from '../devices/fleet.ts'
import { startDevices, stopDevices } from '../devices/simulated.ts'
import { figure, progress, report } from '../figures.ts'
import { carryOut, connectedFleet } from '../jobs.ts'
import { startRealServer, type RealServer } from '../realServer.ts'
import { memoryOf } from '../trust/serverProcesses.ts'

/** Jobs whose devices are skipped, and jobs that are sent: of these the first two only fill caches. */
const skippedJobs = 2
const sentJobs = 6
/** Milliseconds between two looks. */
const look = 100
/** Megabytes that the last job may need more than the one that it is compared with. */
const maxGrowth = 30

/** Megabytes, the largest values during a job. */
interface Peak {
  readonly server: number
  readonly database: number
}

/** Does work, and returns the largest memory meanwhile. */
async function peakDuring(server: RealServer, work: () => Promise<void>): Promise<Peak> {
  let peak: Peak = { server: 0, database: 0 }
  const sampling = setInterval(() => {
    const { server: own, databasePrivate } = memoryOf(server)
    peak = { server: Math.max(peak.server, own), database: Math.max(peak.database, databasePrivate) }
  }, look)
  try {
    await work()
  } finally {
    clearInterval(sampling)
  }
  return peak
}

/** Carries out a job whose devices are all skipped, because their platforms do not have the version: no device has to be connected. */
async function skipAll(call: Call): Promise<void> {
  const body = { command: 'update_firmware', input: { version: unusedVersion }, search: {} }
  const { _id } = await call<{ readonly _id: string }>('POST', jobs.create.path, body)
  let job = await call<Job>('GET', `${jobs.list.path}/${_id}`)
  while (job.state !== 'ended') {
    await wait(look)
    job = await call<Job>('GET', `${jobs.list.path}/${_id}`)
  }
  if (job.counts.skipped !== largeFleet) throw new Error(`The job ended with ${JSON.stringify(job.counts)}`)
}

/** Locks or unlocks all devices. */
async function sendAll(call: Call, locked: boolean): Promise<void> {
  const { state, done } = await carryOut(call, locked)
  if (state !== 'ended' || done < connectedFleet / 2)
    throw new Error(`The job is ${state}, ${done} devices have done it`)
}

/** Reports the memory during jobs, and what the last one needs more than the one at `reference`. */
function reportPeaks(jobsName: string, before: Peak, peaks: readonly Peak[], reference: number): void {
  for (const [of, name] of [
    ['server', 'the server'],
    ['database', 'PostgreSQL of its own'],
  ] as const) {
    const values = peaks.map(peak => peak[of])
    report(
      figure(`memory of ${name} before ${jobsName}`, 'MB', [before[of]], null),
      figure(`memory of ${name} during ${jobsName}`, 'MB', values, null),
      figure(
        `memory of ${name} that ${jobsName} add from one to the last`,
        'MB',
        [values.at(-1)! - values[reference]!],
        {
          max: maxGrowth,
        },
      ),
    )
  }
}

const peakNow = (server: RealServer): Peak => {
  const { server: own, databasePrivate } = memoryOf(server)
  return { server: own, database: databasePrivate }
}

async function measureSkipped(bench: Bench): Promise<void> {
  const count = largeFleet.toLocaleString('en')
  progress(`Memory during jobs for ${count} devices …`)
  const server = await bench.copyOfLargeServer()
  const call = await callsOf(server)
  const before = peakNow(server)
  const peaks: Peak[] = []
  for (let n = 0; n < skippedJobs; n++) peaks.push(await peakDuring(server, () => skipAll(call)))
  reportPeaks(`jobs for ${count} devices, all skipped,`, before, peaks, 0)
}

async function measureSent(bench: Bench): Promise<void> {
  const count = connectedFleet.toLocaleString('en')
  progress(`Memory during jobs that are sent to ${count} devices …`)
  const server = await startRealServer(undefined, connectedFleet)
  bench.after(() => server.remove())
  const devices = await startDevices(server)
  bench.after(() => stopDevices(devices))
  const call = await callsOf(server)
  const before = peakNow(server)
  const peaks: Peak[] = []
  for (let n = 0; n < sentJobs; n++) peaks.push(await peakDuring(server, () => sendAll(call, n % 2 === 0)))
  reportPeaks(`jobs sent to ${count} devices`, before, peaks, 2)
}

/** Claiming two hundred thousand tasks takes a minute. */
export const memoryPart: LongPart = {
  limit: 10 * 60_000,
  measure: async bench => {
    await measureSkipped(bench)
    await measureSent(bench)
  },
}
