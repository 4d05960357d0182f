/** Commands that move a scheduled job in the calendar: step by step with keys, and to where it is dropped. */
import * as z from 'zod/mini'
import { TimeInput } from '../../api/contract/fields.ts'
import type { Job } from '../../api/contract/jobs.ts'
import { cachedScheduledJobs } from '../../api/jobs/jobList.ts'
import { dayAt, todayIn } from '../../domain/calendar/days.ts'
import { daysLater, slotLater } from '../../domain/calendar/moves.ts'
import { momentText } from '../../domain/calendar/texts.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { instantOf, wallTime } from '../../domain/zone.ts'
import { calendar, calendarView } from '../../store/calendar.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { moveCommands } from '../core/moveCommands.ts'
import { nothing } from '../core/needs.ts'
import { whenFound } from '../core/screenNeeds.ts'
import { rescheduleCommand, rescheduleJob } from '../jobs/rescheduleCommand.ts'
import { titleOf } from '../jobs/serverActions.ts'
import { jobEventId, jobOfEvent } from './jobEvents.ts'
import { onCalendar } from './needs.ts'

const scheduledJob = (id: string | undefined): Job | undefined => cachedScheduledJobs().find(job => job._id === id)

/** Returns why a job cannot be moved; undefined if it can. */
const moveBlockedReason = ({ policy }: Job): string | undefined =>
  typeof policy.start === 'object'
    ? `A repeating job follows its rule. To change its time, open it and run “${rescheduleCommand.title}”`
    : undefined

/** Returns the scheduled job of an event, if it can be moved. */
export function movableJob(event: string | undefined): Job | undefined {
  const job = event === undefined ? undefined : scheduledJob(jobOfEvent(event))
  return job && moveBlockedReason(job) === undefined ? job : undefined
}

/** Needs the job that is being moved, or else the focused one. */
const focusedJob = whenFound(
  onCalendar,
  () => scheduledJob(calendar.moving?.job ?? jobOfEvent(calendar.focusedEvent ?? '')),
  'Focus a scheduled job first',
)

/** Returns the wall time at which a job is shown: while it is moved, or dropped and not yet rescheduled, that is not its start. */
export const shownStart = ({ _id, start_at }: Job): number =>
  calendar.moving?.job === _id ? calendar.moving.wall : wallTime(systemTimeZone(), Date.parse(start_at))

/**
 * Returns the start of a job that is dropped at a wall time: its own start if it is back there, also at the second
 * occurrence of an hour that clocks repeat.
 */
export function droppedStart(id: string, wall: number): string {
  const zone = systemTimeZone()
  const start = scheduledJob(id)?.start_at
  if (start !== undefined && wallTime(zone, Date.parse(start)) === wall) return start
  return new Date(instantOf(zone, wall)).toISOString()
}

/** Shows a job at another time, with the focus on it. The server learns of that time only when the job is dropped. */
function showAt(scheduled: Job, move: (wall: number) => number): void {
  const blockedReason =
    calendarView() === 'agenda' ? 'Jobs are moved in the month, week and day' : moveBlockedReason(scheduled)
  if (blockedReason !== undefined) throw new Error(blockedReason)
  const { _id: job } = scheduled
  const wall = move(shownStart(scheduled))
  const focusRequest = `event ${jobEventId(job)}` as const
  Object.assign(calendar, { moving: { job, wall, by: 'keys' }, date: dayAt(wall), focusRequest })
}

const scope = {
  group: 'insight',
  screen: 'calendar',
  roles: deviceRoles,
  recordable: false,
  needs: focusedJob,
} as const

/** Shows a job at its start again, with the focus on it. */
export function stopMoving(id: string): void {
  const start = scheduledJob(id)?.start_at
  calendar.moving = undefined
  if (start === undefined) return
  calendar.date = todayIn(systemTimeZone(), Date.parse(start))
  calendar.focusRequest = `event ${jobEventId(id)}`
}

export const moveJobCommands = [
  ...moveCommands(
    'calendar',
    scope,
    [
      { name: 'jobNextDay', title: 'Move job to next day', keys: 'shift+ArrowRight', by: 1 },
      { name: 'jobPreviousDay', title: 'Move job to previous day', keys: 'shift+ArrowLeft', by: -1 },
    ],
    (job, by) => showAt(job, wall => daysLater(wall, by)),
  ),
  ...moveCommands(
    'calendar',
    scope,
    [
      {
        name: 'jobLater',
        title: 'Move job half an hour later (month view: one week)',
        keys: 'shift+ArrowDown',
        by: 1,
      },
      {
        name: 'jobEarlier',
        title: 'Move job half an hour earlier (month view: one week)',
        keys: 'shift+ArrowUp',
        by: -1,
      },
    ],
    (job, by) =>
      showAt(job, wall =>
        calendarView() === 'month' ? daysLater(wall, 7 * by) : slotLater(systemTimeZone(), wall, by < 0 ? -1 : 1),
      ),
  ),
  defineCommand({
    ...scope,
    id: 'calendar.moveJob',
    title: 'Move job to time',
    keysOnly: true,
    needs: nothing,
    args: z.object({ job: z.string(), start: TimeInput }),
    async run(_, { job: id, start }, services) {
      const droppedAt = calendar.moving?.wall
      try {
        const job = scheduledJob(id)
        if (!job) throw new Error('The job has started, or is no longer scheduled')
        if (start === job.start_at) return undefined
        // The server would start such a job at once.
        if (Date.parse(start) <= Date.now())
          throw new Error(
            `${momentText(systemTimeZone(), Date.parse(start))} has passed. “${titleOf(job)}” keeps its time`,
          )
        return await rescheduleJob(job, start, services)
      } finally {
        // While the server answered, the person may have moved the job on; then it stays where it is shown.
        if (calendar.moving?.job === id && calendar.moving.wall === droppedAt) stopMoving(id)
      }
    },
  }),
]
