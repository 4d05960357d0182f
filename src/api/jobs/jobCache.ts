/** The jobs of the server that have been loaded. Apart from what reads them, because the first render of a reload needs it. */
import { unstable_serialize } from 'swr'
import { newerOf } from '../../domain/jobs/counts.ts'
import { jobPath, jobsPath } from '../../domain/jobs/paths.ts'
import { cache } from '../cache.ts'
import type { List } from '../contract/endpoint.ts'
import type { Job } from '../contract/jobs.ts'

/** Returns what the cache keeps for a key; undefined if it was not loaded. */
export const stored = <Data>(key: readonly unknown[]): Data | undefined =>
  cache.get(unstable_serialize(key))?.data as Data | undefined

/** The first pages of the jobs. */
export type JobListKey = readonly [path: string, query: { readonly pages: number }]
export const jobListKey = (pages: number): JobListKey => [jobsPath, { pages }]

/** Returns the newest jobs that have been loaded, newest first. */
export const cachedJobs = (pages: number): List<Job> | undefined => stored(jobListKey(pages))

/** A job that is read alone. */
export const jobKey = (id: string) => [jobPath, id] as const

/** Returns a job that has been loaded alone or in the list; the newer one of both. */
export const cachedJob = (id: string, pages: number): Job | undefined =>
  newerOf(
    stored<Job>(jobKey(id)),
    cachedJobs(pages)?.data.find(job => job._id === id),
  )
