/** The jobs of the server that have been loaded. Apart from what reads them, because the first render of a reload needs it. */
import { newerOf } from '../../domain/jobs/counts.ts'
import { jobPath, jobsPath } from '../../domain/jobs/paths.ts'
import { cachedData } from '../cache.ts'
import type { List } from '../contract/endpoint.ts'
import type { Job } from '../contract/jobs.ts'

/** The first pages of the jobs. */
export type JobListKey = readonly [path: string, query: { readonly pages: number }]
export const jobListKey = (pages: number): JobListKey => [jobsPath, { pages }]

/** Returns the newest jobs that have been loaded, newest first. */
export const cachedJobs = (pages: number): List<Job> | undefined => cachedData(jobListKey(pages))

/** A job that is read alone. */
export const jobKey = (id: string) => [jobPath, id] as const

/** Returns a job that has been loaded alone or in the list; the newer one of both. */
export const cachedJob = (id: string, pages: number): Job | undefined =>
  newerOf(
    cachedData<Job>(jobKey(id)),
    cachedJobs(pages)?.data.find(job => job._id === id),
  )
