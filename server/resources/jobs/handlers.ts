/** Endpoints of jobs. */
import { and, eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { PreviewQuery } from '../../../src/api/contract/endpoint.ts'
import type { ByIdPath } from '../../../src/api/contract/fields.ts'
import type { JobPolicy } from '../../../src/api/contract/jobPolicy.ts'
import {
  isRecordCommand,
  jobCommands,
  jobs as contract,
  maxContinuousDays,
  meaninglessFields,
} from '../../../src/api/contract/jobs.ts'
import { retryOnce } from '../../../src/domain/jobs/texts.ts'
import { plural } from '../../../src/domain/plural.ts'
import { msPerDay } from '../../../src/domain/time.ts'
import { badRequest, forbidden, invalidInput, notFound } from '../../core/errors.ts'
import type { Database } from '../../db/database.ts'
import { jobs, jobTasks, type JobRow } from '../../db/schema/jobs.ts'
import { handler, isPreview, type Call, type Caller, type Handler, type Services } from '../../endpoints/handler.ts'
import { ownDevice } from '../devices/detail.ts'
import { deviceList } from '../devices/columns.ts'
import { operationOf, platformsOf, type OperationInput } from '../devices/operations.ts'
import { recordOperationOf } from '../devices/recordOperations.ts'
import { listPage, matchesOf } from '../shared/list.ts'
import { isVisibleTo, ownJobs } from '../shared/scope.ts'
import { outcomeOf } from './auditEntries.ts'
import { sendingHandlers } from './calls.ts'
import {
  createJob,
  rejectTogether,
  type CreatedJob,
  tasksOfIds,
  tasksOfSearch,
  tasksToRetry,
  tasksToUndo,
} from './create.ts'
import { cancelJob, cancelTask, pauseJob, rescheduleJob, resumeJob } from './lifecycle.ts'
import {
  countedTasks,
  jobList,
  jobsByIds,
  reasonsOf,
  taskList,
  tasksByBssids,
  tasksOfDevice,
  toJob,
  toTask,
} from './list.ts'
import type { NewJob } from './newJob.ts'
import { firstStart, isRepeat } from './occurrences.ts'
import { previewJob } from './preview.ts'
import { recordHandlers } from './recordCalls.ts'
import { versionsOf } from './versions.ts'

/** Returns a job that the caller may see. Throws a 404 if there is none. */
async function ownJob(db: Database, caller: Caller, id: string): Promise<JobRow> {
  const [job] = await db
    .select()
    .from(jobs)
    .where(and(eq(jobs.id, id), ownJobs(caller)))
  if (job === undefined) throw notFound('Job')
  return job
}

/** Returns the values of a command, validated like the body of its call. Throws a 400 with what is wrong. */
function inputOf(command: string, input: OperationInput): OperationInput {
  const body = jobCommands[command]!.body as z.ZodMiniObject
  const parsed = z.safeParse(z.omit(body, { ids: true }), input, { reportInput: true })
  if (parsed.success) return parsed.data
  throw invalidInput(parsed.error.issues)
}

/** Returns until when a job takes new devices; undefined if it does not. Throws a 400 with what is wrong. */
function openUntilOf(
  { search, continuous = false, until, policy }: z.output<typeof contract.create.body>,
  now: Date,
): Date | undefined {
  if (continuous !== (until !== undefined)) throw badRequest('continuous and until must be given together')
  if (until === undefined) return undefined
  if (search === undefined) throw badRequest('Only a search can be continuous')
  if (isRepeat(policy.start)) throw badRequest('A repeating job cannot be continuous')
  const end = new Date(until)
  if (end <= now || end <= firstStart(policy.start, now)) throw badRequest('Until must be after the start of the job')
  if (end.getTime() > now.getTime() + maxContinuousDays * msPerDay)
    throw badRequest(`Until must be within ${maxContinuousDays} days`)
  return end
}

/** Throws a 403 if the caller may not make the call that the command stands for. */
function authorize(command: string, { role }: Caller): void {
  if (!jobCommands[command]!.roles.includes(role)) throw forbidden()
}

/** Throws a 400 if the policy has a field that has no meaning for the command. */
function rejectMeaningless(command: string, policy: JobPolicy): void {
  const field = meaninglessFields(command).find(name => policy[name] !== undefined)
  if (field === undefined) return
  const use = field === 'success' ? 'update_firmware' : 'commands that are sent to devices'
  throw badRequest(`Policy ${field} is only for ${use}`)
}

/** Throws an error if the call of the command would refuse these values, or these devices as a whole. */
async function rejectOperation(
  { db }: Pick<Services, 'db'>,
  { command, input, tasks, caller }: Pick<NewJob, 'command' | 'input' | 'tasks' | 'caller'>,
): Promise<void> {
  if (command === 'update_firmware') {
    const version = input['version'] as string
    // Otherwise the job would skip every device.
    if ((await platformsOf(db, version)).size === 0) throw badRequest(`There is no firmware ${version}`)
  } else if (!isRecordCommand(command)) await operationOf(command, input, db)
  else {
    const operation = await recordOperationOf(db, { command, input, scope: caller })
    await rejectTogether(db, caller, { tasks, operation })
  }
}

/** Records that a call has created a job, and returns its response. */
function createdBy(call: Pick<Call, 'auditCreated' | 'auditOutcome'>, { id, total }: CreatedJob) {
  call.auditCreated([id])
  call.auditOutcome({ message: plural(total, 'device') })
  return { _id: id }
}

const create = handler(contract.create, async call => {
  const { body, caller } = call
  const { db, now } = call.services
  const { command, ids, search, policy } = body
  authorize(command, caller)
  const input = inputOf(command, body.input)
  if ((ids === undefined) === (search === undefined)) throw badRequest('A job needs either ids or a search')
  rejectMeaningless(command, policy)
  const repeat = isRepeat(policy.start) ? { ids: ids ?? null } : undefined
  const tasks = search ? tasksOfSearch(caller, search, matchesOf(deviceList, search)) : tasksOfIds(caller, ids!)
  await rejectOperation(call.services, { command, input, tasks, caller })
  const emptyText = search ? 'No device matches the search' : 'None of the devices exists'
  const openUntil = openUntilOf(body, now())
  const job: NewJob = { caller, command, input, policy, tasks, emptyText, openUntil, repeat }
  if (isPreview(call)) return previewJob(db, job, now())
  call.affectedVendors([caller.vendor])
  return createdBy(call, await createJob(db, job, now()))
})

const list = handler(contract.list, async ({ query, caller, services: { db } }) => {
  // Newest first by default: ids are in the order of creation.
  const sorted = query.sort ? query : { ...query, direction: 'desc' as const }
  const { keys, ...counted } = await listPage(db, jobList, ownJobs(caller), sorted)
  return { ...counted, data: await jobsByIds(db, keys) }
})

const detail = handler(contract.detail, async ({ params, caller, services: { db } }) =>
  toJob(await ownJob(db, caller, params.id)),
)

const tasks = handler(contract.tasks, async ({ params, query, caller, services: { db } }) => {
  const job = await ownJob(db, caller, params.id)
  const { keys, ...counted } = await listPage(
    db,
    taskList,
    eq(jobTasks.job_id, job.id),
    query,
    countedTasks(job, query),
  )
  return { ...counted, data: await tasksByBssids(db, job.id, keys) }
})

const reasons = handler(contract.reasons, async ({ params, caller, services: { db } }) => {
  const { id } = await ownJob(db, caller, params.id)
  return reasonsOf(db, id)
})

const versions = handler(contract.versions, async ({ params, caller, services: { db } }) => {
  const { id } = await ownJob(db, caller, params.id)
  return versionsOf(db, caller, id)
})

const cancelOne = handler(contract.cancelTask, async ({ params, caller, affectedVendors, services: { db, now } }) => {
  const job = await ownJob(db, caller, params.id)
  affectedVendors([job.vendor_id])
  await cancelTask(db, job, params.bssid, now())
  return {}
})

const ofDevice = handler(contract.ofDevice, async ({ params, query, caller, services: { db } }) => {
  const { bssid } = await ownDevice(db, caller, params.bssid)
  const rows = await tasksOfDevice(db, caller, bssid, query.limit)
  return rows.map(({ task, job }) => ({
    ...toTask(task),
    command: job.command,
    input: { ...(task.input ?? job.input) },
    kind: job.kind,
    // A vendor learns what is done to its device, not which administrator does it.
    login: isVisibleTo(caller, new Set([job.vendor_id])) ? job.login : null,
    created_at: job.created_at.toISOString(),
  }))
})

type Change = (db: Database, id: string, now: Date) => Promise<void>

/** Changes the course of a job that the caller may see, and records how far it was. */
async function changeJob(
  { params, caller, affectedVendors, auditOutcome, services: { db, now } }: Call<typeof ByIdPath>,
  change: Change,
) {
  const { id, vendor_id } = await ownJob(db, caller, params.id)
  affectedVendors([vendor_id])
  await change(db, id, now())
  auditOutcome(outcomeOf(await ownJob(db, caller, id)))
  return {}
}

const changing = (endpoint: typeof contract.pause, change: Change): Handler =>
  handler(endpoint, call => changeJob(call, change))

const reschedule = handler(contract.reschedule, call =>
  changeJob(call, (db, id, now) => rescheduleJob(db, id, call.body.start, now)),
)

/** What a retry or an undo takes over from its parent, and what is its own. */
type Again = Pick<NewJob, 'policy' | 'tasks' | 'emptyText'>

/** Creates the retry or the undo of a job that the caller may see. */
async function repeatJob(
  call: Call<typeof ByIdPath, typeof PreviewQuery>,
  kind: 'retry' | 'undo',
  again: (job: JobRow) => Again,
) {
  const { params, caller } = call
  const { db, now } = call.services
  const job = await ownJob(db, caller, params.id)
  const { id, command, input } = job
  authorize(command, caller)
  const created = { caller, command, input, parent: { id, kind }, ...again(job) }
  if (isPreview(call)) return previewJob(db, created, now())
  call.affectedVendors([job.vendor_id])
  return createdBy(call, await createJob(db, created, now()))
}

/** Returns the policy of a job for one that begins now. */
function policyFromNow({ policy: { start: _start, ...policy } }: JobRow): JobPolicy {
  return policy
}

/** Returns the policy that was chosen for the retry of a job. Throws a 400 if it makes no sense for one. */
function policyOfRetry({ command }: JobRow, policy: JobPolicy): JobPolicy {
  rejectMeaningless(command, policy)
  if (isRepeat(policy.start)) throw badRequest(retryOnce)
  return policy
}

const retry = handler(contract.retry, call =>
  repeatJob(call, 'retry', job => ({
    policy: call.body.policy ? policyOfRetry(job, call.body.policy) : policyFromNow(job),
    tasks: tasksToRetry(job, call.body.reason),
    emptyText: 'No device of the job can be retried',
  })),
)

const undo = handler(contract.undo, call =>
  repeatJob(call, 'undo', job => ({
    // Firmware goes back by the same waves: the earlier version may fail as well.
    policy: job.command === 'update_firmware' ? policyFromNow(job) : {},
    tasks: tasksToUndo(job, isPreview(call)),
    emptyText: 'The job has changed nothing that can be undone',
  })),
)

export const jobHandlers: readonly Handler[] = [
  ...sendingHandlers,
  ...recordHandlers,
  create,
  list,
  detail,
  tasks,
  reasons,
  versions,
  cancelOne,
  ofDevice,
  changing(contract.pause, pauseJob),
  changing(contract.resume, resumeJob),
  changing(contract.cancel, cancelJob),
  reschedule,
  retry,
  undo,
]
