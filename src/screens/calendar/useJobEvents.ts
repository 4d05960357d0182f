import { useMemo } from 'react'
import { useSnapshot } from 'valtio'
import type { Event } from '../../api/contract/events.ts'
import { useScheduledJobs } from '../../api/jobs/jobList.ts'
import { jobEventId } from '../../commands/calendar/jobEvents.ts'
import { commandTitle } from '../../commands/jobs/serverCommands.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { msPerMinute } from '../../domain/time.ts'
import { instantOf } from '../../domain/zone.ts'
import { calendar } from '../../store/calendar.ts'

/** Milliseconds that a job takes up in the calendar: how long it will take is not known. */
const shownTime = 30 * msPerMinute

/** Returns the scheduled jobs that begin in a range of ISO times as events; the one that is being moved where it is now. */
export function useJobEvents(range: { readonly from: string; readonly to: string } | undefined): readonly Event[] {
  const { data } = useScheduledJobs()
  const { moving } = useSnapshot(calendar)
  return useMemo(
    () =>
      (range ? (data ?? []) : [])
        .map(job => ({
          job,
          start:
            moving?.job === job._id ? new Date(instantOf(systemTimeZone(), moving.wall)).toISOString() : job.start_at,
        }))
        .filter(({ start }) => start >= range!.from && start < range!.to)
        .map(({ job, start }) => ({
          _id: jobEventId(job._id),
          title: `Job: ${commandTitle(job)}`,
          description: '',
          start,
          end: new Date(Date.parse(start) + shownTime).toISOString(),
          devices: [],
          device_count: job.total,
          created_by: job.login,
        })),
    [data, range, moving],
  )
}
