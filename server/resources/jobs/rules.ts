/** Decides what becomes of a task that is due. */
import type { JobPolicy } from '../../../src/api/contract/jobPolicy.ts'
import { openStates, type JobState, type TaskState } from '../../../src/domain/columns/jobs.ts'
import { nextOpening } from '../../../src/domain/jobs/window.ts'
import { isoOf, msPerHour, msPerMinute } from '../../../src/domain/time.ts'
import { expiredReason } from './taskStore.ts'

/** What the rules know of a device. */
export interface TaskTarget {
  /** The zone of its location; null if it has not been set. */
  readonly zone: string | null
  /** Why the command makes no sense on it. */
  readonly unfit: string | undefined
  /** Why it cannot execute commands at the moment; undefined if nothing is sent to it. */
  readonly unreachable: string | undefined
}

/** What the rules know of a task, its job and its device. */
export interface DueTask {
  readonly policy: JobPolicy
  readonly state: JobState
  /** Until when it waits for its device, milliseconds UTC; null if it has not waited yet. */
  readonly waitsUntil: number | null
  /** How many times its command was sent before. */
  readonly attempts: number
  /** Whether a server has sent it and not ended it: only the device knows what came of it. */
  readonly isTakeover: boolean
  /** Undefined if the device was deleted, or is no longer one of the job's account. */
  readonly target: TaskTarget | undefined
}

/** `due_at`: ISO 8601; null for a task that has ended, or whose job is paused. */
export interface Decision {
  readonly state: TaskState
  readonly reason: string | null
  readonly due_at: string | null
}

const ended = (state: TaskState, reason: string): Decision => ({ state, reason, due_at: null })

export const goneReason = 'The device was deleted or belongs to another vendor'
export const cancelledReason = 'The job was cancelled'

/** Returns what becomes of a task, or undefined if it is to be carried out now. `now`: milliseconds UTC. */
export function decide(task: DueTask, now: number): Decision | undefined {
  // The device may have executed the command before. Its new vendor must not get it, and nobody after the job was cancelled.
  if (task.isTakeover) {
    if (task.state === 'cancelling') return ended('unanswered', cancelledReason)
    return task.target === undefined ? ended('unanswered', goneReason) : undefined
  }
  const decision = decideUnsent(task, now)
  // The device may have executed what was sent before.
  const hasEnded = decision !== undefined && !openStates.includes(decision.state)
  return hasEnded && task.attempts > 0 ? { ...decision, state: 'unanswered' } : decision
}

function decideUnsent(task: DueTask, now: number): Decision | undefined {
  const { policy, target } = task
  if (task.state === 'cancelling') return ended('cancelled', cancelledReason)
  if (task.state === 'paused') return { state: 'queued', reason: null, due_at: null }
  if (target === undefined) return ended('cancelled', goneReason)
  const { unfit, unreachable } = target
  if (unfit !== undefined) return ended('skipped', unfit)
  if (unreachable !== undefined) return whileUnreachable(task, unreachable, now)
  if (policy.window === undefined) return undefined
  const opening = nextOpening(policy.window, target.zone ?? 'UTC', now)
  if (opening <= now) return undefined
  return { state: 'queued', reason: null, due_at: isoOf(opening) }
}

/** Skips the device, or waits for it until its time has passed, which begins when the task waits for the first time. */
function whileUnreachable({ policy, waitsUntil }: DueTask, reason: string, now: number): Decision {
  const { offline = 'skip' } = policy
  if (offline === 'skip') return ended('skipped', reason)
  const until = waitsUntil ?? now + offline * msPerHour
  return until <= now ? ended('expired', expiredReason) : { state: 'waiting', reason, due_at: isoOf(until) }
}

/** Returns when a task whose device has not answered is sent again; undefined if that was its last attempt. */
export function nextAttempt({ retries = 0 }: JobPolicy, attempts: number, now: number): string | undefined {
  // One minute, then two, four …
  return attempts > retries ? undefined : isoOf(now + 2 ** (attempts - 1) * msPerMinute)
}
