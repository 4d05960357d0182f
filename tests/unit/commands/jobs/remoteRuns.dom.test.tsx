/** Jobs of the server that another page has started, as runs of this page. */
import { afterEach, expect, test } from 'vitest'
import { beginJob } from '../../../../src/commands/core/runs/jobRuns.ts'
import { jobs } from '../../../../src/commands/core/runs/jobs.ts'
import { addEndedJobs, addRemoteJob } from '../../../../src/commands/jobs/remoteRuns.ts'
import { msPerMinute } from '../../../../src/domain/time.ts'
import { jobId, serverJob } from '../../support/serverJobs.ts'
import '../../support/allCommands.ts'

afterEach(() => void (jobs.list = []))

const begin = () =>
  beginJob({
    command: 'device.lock',
    title: 'Lock',
    entity: 'devices',
    targets: [],
    input: {},
    skipped: [],
    again: undefined,
    inverse: undefined,
  })
const ended = (number: number, minutesAgo: number) =>
  serverJob({
    _id: jobId(number),
    counts: { done: 3 },
    created_at: new Date(Date.now() - minutesAgo * msPerMinute).toISOString(),
  })
const remotes = () => jobs.list.flatMap(({ remote }) => remote ?? [])

test('ended jobs from before a run of this page are added while it runs, so that they can be undone', () => {
  begin()
  // The page may be creating the newer one, whose id it does not know yet.
  addEndedJobs([ended(3, -1), ended(2, 5), ended(1, 10)])
  expect(remotes()).toEqual([jobId(2), jobId(1)])
})

test('a job is added once, and a running one only while this page creates none', () => {
  addEndedJobs([ended(1, 10)])
  addEndedJobs([ended(1, 10)])
  expect(remotes()).toEqual([jobId(1)])
  const run = begin()
  const running = serverJob({ _id: jobId(2) })
  expect(addRemoteJob(running, [running])).toBeUndefined()
  run.remote = jobId(3)
  expect(addRemoteJob(running, [running])?.remote).toBe(jobId(2))
})
