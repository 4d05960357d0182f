/** Jobs: one command on many devices, which the server carries out. */
import * as z from 'zod/mini'
import { jobColumns, jobStates, taskColumns, taskStates } from '../../domain/columns/jobs.ts'
import { jobPath, jobsPath } from '../../domain/jobs/paths.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { devices } from './devices.ts'
import { Created, Done, endpoint, listEndpoint, ListQuery, PreviewQuery, type BulkEndpoint } from './endpoint.ts'
import { BssidInput, ByBssidPath, ByIdPath, Id, Time, TimeInput } from './fields.ts'
import { JobPolicy, JobStart } from './jobPolicy.ts'
import { settingEndpoints } from './settings.ts'

/** The maximum number of ids in a job; a search may find more devices. */
export const maxJobIds = 100_000

/** The calls that send a command to each device, by its name in the device protocol. */
export const sendingCommands: Readonly<Record<string, BulkEndpoint>> = {
  flush: devices.flush,
  reboot: devices.reboot,
  lock: devices.lock,
  valve: devices.setValve,
  reset: devices.reset,
  update_firmware: devices.updateFirmwareOfMany,
  ...settingEndpoints,
}

/** The calls that change only what the server stores about devices. Nothing is sent, so devices may be offline. */
export const recordCommands: Readonly<Record<string, BulkEndpoint>> = {
  set_model: devices.setModel,
  set_filtration_system: devices.setFiltrationSystem,
  set_time_zone: devices.setTimeZone,
  set_water_supply: devices.setWaterSupply,
  delete: devices.delete,
}

/** The calls that a job can make on each device, by the name of their command. */
export const jobCommands: Readonly<Record<string, BulkEndpoint>> = { ...sendingCommands, ...recordCommands }

export const isRecordCommand = (command: string): boolean => Object.hasOwn(recordCommands, command)

/** The fields of a policy that are about devices that do not answer, do not do what was sent, or are offline. */
const sendingFields = ['offline', 'retries', 'stop', 'success'] as const

/** Returns the fields of a policy that have no meaning for a command. */
export function meaninglessFields(command: string): readonly (keyof JobPolicy)[] {
  if (isRecordCommand(command)) return sendingFields
  return command === 'update_firmware' ? [] : ['success']
}

/** Maximum days for which a continuous search takes new devices. */
export const maxContinuousDays = 400

/** A search of devices. The job has those that match when it is created; with `continuous` also those that come to match. */
const JobSearch = z.strictObject(z.pick(ListQuery, { search: true, column: true, operator: true }).shape)
export type JobSearch = z.output<typeof JobSearch>
/** What a job was created for: the number of ids, the search, or the job whose devices it has. */
export type JobTarget = { readonly ids: number } | { readonly search: JobSearch } | { readonly job: string }

/** What a job has to do with its parent; `call`: it records a call on many devices, which has no parent. */
export const jobKinds = ['retry', 'undo', 'repeat', 'call'] as const
export type JobKind = (typeof jobKinds)[number]

export const Job = z.object({
  _id: Id,
  /** The job that this one retries, undoes or repeats. */
  parent: z.nullable(Id),
  kind: z.nullable(z.enum(jobKinds)),
  login: z.string(),
  command: z.string(),
  input: z.record(z.string(), z.unknown()),
  policy: JobPolicy,
  state: z.enum(jobStates),
  /** Why it is paused, or was cancelled by the server. */
  reason: z.nullable(z.string()),
  /** Until when devices that come to match its search get a task; null if it has the devices that it began with. */
  until: z.nullable(Time),
  /** The number of its devices, and of its tasks in each state, which add up to it. */
  total: z.number(),
  counts: z.record(z.enum(taskStates), z.number()),
  waves: z.number(),
  /** The number of waves that have begun. */
  begun: z.number(),
  /** When the next wave begins; null if that is not known yet. */
  next_wave_at: z.nullable(Time),
  done: z.number(),
  created_at: Time,
  /** When it begins; of a repeating job, when it creates the next one. */
  start_at: Time,
  ended_at: z.nullable(Time),
})
export type Job = z.output<typeof Job>

export const Task = z.object({
  _id: Id,
  bssid: z.string(),
  wave: z.number(),
  state: z.enum(taskStates),
  /** Why the device did not do it. */
  reason: z.nullable(z.string()),
  /** How many times the command was sent. */
  attempts: z.number(),
  /** When it may be sent at the earliest, or expires; null if that is not known or it has ended. */
  due_at: z.nullable(Time),
  sent_at: z.nullable(Time),
  /** When the device acknowledged an update of its firmware whose success is awaited; null for all other tasks. */
  acknowledged_at: z.nullable(Time),
  ended_at: z.nullable(Time),
})
export type Task = z.output<typeof Task>

/**
 * A task of a device, with what it needs of its job: `kind` marks a retry or an undo. Without a `login` it belongs to an
 * administrator's job, which the vendor cannot open.
 */
export const DeviceTask = z.extend(Task, {
  command: z.string(),
  input: z.record(z.string(), z.unknown()),
  kind: Job.shape.kind,
  login: z.nullable(z.string()),
  created_at: Time,
})
export type DeviceTask = z.output<typeof DeviceTask>

/** Why devices did not do a job, as a retry takes one of these reasons. */
export const JobReason = z.object({ reason: z.string(), count: z.number() })
export type JobReason = z.output<typeof JobReason>

/** How many devices run a version of the firmware. */
export const VersionCount = z.object({ version: z.string(), count: z.number() })

/** What a job would do, from the rules by which it then runs. */
export const JobPreview = z.object({
  total: z.number(),
  /** The number of devices to which the command would be sent now, and of those that it would wait for. */
  count: z.number(),
  waiting: z.number(),
  /** Why devices are skipped, most frequent first, with their ids, of each at most `maxJobIds`. */
  reasons: z.array(z.object({ reason: z.string(), count: z.number(), devices: z.array(z.string()) })),
  /** The sizes of the waves, and when each begins at the earliest. */
  waves: z.array(z.object({ size: z.number(), at: Time })),
  /** Only for `update_firmware`: the versions that the devices run now, newest first; the hundred most frequent ones. */
  versions: z.optional(z.array(VersionCount)),
})
export type JobPreview = z.output<typeof JobPreview>

const CreatedOrPreview = z.union([Created, JobPreview])

const byJob = (action: string, summary: string) =>
  endpoint({
    method: 'POST',
    path: `/api/v3/jobs/{id}/${action}`,
    roles: deviceRoles,
    summary,
    params: ByIdPath,
    response: Done,
  })

/** The action of the entry that the audit log has of the end of a job, for which there is no call. */
export const jobEndAction = 'END /api/v3/jobs/{id}'

export const jobs = {
  create: endpoint({
    method: 'POST',
    path: jobsPath,
    roles: deviceRoles,
    summary: 'Create a job: a command on devices, given by their ids or by a search. A preview creates nothing.',
    query: PreviewQuery,
    body: z.strictObject({
      command: z.enum(Object.keys(jobCommands) as [string, ...string[]]),
      /** The values of the command, as in the body of its call on many devices. */
      input: z._default(z.record(z.string(), z.unknown()), {}),
      ids: z.optional(z.array(BssidInput).check(z.minLength(1), z.maxLength(maxJobIds))),
      search: z.optional(JobSearch),
      /** Devices that come to match the search get a task too, until the time `until`, which must be within 400 days. */
      continuous: z.optional(z.boolean()),
      until: z.optional(TimeInput),
      policy: z._default(JobPolicy, {}),
    }),
    response: CreatedOrPreview,
  }),
  list: listEndpoint({
    path: jobsPath,
    roles: deviceRoles,
    summary: 'Jobs, newest first. A vendor sees those for its own devices.',
    row: Job,
    columns: jobColumns,
    search: 'command',
  }),
  detail: endpoint({
    method: 'GET',
    path: jobPath,
    roles: deviceRoles,
    summary: 'One job with the counts of its tasks.',
    params: ByIdPath,
    response: Job,
  }),
  tasks: listEndpoint({
    path: '/api/v3/jobs/{id}/tasks',
    roles: deviceRoles,
    summary: 'The tasks of a job, one for each device.',
    params: ByIdPath,
    row: Task,
    columns: taskColumns,
    search: 'bssid',
  }),
  reasons: endpoint({
    method: 'GET',
    path: '/api/v3/jobs/{id}/reasons',
    roles: deviceRoles,
    summary: 'Why devices did not do a job, with the number of devices: the hundred most frequent reasons.',
    params: ByIdPath,
    response: z.array(JobReason),
  }),
  versions: endpoint({
    method: 'GET',
    path: '/api/v3/jobs/{id}/versions',
    roles: deviceRoles,
    summary: 'The firmware versions that the devices of a job run now, newest first: the hundred most frequent ones.',
    params: ByIdPath,
    response: z.array(VersionCount),
  }),
  cancelTask: endpoint({
    method: 'POST',
    path: '/api/v3/jobs/{id}/tasks/{bssid}/cancel',
    roles: deviceRoles,
    summary: 'Cancel the task of one device, if it is queued or waiting.',
    params: z.extend(ByIdPath, ByBssidPath.shape),
    response: Done,
  }),
  ofDevice: endpoint({
    method: 'GET',
    path: '/api/v3/devices/{bssid}/tasks',
    roles: deviceRoles,
    summary: 'The newest tasks of a device, newest first. A vendor sees those of administrators without their login.',
    params: ByBssidPath,
    query: z.object({ limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 20) }),
    response: z.array(DeviceTask),
  }),
  pause: byJob('pause', 'Pause a job. Commands already sent are awaited; no more are sent.'),
  resume: byJob('resume', 'Resume a paused job.'),
  cancel: byJob('cancel', 'Cancel what a job has not sent yet.'),
  reschedule: endpoint({
    method: 'POST',
    path: '/api/v3/jobs/{id}/reschedule',
    roles: deviceRoles,
    summary: 'Reschedule a job to another time or rule. A time in the past means now.',
    params: ByIdPath,
    /** A time, or, for a repeating job, a rule. */
    body: z.strictObject({ start: JobStart }),
    response: Done,
  }),
  retry: endpoint({
    method: 'POST',
    path: '/api/v3/jobs/{id}/retry',
    roles: deviceRoles,
    summary: 'Create a job for the devices of another one that did not do it: all (null), or those with one reason.',
    params: ByIdPath,
    query: PreviewQuery,
    body: z.strictObject({
      reason: z.nullable(z.string().check(z.maxLength(500))),
      /** Without it the policy of the other job holds again, from now on. A retry cannot be repeated. */
      policy: z.optional(JobPolicy),
    }),
    response: CreatedOrPreview,
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/v3/jobs/{id}/undo',
    roles: deviceRoles,
    summary: 'Create a job that restores what another one replaced, where no other undo has restored it yet.',
    params: ByIdPath,
    query: PreviewQuery,
    response: CreatedOrPreview,
  }),
}
