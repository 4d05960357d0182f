/** Scheduled jobs in the calendar, which are shown as events. */

const prefix = 'job:'

/** Returns the id of the event that stands for a job. */
export const jobEventId = (job: string): string => `${prefix}${job}`

/** Returns the id of the job that an event stands for; undefined for an event of the calendar. */
export const jobOfEvent = (event: string): string | undefined =>
  event.startsWith(prefix) ? event.slice(prefix.length) : undefined
