/** The moves of tasks that are sent: before, and after the device has answered. */
import type { Acknowledgement } from '../../devices/link.ts'
import { nextAttempt } from './rules.ts'
import { leaseTime, unsent, type ClaimedTask, type Move } from './taskStore.ts'
import { successTime } from './updateRules.ts'

/** Returns the attempts that sending a task adds: a takeover continues the attempt of the server before. */
const attemptsOf = ({ isTakeover }: ClaimedTask): 0 | 1 => (isTakeover ? 0 : 1)

/** Returns the move of a task whose command is about to be sent. `before`: the values that the command replaces. */
export const sending = (task: ClaimedTask, before: Move['before'] | undefined, now: Date): Move => ({
  ...unsent(task),
  state: 'sent',
  reason: null,
  due_at: new Date(now.getTime() + leaseTime).toISOString(),
  attempt: attemptsOf(task),
  before: before ?? null,
})

/**
 * Returns the move of a task after its command has ended: it is done, it waits until the success of the update is known, it
 * is tried again, or it has failed.
 */
export function answered(task: ClaimedTask, acknowledgement: Acknowledgement, now: Date): Move {
  const base = unsent(task)
  if (acknowledgement.ok)
    return successTime(task.policy) === undefined
      ? { ...base, state: 'done', reason: null, due_at: null }
      : { ...base, state: 'sent', reason: null, due_at: now.toISOString(), isAcknowledged: true }
  const { reason, isUnanswered = false } = acknowledgement
  const attempts = task.attempts + attemptsOf(task)
  const again = isUnanswered ? nextAttempt(task.policy, attempts, now.getTime()) : undefined
  if (again !== undefined) return { ...base, state: 'queued', reason, due_at: again }
  return { ...base, state: isUnanswered ? 'unanswered' : 'refused', reason, due_at: null }
}
