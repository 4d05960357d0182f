/** Commands on the tasks of the device on screen: show the job of one, and cancel one that waits. */
import * as z from 'zod/mini'
import { withMeta } from '../../api/contract/fields.ts'
import { jobs as contract, type DeviceTask } from '../../api/contract/jobs.ts'
import { cachedDeviceTasks } from '../../api/jobs/jobList.ts'
import { revalidate } from '../../api/hooks.ts'
import { taskStateNames } from '../../domain/columns/jobs.ts'
import { formatDateTime } from '../../domain/format.ts'
import { bssidInPath, routes } from '../../domain/lists/routes.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Choices, Needs } from '../core/types.ts'
import { goToJob } from './moves.ts'
import { commandTitle } from './serverCommands.ts'

/** Returns what a task does: `Lock`, or `Undo “Lock”`. */
export const taskTitle = (task: DeviceTask): string =>
  task.kind === 'undo' ? `Undo “${commandTitle(task)}”` : commandTitle(task)

/** Whether the caller may open the task's job. */
export const hasOwnJob = ({ login }: DeviceTask): boolean => login !== null

/** Whether nothing of a task has been sent, so that it can be cancelled. */
export const isWaiting = (task: DeviceTask): boolean =>
  hasOwnJob(task) && (task.state === 'queued' || task.state === 'waiting')

interface DeviceTasks {
  readonly bssid: string
  readonly tasks: readonly DeviceTask[]
}

/** Needs tasks of the device on screen that pass a test. */
const tasksOfDevice =
  (test: (task: DeviceTask) => boolean, reason: string): Needs<DeviceTasks> =>
  ({ path }) => {
    const bssid = bssidInPath(path)
    if (bssid === undefined) return { blocked: 'Open a device first' }
    const tasks = cachedDeviceTasks(bssid).filter(test)
    return tasks.length > 0 ? { target: { bssid, tasks } } : { blocked: reason }
  }
const anyTask = tasksOfDevice(hasOwnJob, 'The device has no jobs that you can open')
const waitingTask = tasksOfDevice(isWaiting, 'No task of the device is waiting')

/** Returns the jobs of the tasks that a need finds, by their titles. */
const choicesOf =
  (needs: Needs<DeviceTasks>): Choices =>
  (context, query) => {
    const need = needs(context)
    const tasks = 'target' in need ? need.target.tasks : []
    return tasks
      .filter(task => taskTitle(task).toLowerCase().includes(query.trim().toLowerCase()))
      .map(task => ({
        value: task._id,
        name: taskTitle(task),
        detail: `${taskStateNames[task.state]} · ${formatDateTime(task.created_at)}`,
      }))
  }

const args = z.object({ job: withMeta(z.string(), { label: 'Job' }) })
const onDevice = { group: 'insight', screen: 'device', recordable: false, args } as const

export const deviceTaskCommands = [
  defineCommand({
    ...onDevice,
    id: 'device.showJob',
    title: 'Show job of this device',
    icon: 'jobs',
    keywords: ['task', 'open', 'history'],
    endpoint: contract.ofDevice,
    needs: anyTask,
    choices: { job: choicesOf(anyTask) },
    run(_, { job }, { go }) {
      goToJob(job)
      go(`${routes.jobs.path}?job=${job}`)
    },
  }),
  defineCommand({
    ...onDevice,
    id: 'device.cancelTask',
    title: 'Cancel waiting task',
    icon: 'close',
    keywords: ['job', 'stop', 'offline', 'queued'],
    endpoint: contract.cancelTask,
    needs: waitingTask,
    choices: { job: choicesOf(waitingTask) },
    async run({ bssid, tasks }, { job }, { call }) {
      await call(contract.cancelTask, { params: { id: job, bssid } })
      await revalidate(contract.cancelTask)
      const task = tasks.find(({ _id }) => _id === job)
      return `Cancelled “${task ? taskTitle(task) : 'the task'}” for ${bssid}`
    },
  }),
]
