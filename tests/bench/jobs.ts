/** Jobs of the server: creating and previewing one for a hundred thousand devices, its tasks, and one that devices do. */
import { setTimeout as wait } from 'node:timers/promises'
import { jobs, type Job, type JobPreview } from '../../src/api/contract/jobs.ts'
import type { Bench } from './bench.ts'
import { callsOf, timed, type Call } from './apiCalls.ts'
import { networkIdle, openContext, repeat } from './browser.ts'
import { figure, frameShare, progress, report } from './figures.ts'
import { framesWhileIdle, slowFrame } from './frames.ts'
import { largeFleet } from './devices/fleet.ts'
import { startRealServer } from './realServer.ts'
import { signIn } from './session.ts'
import { startDevices, stopDevices } from './devices/simulated.ts'

/** About a twentieth is offline or of a model without a lock, so that ten thousand devices are commanded. */
const fleet = 11_000
const times = 5
const pages = 60
/** Milliseconds between two looks at a job, and until it has ended at the latest. */
const look = 50
const timeout = 120_000
/** Milliseconds for which the screen is watched at rest. */
const restTime = 10_000

/** Creates jobs for all devices that begin tomorrow, and reads and cancels them. */
async function measureLarge(call: Call): Promise<void> {
  const start = new Date(Date.now() + 86_400_000).toISOString()
  const body = { command: 'flush', search: {}, policy: { start, waves: [{ size: '1%' }, { size: '10%' }] } }
  const previews: number[] = []
  const creations: number[] = []
  const cancellations: number[] = []
  const reads: number[] = []
  for (const _ of repeat(times, index => index)) {
    const [previewed, preview] = await timed(() => call<JobPreview>('POST', `${jobs.create.path}?preview=true`, body))
    if (preview.total !== largeFleet) throw new Error(`The preview has ${preview.total} devices`)
    previews.push(previewed)
    const [created, { _id }] = await timed(() => call<{ readonly _id: string }>('POST', jobs.create.path, body))
    creations.push(created)
    const path = `${jobs.list.path}/${_id}`
    for (const page of repeat(pages / times, index => index)) {
      const query = page % 2 ? `search=${page % 4 ? 'queued' : 'skipped'}&column=state&operator=eq` : 'sort=reason'
      reads.push((await timed(() => call('GET', `${path}/tasks?limit=100&offset=${page * 500}&${query}`)))[0])
    }
    cancellations.push((await timed(() => call('POST', `${path}/cancel`)))[0])
  }
  const count = largeFleet.toLocaleString('en')
  report(
    figure(`preview of a job for ${count} devices`, 'ms', previews, { max: 2000 }),
    figure(`creating a job for ${count} devices`, 'ms', creations, { max: 5000 }),
    figure(`page of the tasks of a job for ${count} devices`, 'ms', reads, { p95: 50 }),
    figure(`cancelling a job for ${count} devices`, 'ms', cancellations, null),
  )
}

/** Locks or unlocks all devices that can be locked, waits for the job's end, and returns the job. */
async function carryOut(call: Call, locked: boolean): Promise<Job> {
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
  report(figure(`a job of which ${job.done} devices have done their part`, 's', [milliseconds / 1000], { max: 10 }))
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
  await measureLarge(await callsOf(await bench.copyOfLargeServer()))
  const server = await startRealServer(undefined, fleet)
  bench.after(() => server.remove())
  const devices = await startDevices(server)
  bench.after(() => stopDevices(devices))
  const call = await callsOf(server)
  await measureDone(call)
  await measureFrames(bench, server.url, call)
}
