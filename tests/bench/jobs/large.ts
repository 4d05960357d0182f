/** Jobs for a hundred thousand devices: previewing, creating, reading and cancelling them. */
import { jobs, type JobPreview } from '../../../src/api/contract/jobs.ts'
import type { VersionCount } from '../../../src/domain/jobs/versions.ts'
import { callsOf, timed, type Call } from '../apiCalls.ts'
import type { Bench } from '../bench.ts'
import { repeat } from '../browser.ts'
import { largeFleet, unusedVersion } from '../devices/fleet.ts'
import { figure, progress, report } from '../figures.ts'

const times = 5
const pages = 60
const count = largeFleet.toLocaleString('en')

/** Milliseconds of each call about jobs. */
interface Durations {
  readonly previews: number[]
  readonly named: number[]
  readonly creations: number[]
  readonly cancellations: number[]
  readonly tasks: number[]
  readonly versions: number[]
}

/** Creates jobs for all devices that begin tomorrow, and reads and cancels them. */
export async function measureLargeJobs(call: Call): Promise<void> {
  const start = new Date(Date.now() + 86_400_000).toISOString()
  const policy = { start, waves: [{ size: '1%' }, { size: '10%' }] }
  const flush = { command: 'flush', search: {}, policy }
  // All devices are skipped, and named.
  const update = { command: 'update_firmware', input: { version: unusedVersion }, search: {}, policy }
  const all: Durations = { previews: [], named: [], creations: [], cancellations: [], tasks: [], versions: [] }
  for (const _ of repeat(times, index => index)) {
    all.previews.push((await previewOf(call, flush))[0])
    const [named, { reasons }] = await previewOf(call, update)
    const names = reasons.reduce((sum, { devices }) => sum + devices.length, 0)
    if (names !== largeFleet) throw new Error(`The preview names ${names} devices`)
    all.named.push(named)
    await measureJob(call, flush, all)
    await measureUpdate(call, update, all)
  }
  report(
    figure(`preview of a job for ${count} devices`, 'ms', all.previews, { max: 2000 }),
    figure(`preview of a job that names ${count} skipped devices`, 'ms', all.named, { max: 2000 }),
    figure(`creating a job for ${count} devices`, 'ms', all.creations, { max: 5000 }),
    figure(`page of the tasks of a job for ${count} devices`, 'ms', all.tasks, { p95: 50 }),
    figure(`versions that the ${count} devices of a job run`, 'ms', all.versions, { max: 2000 }),
    figure(`cancelling a job for ${count} devices`, 'ms', all.cancellations, null),
  )
}

async function previewOf(call: Call, body: object): Promise<readonly [number, JobPreview]> {
  const timedPreview = await timed(() => call<JobPreview>('POST', `${jobs.create.path}?preview=true`, body))
  const [, { total }] = timedPreview
  if (total !== largeFleet) throw new Error(`The preview has ${total} devices`)
  return timedPreview
}

/** Creates a job, reads pages of its tasks and cancels it. */
async function measureJob(call: Call, body: object, { creations, tasks, cancellations }: Durations): Promise<void> {
  const [created, { _id }] = await timed(() => call<{ readonly _id: string }>('POST', jobs.create.path, body))
  creations.push(created)
  const path = `${jobs.list.path}/${_id}`
  for (const page of repeat(pages / times, index => index)) {
    const query = page % 2 ? `search=${page % 4 ? 'queued' : 'skipped'}&column=state&operator=eq` : 'sort=reason'
    tasks.push((await timed(() => call('GET', `${path}/tasks?limit=100&offset=${page * 500}&${query}`)))[0])
  }
  cancellations.push((await timed(() => call('POST', `${path}/cancel`)))[0])
}

/** Creates an update of the firmware, reads which versions its devices run, and cancels it. */
async function measureUpdate(call: Call, body: object, { versions }: Durations): Promise<void> {
  const { _id } = await call<{ readonly _id: string }>('POST', jobs.create.path, body)
  const path = `${jobs.list.path}/${_id}`
  const [milliseconds, rows] = await timed(() => call<readonly VersionCount[]>('GET', `${path}/versions`))
  const devices = rows.reduce((sum, row) => sum + row.count, 0)
  if (devices !== largeFleet) throw new Error(`${devices} devices run a version`)
  versions.push(milliseconds)
  await call('POST', `${path}/cancel`)
}

export async function measureLarge(bench: Bench): Promise<void> {
  progress('Jobs for 100,000 devices …')
  await measureLargeJobs(await callsOf(await bench.copyOfLargeServer()))
}
