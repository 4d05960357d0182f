/** Scheduled jobs in the calendar, which are shown as events. */
import { routes } from '../../domain/lists/routes.ts'

const prefix = 'job:'

/** Returns the id of the event that stands for a job. */
export const jobEventId = (job: string): string => `${prefix}${job}`

/** Returns the path of the job that an event stands for; undefined for an event of the calendar. */
export const jobPathOf = (event: string): string | undefined =>
  event.startsWith(prefix) ? `${routes.jobs.path}?job=${event.slice(prefix.length)}` : undefined
