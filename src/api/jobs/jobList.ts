/** Reads the jobs of the server, their tasks and their reasons. */
import { useEffect, useRef } from 'react'
import useSWR, { mutate } from 'swr'
import { taskStates, undoneStates, type TaskState } from '../../domain/columns/jobs.ts'
import { isRunning } from '../../domain/jobs/counts.ts'
import type { VersionCount } from '../../domain/jobs/versions.ts'
import { isSameResponse } from '../../domain/lib/isSameResponse.ts'
import { cachedData } from '../cache.ts'
import { call } from '../client.ts'
import { maxPerCall, type List } from '../contract/endpoint.ts'
import { jobs, type DeviceTask, type Job, type JobReason, type Task } from '../contract/jobs.ts'
import { useRefreshOptions } from '../hooks.ts'
import { cachedJobs, jobKey, jobListKey, type JobListKey } from './jobCache.ts'

/** The jobs and the tasks of a page. */
export const jobsPerPage = 50
export const tasksPerPage = 100
/** Milliseconds between two polls of a job that runs. */
const pollInterval = 1000
/** Milliseconds between two polls of the versions of devices that install one. */
const versionsPollInterval = 5_000
/** Milliseconds between two polls of the tasks of a device at rest. */
const idlePollInterval = 15_000

export type TaskFilter = 'all' | TaskState

/** Returns the number of tasks that match a filter. */
export const taskCount = ({ total, counts }: Pick<Job, 'total' | 'counts'>, filter: TaskFilter): number =>
  filter === 'all' ? total : counts[filter]

/** Reads the first pages of the jobs. A page that is added is read alone; later all are read again. */
async function readJobs([, { pages }]: JobListKey): Promise<List<Job>> {
  const known = cachedJobs(pages) ? undefined : cachedJobs(pages - 1)
  const rows = new Map(known?.data.map(job => [job._id, job]))
  const total = pages * jobsPerPage
  let count = known?.count ?? 0
  const before = new Map(cachedJobs(pages)?.data.map(job => [job._id, job]))
  for (let offset = known ? total - jobsPerPage : 0; offset < total; offset += maxPerCall) {
    const page = await call(jobs.list, { query: { offset, limit: Math.min(maxPerCall, total - offset) } })
    for (const job of page.data) {
      const earlier = before.get(job._id)
      // The same object, so that a job that has not changed is not rendered again.
      rows.set(job._id, earlier && isSameResponse(earlier, job) ? earlier : job)
    }
    count = page.count
  }
  return { count, data: [...rows.values()] }
}

/** Reads the newest jobs and keeps them up to date; nothing with 0 pages. */
export const useJobList = (pages: number) =>
  useSWR<List<Job>>(pages > 0 ? jobListKey(pages) : null, readJobs, useRefreshOptions())

/** Reads a job, each second while it runs. */
export function useJob(id: string | undefined) {
  return useSWR<Job>(id === undefined ? null : jobKey(id), () => readJob(id ?? ''), {
    refreshInterval: job => (job && isRunning(job) ? pollInterval : 0),
    compare: isSameResponse,
  })
}

export const readJob = (id: string): Promise<Job> => call(jobs.detail, { params: { id } })

/** The jobs that have not ended; an account has 200 at most. */
const running = { column: 'state', operator: 'eq', search: 'running', limit: maxPerCall } as const

/** Reads the jobs that are running. */
export const useRunningJobs = (enabled: boolean) =>
  useSWR<readonly Job[]>(
    enabled ? [jobs.list.path, running] : null,
    async () => (await call(jobs.list, { query: running })).data,
    useRefreshOptions(),
  )

const scheduled = { column: 'state', operator: 'eq', search: 'scheduled', limit: maxPerCall } as const

/** The jobs that begin later. */
export const scheduledKey = [jobs.list.path, scheduled] as const

/** Returns the jobs that begin later, if they have been loaded. */
export const cachedScheduledJobs = (): readonly Job[] => cachedData(scheduledKey) ?? []

/** Keeps the new start of a scheduled job until the jobs are read again. */
export const keepStart = (id: string, start_at: string) =>
  mutate<readonly Job[]>(scheduledKey, all => all?.map(job => (job._id === id ? { ...job, start_at } : job)), {
    revalidate: false,
  })

/** Reads the jobs that begin later. */
export const useScheduledJobs = () =>
  useSWR<readonly Job[]>(
    scheduledKey,
    async () => (await call(jobs.list, { query: scheduled })).data,
    useRefreshOptions(),
  )

/** Reads the ten newest jobs. */
export const readNewestJobs = async (): Promise<readonly Job[]> =>
  (await call(jobs.list, { query: { limit: 10 } })).data

type TasksKey = readonly [path: string, id: string, filter: TaskFilter, page: number]
const tasksKey = (id: string, filter: TaskFilter, page: number): TasksKey => [jobs.tasks.path, id, filter, page]

const stateQuery = (filter: TaskFilter) =>
  filter === 'all' ? {} : ({ column: 'state', operator: 'eq', search: filter } as const)

async function readTasks(key: TasksKey): Promise<List<Task>> {
  const [, id, filter, page] = key
  const query = { offset: page * tasksPerPage, limit: tasksPerPage, ...stateQuery(filter) }
  const read = await call(jobs.tasks, { params: { id }, query })
  return keepSameRows(cachedData<List<Task>>(key), read)
}

/** Returns a list with the earlier objects for rows that have not changed, so that these are not rendered again. */
function keepSameRows<Row>(before: List<Row> | undefined, now: List<Row>): List<Row> {
  if (!before) return now
  return {
    ...now,
    data: now.data.map((row, index) => {
      const known = before.data[index]
      return known && isSameResponse(known, row) ? known : row
    }),
  }
}

/** Reads a page of a job's tasks. Rows on the same page share the request. */
export const useTaskPage = (id: string, filter: TaskFilter, page: number) =>
  useSWR<List<Task>>(tasksKey(id, filter, page), readTasks, { compare: isSameResponse })

/** Returns a page of a job's tasks that has been loaded. */
export const cachedTaskPage = (id: string, filter: TaskFilter, page: number): List<Task> | undefined =>
  cachedData(tasksKey(id, filter, page))

/** Reads a page of a job's tasks into the cache. */
export async function loadTaskPage(id: string, filter: TaskFilter, page: number): Promise<void> {
  const key = tasksKey(id, filter, page)
  await mutate(key, readTasks(key), { revalidate: false })
}

/** Reads the shown tasks of a job again when its counts have changed, and its reasons and versions if they may differ. */
export function useTaskUpdates({ _id: id, counts }: Job): void {
  useReadAgain(jobs.tasks.path, id, taskStates.map(state => counts[state]).join(' '))
  useReadAgain(jobs.reasons.path, id, undoneStates.map(state => counts[state]).join(' '))
  useReadAgain(jobs.versions.path, id, `${counts.sent} ${counts.done}`)
}

/** Reads what is shown of a job again when `sign` has changed. */
function useReadAgain(path: string, id: string, sign: string): void {
  const known = useRef(sign)
  useEffect(() => {
    if (known.current === sign) return
    known.current = sign
    void mutate(key => Array.isArray(key) && key[0] === path && key[1] === id)
  }, [path, id, sign])
}

const reasonsKey = (id: string) => [jobs.reasons.path, id] as const

/** Returns the reasons of a job that have been loaded. */
export const cachedReasons = (id: string): readonly JobReason[] => cachedData(reasonsKey(id)) ?? []

/** Reads why devices did not do a job. */
export const useJobReasons = (id: string) =>
  useSWR<readonly JobReason[]>(reasonsKey(id), () => readReasons(id), { compare: isSameResponse })

export const readReasons = (id: string): Promise<JobReason[]> => call(jobs.reasons, { params: { id } })

/** Reads which firmware versions the devices of a job run, also while they install one. */
export const useJobVersions = (job: Job) =>
  useSWR<readonly VersionCount[]>(
    [jobs.versions.path, job._id],
    () => call(jobs.versions, { params: { id: job._id } }),
    { compare: isSameResponse, refreshInterval: job.counts.sent > 0 ? versionsPollInterval : 0 },
  )

/** The tasks of a device that are read. */
const deviceTasksLimit = 10
/** The key is of the list of jobs, because the stream names them when a task has changed. */
const deviceTasksKey = (bssid: string) => [jobs.list.path, { device: bssid }] as const

/** Returns the newest tasks of a device that have been loaded. */
export const cachedDeviceTasks = (bssid: string): readonly DeviceTask[] => cachedData(deviceTasksKey(bssid)) ?? []

/** Reads the newest tasks of a device, each second while one is sent. */
export const useDeviceTasks = (bssid: string) =>
  useSWR<readonly DeviceTask[]>(
    deviceTasksKey(bssid),
    () => call(jobs.ofDevice, { params: { bssid }, query: { limit: deviceTasksLimit } }),
    {
      compare: isSameResponse,
      refreshInterval: tasks => (tasks?.some(({ state }) => state === 'sent') ? pollInterval : idlePollInterval),
    },
  )
