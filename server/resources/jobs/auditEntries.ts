/** The audit log's entries about jobs: one for each call, and one for the end. A job's tasks name its devices, and the entry of the end has their digest. */
import { jobEndAction } from '../../../src/api/contract/jobs.ts'
import { taskStates } from '../../../src/domain/columns/jobs.ts'
import { formatNumber } from '../../../src/domain/format.ts'
import { plural } from '../../../src/domain/plural.ts'
import type { Database } from '../../db/database.ts'
import { audit } from '../../db/schema/audit.ts'
import type { JobRow } from '../../db/schema/jobs.ts'
import { isRepeat } from './occurrences.ts'
import { digestTasks } from './taskDigest.ts'
import type { AuditOutcome } from '../../endpoints/handler.ts'

/** Returns how far a job is: `12 devices: done 9, refused 1, unanswered 2`. */
function progressText(job: JobRow): string {
  const counts = taskStates.filter(state => job[state] > 0).map(state => `${state} ${formatNumber(job[state])}`)
  return [plural(job.total, 'device'), ...(counts.length > 0 ? [counts.join(', ')] : [])].join(': ')
}

/** Returns what an entry about a job says of it. */
export const outcomeOf = (job: JobRow): Required<AuditOutcome> => ({
  done: job.done,
  failed: job.refused + job.unanswered,
  message: [
    ...(isRepeat(job.policy.start) ? [] : [progressText(job)]),
    ...(job.reason === null ? [] : [job.reason]),
  ].join('. '),
})

/** Records the end of a job, in the transaction that ends it. */
export async function recordEnd(tx: Database, job: JobRow, now: Date): Promise<void> {
  const { id, account_id, login, vendor_id, parent_id, kind, command, input, policy, total, done } = job
  await tx.insert(audit).values({
    at: now,
    account_id,
    login,
    role: vendor_id === null ? 'admin' : 'vendor',
    action: jobEndAction,
    ids: [id],
    values: {
      command,
      input,
      policy,
      tasks: await digestTasks(tx, id),
      ...(parent_id !== null && { parent: parent_id, kind }),
    },
    // No client has asked for it.
    address: '',
    outcome: done === total ? 'done' : done > 0 ? 'partly' : 'failed',
    status: 0,
    ...outcomeOf(job),
    ended_at: now,
  })
}
