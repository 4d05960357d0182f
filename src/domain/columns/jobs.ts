/** Columns of the lists of jobs and of a job's tasks. */
import type { Columns } from './column.ts'
import { typedKeys } from '../lib/typedKeys.ts'

/** `paused`: by a person, or by its stop rule. `cancelling`: what was sent is still awaited. */
export const jobStateNames = {
  scheduled: 'Scheduled',
  running: 'Running',
  paused: 'Paused',
  cancelling: 'Cancelling',
  ended: 'Ended',
} as const
export type JobState = keyof typeof jobStateNames
export const jobStates = typedKeys(jobStateNames)

/** `waiting`: the device is offline. Those after it are final. */
export const taskStateNames = {
  queued: 'Queued',
  sent: 'Sent',
  waiting: 'Waiting',
  done: 'Done',
  refused: 'Refused',
  unanswered: 'Unanswered',
  skipped: 'Skipped',
  expired: 'Expired',
  cancelled: 'Cancelled',
} as const
export type TaskState = keyof typeof taskStateNames
export const taskStates = typedKeys(taskStateNames)

/** The states of tasks that have not ended. */
export const openStates: readonly TaskState[] = ['queued', 'sent', 'waiting']
/** The states of tasks that have ended although their device did not do it, or did not say so. A retry takes these. */
export const undoneStates: readonly TaskState[] = ['refused', 'unanswered', 'skipped', 'expired', 'cancelled']

export const jobColumns = {
  created_at: { label: 'Created', kind: 'time', width: 168 },
  command: { label: 'Command', kind: 'text', width: 140 },
  login: { label: 'Account', kind: 'text', width: 150 },
  state: { label: 'State', kind: 'choice', names: jobStateNames, width: 110 },
  total: { label: 'Devices', kind: 'number', width: 90 },
  done: { label: 'Done', kind: 'number', width: 90 },
  reason: { label: 'Reason', kind: 'text', width: 240 },
  start_at: { label: 'Start', kind: 'time', width: 168 },
  ended_at: { label: 'Ended', kind: 'time', width: 168 },
} as const satisfies Columns

export const taskColumns = {
  bssid: { label: 'Device', kind: 'text', width: 144 },
  state: { label: 'State', kind: 'choice', names: taskStateNames, width: 110 },
  reason: { label: 'Reason', kind: 'text', width: 300 },
  wave: { label: 'Wave', kind: 'number', width: 70 },
  attempts: { label: 'Attempts', kind: 'number', width: 90 },
  sent_at: { label: 'Sent', kind: 'time', width: 168 },
  ended_at: { label: 'Ended', kind: 'time', width: 168 },
} as const satisfies Columns
