/** Decides whether an update of the firmware has succeeded, from what its device reports after it was acknowledged. */
import type { JobPolicy } from '../../../src/api/contract/jobPolicy.ts'
import { offlineStatus, updatingStatus, type StatusCode } from '../../../src/domain/device.ts'
import type { TaskState } from '../../../src/domain/columns/jobs.ts'
import { msPerHour, msPerMinute } from '../../../src/domain/time.ts'
import { goneReason } from './rules.ts'

/** Milliseconds within which the device must be online with the version, after its acknowledgement. */
const returnTime = msPerHour
/** Milliseconds within which a device must begin its update; it says so with its status. */
const beginTime = 5 * msPerMinute
/** Milliseconds until the next look, if no event of the device comes. */
const lookInterval = 5 * msPerMinute

/** An update that its device has acknowledged. Times are milliseconds UTC. */
export interface FollowedUpdate {
  readonly version: string
  /** How long the device must be online with the version. */
  readonly successTime: number
  readonly acknowledgedAt: number
  readonly wasUpdating: boolean
  readonly onlineSince: number | null
  /** Null if the device was deleted, or is no longer one of the job's account. */
  readonly device: { readonly status: StatusCode; readonly firmware: string } | null
}

/** What becomes of an update: it ends, or is looked at again at `dueAt`. */
export interface UpdateDecision extends Pick<FollowedUpdate, 'wasUpdating' | 'onlineSince'> {
  readonly state: Extract<TaskState, 'sent' | 'done' | 'refused' | 'unanswered'>
  readonly reason: string | null
  readonly dueAt: number | null
}

/** Returns how long a device must be online after its update, in milliseconds; undefined if an acknowledgement is enough. */
export const successTime = ({ success = 'acknowledged' }: JobPolicy): number | undefined =>
  success === 'acknowledged' ? undefined : success.minutes * msPerMinute

/** Returns what becomes of an update. `now`: milliseconds UTC. */
export function decideUpdate(update: FollowedUpdate, now: number): UpdateDecision {
  const { device, version, acknowledgedAt } = update
  const deadline = acknowledgedAt + returnTime + update.successTime
  const end = (state: UpdateDecision['state'], reason: string | null) =>
    ({ state, reason, dueAt: null, wasUpdating, onlineSince }) as const
  const wasUpdating = update.wasUpdating || device?.status === updatingStatus
  const isOnline = device !== null && device.status !== offlineStatus && device.status !== updatingStatus
  const onlineSince = isOnline && device.firmware === version ? (update.onlineSince ?? now) : null

  if (device === null) return end('unanswered', goneReason)
  const successAt = onlineSince === null ? undefined : onlineSince + update.successTime
  if (successAt !== undefined && successAt <= now) return end('done', null)
  const beginsUntil = acknowledgedAt + beginTime
  if (isOnline && successAt === undefined && (wasUpdating || beginsUntil <= now))
    return end('refused', `The device reports firmware ${device.firmware} after its update`)
  if (deadline <= now)
    return end('unanswered', `The device was not online with firmware ${version} in time after its update`)
  const times = [deadline, now + lookInterval, ...(successAt === undefined ? [] : [successAt])]
  return { state: 'sent', reason: null, dueAt: Math.min(...times), wasUpdating, onlineSince }
}
