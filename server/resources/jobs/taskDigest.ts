/** Digests of a job's tasks: the audit log has one of each ended job, so that its chain covers what each device did. */
import { sql, type SQL } from 'drizzle-orm'
import { jobEndAction } from '../../../src/api/contract/jobs.ts'
import { BrokenChain } from '../../audit/verify.ts'
import type { Database } from '../../db/database.ts'
import { timeOfId } from '../../db/id.ts'
import { jobRetention } from './taskStore.ts'

/**
 * Selects the SHA-256, hexadecimal, of a job's tasks: one JSON array `[bssid, state, reason, input]` a line, by BSSID, as
 * PostgreSQL writes jsonb.
 */
const digestOf = (job: SQL) => sql`(
  select encode(sha256(convert_to(coalesce(
    string_agg(jsonb_build_array(bssid, state, reason, input)::text, chr(10) order by bssid), ''), 'UTF8')), 'hex')
  from job_tasks where job_id = ${job})`

/** Returns the digest of a job's tasks. */
export async function digestTasks(db: Database, job: string): Promise<string> {
  const { rows } = await db.execute<{ digest: string }>(sql`select ${digestOf(sql`${job}`)} as digest`)
  return rows[0]!.digest
}

/** Ended jobs a query: each may have 100,000 tasks. */
const pageSize = 20

/** Returns whether a job of this id may have been deleted because of its age. */
const isPastRetention = (id: string, now: Date) => timeOfId(id).getTime() < now.getTime() - jobRetention

/**
 * Verifies that the tasks of ended jobs are as they were at their end, and returns the number of these jobs. It does not cover
 * jobs that ended before the audit log had digests, and jobs that were deleted because of their age. @throws BrokenChain
 */
export async function verifyTasks(db: Database, now: Date): Promise<number> {
  let verified = 0
  for (let after = 0, isLast = false; !isLast;) {
    const { rows } = await db.execute<{
      entry: number
      job: string
      known: string
      exists: boolean
      found: string
    }>(sql`
      select a.id::float8 as entry, a.ids[1] as job, a."values"->>'tasks' as known, jobs.id is not null as exists,
        ${digestOf(sql`a.ids[1]`)} as found
      from (
        select * from audit where action = ${jobEndAction} and "values" ? 'tasks' and id > ${after}
        order by id limit ${pageSize}
      ) as a left join jobs on jobs.id = a.ids[1] order by a.id`)
    for (const { entry, job, known, exists, found } of rows) {
      if (!exists && isPastRetention(job, now)) continue
      if (!exists) throw new BrokenChain(`Job ${job}, whose end is entry ${entry}, was removed.`)
      if (found !== known)
        throw new BrokenChain(`The tasks of job ${job} were changed after its end, which is entry ${entry}.`)
      verified++
    }
    after = rows.at(-1)?.entry ?? after
    isLast = rows.length < pageSize
  }
  return verified
}
