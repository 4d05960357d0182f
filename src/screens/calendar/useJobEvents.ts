import { useMemo } from 'react'
import type { Event } from '../../api/contract/events.ts'
import { useScheduledJobs } from '../../api/jobs/jobList.ts'
import { jobEventId } from '../../commands/calendar/jobEvents.ts'
import { commandTitle } from '../../commands/jobs/serverCommands.ts'
import { msPerMinute } from '../../domain/time.ts'

/** Milliseconds that a job takes up in the calendar: how long it will take is not known. */
const shownTime = 30 * msPerMinute

/** Returns the scheduled jobs that begin in a range of ISO times as events. */
export function useJobEvents(range: { readonly from: string; readonly to: string } | undefined): readonly Event[] {
  const { data } = useScheduledJobs()
  return useMemo(
    () =>
      (range ? (data ?? []) : [])
        .filter(({ start_at }) => start_at >= range!.from && start_at < range!.to)
        .map(job => ({
          _id: jobEventId(job._id),
          title: `Job: ${commandTitle(job)}`,
          description: '',
          start: job.start_at,
          end: new Date(Date.parse(job.start_at) + shownTime).toISOString(),
          devices: [],
          device_count: job.total,
          created_by: job.login,
        })),
    [data, range],
  )
}
