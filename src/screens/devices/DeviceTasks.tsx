import { useEffect } from 'react'
import { useDeviceTasks } from '../../api/jobs/jobList.ts'
import type { DeviceTask } from '../../api/contract/jobs.ts'
import { jobs } from '../../commands/core/runs/jobs.ts'
import { hasOwnJob, isWaiting, taskTitle } from '../../commands/jobs/deviceTasks.ts'
import { inputText } from '../../commands/jobs/inputText.ts'
import { commandOfJob } from '../../commands/jobs/serverCommands.ts'
import { taskTones } from '../../commands/jobs/serverJobs.ts'
import { toneClasses } from '../../commands/surfaces/buttons/tones.ts'
import { run } from '../../commands/surfaces/run/run.ts'
import { taskStateNames } from '../../domain/columns/jobs.ts'
import { formatDateTime } from '../../domain/format.ts'
import { AsyncList } from './DeviceActivity.tsx'
import { Section } from './Section.tsx'

/** What jobs did and will do with the device, newest first. */
export function DeviceTasks({ bssid }: { bssid: string }) {
  const response = useDeviceTasks(bssid)
  const { data } = response
  useEffect(() => {
    // Commands read the tasks again.
    jobs.view.loads++
  }, [data])
  return (
    <Section title="Jobs">
      <AsyncList response={response} label="Jobs of the device" empty="No jobs.">
        {task => <TaskLine key={task._id} task={task} />}
      </AsyncList>
    </Section>
  )
}

function TaskLine({ task }: { task: DeviceTask }) {
  const { _id: job, state, reason, login, created_at } = task
  const title = taskTitle(task)
  const command = commandOfJob(task)
  const words = command ? inputText(command, task.input).map(({ label, value }) => `${label} ${value}`) : []
  return (
    <li className="flex min-w-0 items-start gap-2.5">
      <span
        className={`mt-px w-[80px] shrink-0 rounded-[5px] px-1.5 py-0.5 text-center text-[11px] font-medium ${toneClasses[taskTones[state]]}`}
      >
        {taskStateNames[state]}
      </span>
      <span className="min-w-0 flex-1">
        {hasOwnJob(task) ? (
          <button
            type="button"
            data-command="device.showJob"
            className="text-left text-accent hover:underline"
            onClick={() => void run('device.showJob', { input: { job } })}
          >
            {title}
          </button>
        ) : (
          title
        )}
        {words.length > 0 && <span className="break-words text-ink2"> · {words.join(' · ')}</span>}
        {reason && <span className="block text-[12px] break-words text-ink2">{reason}</span>}
        <span className="block text-[12px] text-ink3">
          {login ?? 'Administrator'}
          {task.due_at !== null && state === 'waiting' && ` · waits until ${formatDateTime(task.due_at)}`}
          {task.due_at !== null && state === 'queued' && ` · from ${formatDateTime(task.due_at)}`}
        </span>
      </span>
      <span className="grid shrink-0 justify-items-end">
        <time dateTime={created_at} className="numeric text-ink3">
          {formatDateTime(created_at)}
        </time>
        {isWaiting(task) && (
          <button
            type="button"
            data-command="device.cancelTask"
            aria-label={`Cancel “${title}” for this device`}
            className="min-h-6 text-[12px] text-accent hover:underline"
            onClick={() => void run('device.cancelTask', { input: { job } })}
          >
            Cancel
          </button>
        )}
      </span>
    </li>
  )
}
