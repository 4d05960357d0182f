/** The jobs of the server and of this browser in one list. */
import fc from 'fast-check'
import { unload, unstable_serialize } from 'swr'
import { afterEach, expect, test } from 'vitest'
import { cache } from '../../../../src/api/cache.ts'
import { jobKey, jobListKey } from '../../../../src/api/jobs/jobCache.ts'
import { currentContext } from '../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import { beginJob } from '../../../../src/commands/core/runs/jobRuns.ts'
import { jobs, type Job } from '../../../../src/commands/core/runs/jobs.ts'
import { isUndone, mergeEntries, serverIdOf, shownEntry } from '../../../../src/commands/jobs/entries.ts'
import { newerOf } from '../../../../src/domain/jobs/counts.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import { jobId, serverJob } from '../../support/serverJobs.ts'
import '../../support/allCommands.ts'

afterEach(() => {
  jobs.list = []
  unload({ revalidate: false })
  clearSession()
})

const local = (startedAt: number, remote?: string): Job => {
  const job = beginJob({
    command: 'device.lock',
    title: 'Lock',
    entity: 'devices',
    input: {},
    targets: [{ id: 'a', name: 'a', row: undefined }],
    skipped: [],
    again: undefined,
    inverse: undefined,
  })
  return { ...job, startedAt, ...(remote !== undefined && { remote }) }
}
const at = (time: number, number: number) => serverJob({ _id: jobId(number), created_at: new Date(time).toISOString() })

test('law: the list is sorted by time, and no job is lost once all of the server are loaded', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1000)), fc.array(fc.nat(1000)), (own, remote) => {
      const data = remote.toSorted((a, b) => b - a).map((time, index) => at(time, index))
      const all = mergeEntries(
        own.map(time => local(time)),
        { count: data.length, data },
      )
      expect(all).toHaveLength(own.length + remote.length)
      const times = all.map(entry => (entry.is === 'local' ? entry.job.startedAt : Date.parse(entry.job.created_at)))
      expect(times).toEqual(times.toSorted((a, b) => b - a))
    }),
  )
})

test('a job that the server carries out is listed once, and an older one of this browser only after newer ones', () => {
  const data = [at(900, 2), at(500, 1)]
  const own = [local(900, jobId(2)), local(600), local(100)]
  const kinds = (count: number) => mergeEntries(own, { count, data }).map(({ is }) => is)
  expect(kinds(5)).toEqual(['server', 'local', 'server'])
  expect(kinds(2)).toEqual(['server', 'local', 'server', 'local'])
  expect(mergeEntries(own, undefined)).toHaveLength(2)
})

test('an id names a job of the server, or the one that carries out a job of this browser', () => {
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'vendor', login: 'vendor' })
  const own = [local(1, jobId(7)), local(2)]
  expect(serverIdOf(own[0]!.id, own)).toBe(jobId(7))
  expect(serverIdOf(own[1]!.id, own)).toBeUndefined()
  expect(serverIdOf(jobId(8), own)).toBe(jobId(8))
  // A superadmin has no jobs on the server, and may not read any.
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'superadmin', login: 'superadmin' })
  expect(serverIdOf(jobId(8), own)).toBeUndefined()
})

test('of two versions of a job, the one in which more has ended is newer', () => {
  const before = serverJob({ counts: { done: 1, queued: 2 } })
  const after = serverJob({ counts: { done: 2, queued: 1 } })
  const ended = serverJob({ counts: { done: 3 } })
  for (const [older, newer] of [
    [before, after],
    [after, ended],
  ] as const) {
    expect(newerOf(older, newer)).toBe(newer)
    expect(newerOf(newer, older)).toBe(newer)
  }
  expect(newerOf(undefined, before)).toBe(before)
})

test('a job is undone once undos have restored all of its devices', () => {
  const job = serverJob({ counts: { done: 3, refused: 1 } })
  const undo = (done: number, number: number) =>
    serverJob({ _id: jobId(number), kind: 'undo', parent: job._id, counts: { done, refused: 3 - done } })
  expect(isUndone(job, [job])).toBe(false)
  expect(isUndone(job, [undo(2, 2), job])).toBe(false)
  expect(isUndone(job, [undo(1, 3), undo(2, 2), job])).toBe(true)
})

test('without a named job, commands act on the newest version of the newest one, as the screen shows it', () => {
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'vendor', login: 'vendor' })
  const listed = serverJob({ counts: { queued: 2 } })
  const alone = serverJob({ counts: { refused: 1, skipped: 1 } })
  cache.set(unstable_serialize(jobListKey(jobs.view.pages)), { data: { count: 1, data: [listed] } })
  cache.set(unstable_serialize(jobKey(listed._id)), { data: alone })
  expect(shownEntry()).toMatchObject({ is: 'server', job: alone })
  expect(commandOf('job.retry').availability({ ...currentContext(), path: '/jobs' })).toEqual({ is: 'ready' })
})
