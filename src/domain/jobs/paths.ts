/** The paths of the jobs' endpoints that also name cached responses. */
export const jobsPath = '/api/v3/jobs'
export const jobPath = `${jobsPath}/{id}` as const
