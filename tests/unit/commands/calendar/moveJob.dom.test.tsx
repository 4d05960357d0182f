/** Where a scheduled job is dropped in the calendar. */
import { unload, unstable_serialize } from 'swr'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cache } from '../../../../src/api/cache.ts'
import { scheduledKey } from '../../../../src/api/jobs/jobList.ts'
import { droppedStart, shownStart } from '../../../../src/commands/calendar/moveJob.ts'
import { msPerDay } from '../../../../src/domain/time.ts'
import * as zones from '../../../../src/domain/systemTimeZone.ts'
import { jobId, serverJob } from '../../support/serverJobs.ts'

// In Berlin, clocks are put back from 03:00 to 02:00 on this day: 02:30 comes at 00:30 and 01:30 UTC.
const [first, second] = ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']
const schedule = (start_at: string) => {
  const job = serverJob({ _id: jobId(1), state: 'scheduled', start_at })
  cache.set(unstable_serialize(scheduledKey), { data: [job] })
  return job
}

beforeEach(() => void vi.spyOn(zones, 'systemTimeZone').mockReturnValue('Europe/Berlin'))
afterEach(() => {
  vi.restoreAllMocks()
  unload({ revalidate: false })
})

test.each([first, second, '2026-10-26T01:30:00.000Z'])(
  'a job at %s that is put back where it was keeps its time',
  at => {
    const job = schedule(at)
    expect(droppedStart(job._id, shownStart(job))).toBe(at)
  },
)

test('a job that is dropped at another time gets that', () => {
  const job = schedule(second)
  expect(droppedStart(job._id, shownStart(job) + msPerDay)).toBe('2026-10-26T01:30:00.000Z')
  expect(droppedStart(jobId(2), shownStart(job))).toBe(first)
})
