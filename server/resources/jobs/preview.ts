/** Previews jobs: what would happen to each device, from the rules by which the job then runs. */
import { sql } from 'drizzle-orm'
import type { JobPolicy } from '../../../src/api/contract/jobPolicy.ts'
import type { JobPreview } from '../../../src/api/contract/jobs.ts'
import { waveSizes } from '../../../src/domain/jobs/waves.ts'
import { msPerMinute } from '../../../src/domain/time.ts'
import type { Database } from '../../db/database.ts'
import type { Caller } from '../../endpoints/handler.ts'
import { findTargets, unfitReason, unreachableReason, type DeviceOperation } from '../devices/bulk.ts'
import { withDefaults, type NewJob } from './create.ts'

/** Devices that are read at a time, between which the server handles other calls. */
const sliceSize = 5000
const maxDevices = 100

/** Returns what a job would do now, without creating it. */
export async function previewJob(
  db: Database,
  { caller, command, tasks, ...job }: NewJob,
  operation: DeviceOperation,
  now: Date,
): Promise<JobPreview> {
  const policy = withDefaults(command, job.policy)
  const reasons = new Map<string, { count: number; devices: string[] }>()
  let [total, count, waiting] = [0, 0, 0]
  const skip = (bssid: string, reason: string) => {
    const known = reasons.get(reason) ?? { count: 0, devices: [] }
    known.count++
    if (known.devices.length < maxDevices) known.devices.push(bssid)
    reasons.set(reason, known)
  }
  for (let after = ''; ;) {
    const rows = await slice(db, tasks.rows, after)
    for (const { bssid, reason, skipped } of await withReasons(db, caller, rows, operation)) {
      total++
      if (reason === undefined) count++
      else if (skipped || (policy.offline ?? 'skip') === 'skip') skip(bssid, reason)
      else waiting++
    }
    if (rows.length < sliceSize) break
    after = rows.at(-1)!.bssid
  }
  return {
    total,
    count,
    waiting,
    reasons: [...reasons].map(([reason, known]) => ({ reason, ...known })).toSorted((a, b) => b.count - a.count),
    waves: wavesOf(policy, total, now),
  }
}

interface TaskSlice {
  readonly bssid: string
  readonly reason: string | null
}

async function slice(db: Database, tasks: NewJob['tasks']['rows'], after: string): Promise<readonly TaskSlice[]> {
  const { rows } = await db.execute<Record<string, unknown> & TaskSlice>(sql`
    select bssid, reason from (${tasks}) as task where bssid > ${after} order by bssid limit ${sliceSize}`)
  return rows
}

/** Returns why each device would not get its command now; `skipped` if it would not get it later either. */
async function withReasons(
  db: Database,
  caller: Caller,
  rows: readonly TaskSlice[],
  operation: DeviceOperation,
): Promise<readonly { readonly bssid: string; readonly reason: string | undefined; readonly skipped: boolean }[]> {
  const known = rows.filter(({ reason }) => reason === null).map(({ bssid }) => bssid)
  const targets = new Map((await findTargets(db, caller, known)).map(target => [target.bssid, target]))
  return rows.map(({ bssid, reason: given }) => {
    const target = targets.get(bssid)
    if (given !== null || target === undefined) return { bssid, reason: given ?? 'Device not found', skipped: true }
    const unfit = unfitReason(target, operation)
    return { bssid, reason: unfit ?? unreachableReason(target), skipped: unfit !== undefined }
  })
}

/** Returns the waves, each with the earliest time at which it begins: as if each task took no time. */
function wavesOf(policy: JobPolicy, total: number, now: Date): JobPreview['waves'] {
  let at = Math.max(now.getTime(), policy.start === undefined ? 0 : Date.parse(policy.start))
  return waveSizes(policy.waves, total).map((size, index) => {
    const wave = { size, at: new Date(at).toISOString() }
    const sending = policy.rate === undefined ? 0 : (size / policy.rate) * msPerMinute
    at += sending + (policy.waves?.[index]?.wait ?? 0) * msPerMinute
    return wave
  })
}
