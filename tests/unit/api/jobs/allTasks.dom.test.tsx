/** Reading the tasks of a job in pages, while devices do it and new ones get a task. */
import { afterEach, expect, test, vi } from 'vitest'
import { maxPerCall } from '../../../../src/api/contract/endpoint.ts'
import type { Task } from '../../../../src/api/contract/jobs.ts'
import { allTasks } from '../../../../src/api/jobs/jobs.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import { bssidOf } from '../../support/fleet.ts'
import { jobId, serverTask } from '../../support/serverJobs.ts'

afterEach(() => {
  clearSession()
  vi.unstubAllGlobals()
})

const tasksFrom = (first: number, count: number, state: Task['state']) =>
  Array.from({ length: count }, (_, at) => serverTask(bssidOf(first + at), { state }))

/** Reads the tasks of a job; `change` changes them after the first page. Returns their devices and the number of calls. */
async function read(tasks: readonly Task[], only: 'undone' | undefined, change: (tasks: readonly Task[]) => Task[]) {
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
  let now = tasks
  let calls = 0
  vi.stubGlobal('fetch', (path: string) => {
    if (calls++ === 1) now = change(now)
    const query = new URL(path, location.href).searchParams
    const found = now
      .filter(({ state }) => query.get('operator') !== 'ne' || state !== query.get('search'))
      .toSorted((a, b) => (a.bssid < b.bssid ? -1 : 1))
    const offset = Number(query.get('offset'))
    const data = { count: found.length, data: found.slice(offset, offset + Number(query.get('limit'))) }
    return Promise.resolve(new Response(JSON.stringify({ data })))
  })
  const bssids: string[] = []
  const progress = { signal: new AbortController().signal, report: () => undefined }
  for await (const page of allTasks(jobId(1), progress, only)) bssids.push(...page.map(({ bssid }) => bssid))
  return { bssids, calls }
}

test('no task that is not done is skipped if others before it are done between two pages', async () => {
  const doThirty = (tasks: readonly Task[]) =>
    tasks.map((task, at): Task => (at < 30 ? { ...task, state: 'done' } : task))
  const { bssids } = await read(tasksFrom(0, maxPerCall + 500, 'queued'), 'undone', doThirty)
  expect(bssids).toEqual(tasksFrom(0, maxPerCall + 500, 'queued').map(({ bssid }) => bssid))
})

test('a task is read once if a device before it gets one between two pages', async () => {
  const addOne = (tasks: readonly Task[]) => [...tasks, ...tasksFrom(0, 1, 'queued')]
  const { bssids } = await read(tasksFrom(1, maxPerCall + 500, 'done'), undefined, addOne)
  expect(bssids).toEqual(tasksFrom(1, maxPerCall + 500, 'done').map(({ bssid }) => bssid))
})

test('the few tasks of a large job that are not done are one call', async () => {
  const few = tasksFrom(0, 3, 'refused')
  const { bssids, calls } = await read([...few, ...tasksFrom(3, 10_000, 'done')], 'undone', tasks => [...tasks])
  expect([bssids, calls]).toEqual([few.map(({ bssid }) => bssid), 1])
})
