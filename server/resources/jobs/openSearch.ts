/** Open searches: devices that come to match get a task while their job runs. */
import { and, eq, sql } from 'drizzle-orm'
import { msPerMinute } from '../../../src/domain/time.ts'
import { HttpError } from '../../core/errors.ts'
import type { Database } from '../../db/database.ts'
import { devices } from '../../db/schema/devices.ts'
import { jobs, type JobRow } from '../../db/schema/jobs.ts'
import { deviceList } from '../devices/columns.ts'
import { matchesOf, type Matches } from '../shared/list.ts'
import { ownDevices } from '../shared/scope.ts'
import { freeAt, intervalOf } from './rate.ts'
import { releaseWave } from './taskStore.ts'

/** Milliseconds between two looks for devices that have come to match. */
export const lookInterval = msPerMinute

/**
 * Adds tasks for devices that match the search of a locked job and have none in it yet, so that a device gets the command
 * once. They belong to the last wave. The last look is at the end of the search.
 */
export async function takeNewDevices(tx: Database, job: JobRow, now: Date): Promise<void> {
  const [end, wave] = [job.open_until!, job.waves - 1]
  const next = now < end ? new Date(Math.min(now.getTime() + lookInterval, end.getTime())) : null
  // No server was there at the end: what matches now did not match then, as far as is known.
  const isOver = now.getTime() > end.getTime() + lookInterval
  const matches = matchesIn(job)
  if (typeof matches === 'string') {
    await tx.update(jobs).set({ open_until: now, next_look_at: null, reason: matches }).where(eq(jobs.id, job.id))
    return
  }
  const added = isOver ? 0 : await addTasks(tx, job, wave, matches)
  await tx
    .update(jobs)
    .set({ next_look_at: next, total: sql`${jobs.total} + ${added}` })
    .where(eq(jobs.id, job.id))
  if (added === 0 || job.wave < wave) return
  const { rate } = job.policy
  const from = rate === undefined ? now : new Date(await freeAt(tx, { id: job.id, interval: intervalOf(rate) }, now))
  await releaseWave(tx, { id: job.id, rate, waves: sql`wave = ${wave}` }, from)
}

/** Returns the condition of a job's search, or why it has none: a later version may not have its column. */
function matchesIn({ target }: JobRow): Matches | string {
  try {
    return 'search' in target ? matchesOf(deviceList, target.search) : 'The job has no search'
  } catch (error) {
    if (error instanceof HttpError) return error.message
    throw error
  }
}

async function addTasks(
  tx: Database,
  { id, vendor_id }: JobRow,
  wave: number,
  { tables, test }: Matches,
): Promise<number> {
  const isNew = sql`not exists (select from job_tasks where job_id = ${id} and job_tasks.bssid = ${devices.bssid})`
  const { rows } = await tx.execute<{ n: number }>(sql`
    with added as (
      insert into job_tasks (job_id, bssid, device_vendor_id, wave)
      select ${id}, ${devices.bssid}, ${devices.vendor_id}, ${wave} from ${tables}
      where ${and(ownDevices({ vendor: vendor_id }), test, isNew)} order by 2 returning 1)
    select count(*)::integer as n from added`)
  return rows[0]!.n
}
