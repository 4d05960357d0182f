/** Jobs of the server that devices carry out, and the frames of the screen that shows one. */
import { setTimeout as wait } from 'node:timers/promises'
import { jobs, type Job } from '../../src/api/contract/jobs.ts'
import type { Bench } from './bench.ts'
import { callsOf, timed, type Call } from './apiCalls.ts'
import { networkIdle, openContext } from './browser.ts'
import { figure, frameShare, progress, report } from './figures.ts'
import { framesWhileIdle, slowFrame } from './frames.ts'
import { startRealServer } from './realServer.ts'
import { signIn } from './session.ts'
import { startDevices, stopDevices } from './devices/simulated.ts'

/** About a twentieth is offline or of a model without a lock, so that ten thousand devices are commanded. */
export const connectedFleet = 11_000
/** Milliseconds between two looks at a job, and until it has ended at the latest. */
const look = 50
const timeout = 120_000
/** Milliseconds for which the screen is watched at rest. */
const restTime = 10_000

/** Locks or unlocks all devices that can be locked, waits for the job's end, and returns the job. */
export async function carryOut(call: Call, locked: boolean): Promise<Job> {
  const body = { command: 'lock', input: { locked }, search: {} }
  const started = performance.now()
  const { _id } = await call<{ readonly _id: string }>('POST', jobs.create.path, body)
  let job = await call<Job>('GET', `${jobs.list.path}/${_id}`)
  while (job.state !== 'ended' && performance.now() - started < timeout) {
    await wait(look)
    job = await call<Job>('GET', `${jobs.list.path}/${_id}`)
  }
  progress(`  ${JSON.stringify(job.counts)}`)
  return job
}

async function measureDone(call: Call): Promise<void> {
  const [milliseconds, job] = await timed(() => carryOut(call, true))
  report(figure(`a job until ${job.done} devices are done`, 's', [milliseconds / 1000], { max: 10 }))
}

/** Watches the frames of the jobs screen while its account's job goes on, and at rest as a control. */
async function measureFrames(bench: Bench, url: string, call: Call): Promise<void> {
  const context = await openContext(await bench.browser(), url, await signIn(url, 'admin'))
  const page = await context.newPage()
  await page.goto(`${url}/jobs`)
  await networkIdle(page)
  const atRest = await framesWhileIdle(page, restTime)
  await page.evaluate(() => window.bench.watchFrames())
  await carryOut(call, false)
  const meanwhile = await page.evaluate(() => window.bench.frames())
  report(
    frameShare(`jobs screen at rest: frames over ${slowFrame} ms`, atRest, slowFrame, null),
    frameShare(`jobs screen while a job goes on: frames over ${slowFrame} ms`, meanwhile, slowFrame, { median: 1 }),
  )
}

export async function measureJobs(bench: Bench): Promise<void> {
  progress('Jobs of the server …')
  const server = await startRealServer(undefined, connectedFleet)
  bench.after(() => server.remove())
  const devices = await startDevices(server)
  bench.after(() => stopDevices(devices))
  const call = await callsOf(server)
  await measureDone(call)
  await measureFrames(bench, server.url, call)
}
