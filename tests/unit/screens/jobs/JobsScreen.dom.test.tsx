/** The jobs screen with jobs of a server. */
import { act, cleanup, render, screen, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { SWRConfig } from 'swr'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Job, Task } from '../../../../src/api/contract/jobs.ts'
import { clearCache } from '../../../../src/api/cache.ts'
import { revalidateResources } from '../../../../src/api/hooks.ts'
import { forgetJobs, jobs } from '../../../../src/commands/core/runs/jobs.ts'
import { executor } from '../../../../src/commands/surfaces/host/host.ts'
import { run, setExecutor } from '../../../../src/commands/surfaces/run/run.ts'
import '../../support/allCommands.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import { jobId, serverJob, serverTask } from '../../support/serverJobs.ts'
import { until } from '../../../support/until.ts'

// After the commands, which its parts look up when they are loaded.
const { JobsScreen } = await import('../../../../src/screens/jobs/JobsScreen.tsx')
const serverJobs = await import('../../../../src/commands/jobs/serverJobs.ts')
const format = await import('../../../../src/domain/format.ts')

const nothing = () => undefined
let stored: Job[]
let tasks: Task[]
let requests: { method: string; url: URL; body: unknown }[]

const answer = (data: unknown, status = 200) => new Response(JSON.stringify(status < 300 ? { data } : data), { status })

/** Answers like the server. */
function respond(url: URL, method: string): Response {
  const [, id, part] = /\/jobs(?:\/([^/]+))?(?:\/(\w+))?$/.exec(url.pathname) ?? []
  const query = url.searchParams
  const page = <Row,>(rows: readonly Row[]) => {
    const offset = Number(query.get('offset') ?? 0)
    return answer({ count: rows.length, data: rows.slice(offset, offset + Number(query.get('limit') ?? 20)) })
  }
  if (id === undefined) return page(stored)
  const job = stored.find(({ _id }) => _id === id)
  if (!job) return answer({ message: 'Job not found' }, 404)
  const filter = query.get('search')
  if (part === 'tasks') return page(tasks.filter(({ state }) => filter === null || filter === state))
  if (part === 'reasons') return answer([{ reason: 'Device is offline', count: 2 }])
  if (method === 'POST' && part === 'pause') job.state = 'paused'
  return answer(method === 'POST' && part === 'retry' ? { _id: stored[0]!._id } : job)
}

setExecutor(executor)
beforeEach(() => {
  requests = []
  stored = []
  tasks = []
  jobs.isLoaded = true
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'vendor', login: 'vendor' })
  history.replaceState(null, '', '/jobs')
  // Without a layout, rows would have no height, and all of them would be rendered.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(90)
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: nothing, removeEventListener: nothing }))
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = nothing
      unobserve = nothing
      disconnect = nothing
    },
  )
  vi.stubGlobal('fetch', (path: string, { method = 'GET', body }: RequestInit = {}) => {
    const url = new URL(path, 'http://server')
    requests.push({ method, url, body: typeof body === 'string' ? JSON.parse(body) : undefined })
    return Promise.resolve(respond(url, method))
  })
})
afterEach(() => {
  cleanup()
  clearCache()
  forgetJobs()
  clearSession()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  history.replaceState(null, '', '/')
})

const show = () =>
  render(
    <SWRConfig value={{ dedupingInterval: 500 }}>
      <MemoryRouter>
        <JobsScreen />
      </MemoryRouter>
    </SWRConfig>,
  )
const list = () => screen.getByRole('grid', { name: 'Jobs' })
const rows = (name: string) => within(screen.getByRole('grid', { name })).getAllByRole('row')
const shows = (text: string) => until(() => expect(document.body.textContent).toContain(text))
const press = (id: Parameters<typeof run>[0]) => act(async () => void (await run(id)))

test('jobs of the server say what they do to how many, for whom and how far they are', async () => {
  stored = [
    serverJob({ _id: jobId(2), counts: { done: 1, waiting: 2 }, policy: { offline: 24 } }),
    serverJob({
      _id: jobId(1),
      command: 'set_uv',
      input: { mode: 1 },
      login: 'admin',
      counts: { done: 3, refused: 1 },
    }),
  ]
  show()
  await until(() => expect(rows('Jobs')).toHaveLength(2))
  const [first, second] = rows('Jobs')
  expect(first!.textContent).toContain('Lock 3 devices')
  expect(first!.textContent).toContain('Running')
  expect(first!.textContent).toContain('vendor · waits 1 day for offline devices')
  expect(first!.textContent).toContain('1 done · 2 waiting')
  expect(second!.textContent).toContain('UV module 4 devices')
  expect(second!.textContent).toContain('Partly done')
  // The newest one is shown in detail, with its reasons and tasks.
  expect(screen.getByRole('region', { name: 'Lock: 3 devices' })).toBeTruthy()
})

test('further jobs and tasks are read page by page', async () => {
  stored = Array.from({ length: 120 }, (_, index) => serverJob({ _id: jobId(120 - index), counts: { done: 250 } }))
  tasks = Array.from({ length: 250 }, (_, index) => serverTask(`device ${String(index).padStart(3, '0')}`))
  show()
  await until(() => expect(list().getAttribute('aria-rowcount')).toBe('120'))
  await shows('device 000')
  const pagesOf = (path: RegExp) =>
    requests.filter(({ url }) => path.test(url.pathname)).map(({ url }) => url.searchParams.get('offset'))
  expect(pagesOf(/\/jobs$/)).toEqual(['0'])
  expect(pagesOf(/\/tasks$/)).toEqual(['0'])
  await press('job.open')
  await press('job.last')
  await until(() => expect(jobs.view.target).toBe('device 249'))
  expect(pagesOf(/\/tasks$/)).toContain('200')
  expect(pagesOf(/\/tasks$/)).not.toContain('100')
  await press('job.back')
  await press('job.last')
  await until(() => expect(jobs.view.pages).toBe(2))
  await until(() => expect(pagesOf(/\/jobs$/)).toContain('50'))
})

test('a filter shows the tasks in one state, and Esc shows all again', async () => {
  stored = [serverJob({ counts: { done: 1, skipped: 2 } })]
  tasks = [
    serverTask('A'),
    serverTask('B', { state: 'skipped', reason: 'Device is offline' }),
    serverTask('C', { state: 'skipped' }),
  ]
  show()
  await until(() => expect(rows('Outcomes')).toHaveLength(3))
  await press('job.open')
  await act(async () => void (await run('job.filter', { input: { outcome: 'skipped' } })))
  await until(() => expect(rows('Outcomes').map(row => row.dataset.id)).toEqual(['B', 'C']))
  await until(() => expect(jobs.view.target).toBe('B'))
  await press('job.back')
  await until(() => expect(rows('Outcomes')).toHaveLength(3))
})

test('a job is paused, and read again when the stream says that jobs have changed', async () => {
  stored = [serverJob()]
  show()
  await shows('Running')
  await press('job.pause')
  await shows('Paused by a person')
  expect(requests.filter(({ method }) => method === 'POST').map(({ url }) => url.pathname)).toEqual([
    `/api/v3/jobs/${jobId(1)}/pause`,
  ])
  stored = [serverJob({ _id: jobId(2), counts: { done: 2 } }), serverJob({ counts: { done: 3 } })]
  await act(() => revalidateResources(['jobs']))
  await until(() => expect(rows('Jobs')).toHaveLength(2))
  expect(rows('Jobs')[1]!.textContent).toContain('3 done')
})

test('only what has changed of a running job is read again and rendered', async () => {
  const sentAt = (at: number) => `2026-11-20T10:05:${String(at).padStart(2, '0')}.000Z`
  const open = { state: 'queued', ended_at: null, due_at: null, sent_at: null } as const
  tasks = Array.from({ length: 40 }, (_, at) => serverTask(`device ${at}`, at < 30 ? { ended_at: sentAt(at) } : open))
  const running = (done: number) => serverJob({ _id: jobId(9), counts: { done, queued: 40 - done } })
  const ended = [8, 7, 6].map(number => serverJob({ _id: jobId(number), counts: { done: 3 } }))
  stored = [running(30), ...ended]
  const moments = vi.spyOn(format, 'formatDateTime')
  const counts = vi.spyOn(serverJobs, 'countsText')
  show()
  await until(() => expect(rows('Outcomes').length).toBeGreaterThan(5))
  await shows('device 3')
  for (const spy of [moments, counts]) spy.mockClear()
  requests.length = 0
  tasks = tasks.with(3, serverTask('device 3', { ended_at: sentAt(55) }))
  stored = [running(31), ...ended]
  await until(() => expect(rows('Jobs')[0]!.textContent).toContain('31 done'))
  await until(() => expect(moments.mock.calls.flat()).toContain(sentAt(55)))
  const shown = tasks.flatMap(({ ended_at }) => ended_at ?? [])
  expect(moments.mock.calls.flat().filter(at => shown.includes(at))).toEqual([sentAt(55)])
  // The job itself, perhaps also as the list has it; none of those that have ended.
  expect(counts.mock.calls.every(([job]) => job.counts.queued > 0)).toBe(true)
  // Nothing more has failed, so the reasons are the same.
  expect(requests.filter(({ url }) => url.pathname.endsWith('/reasons'))).toEqual([])
  await act(() => revalidateResources(['jobs']))
  await until(() => expect(requests.some(({ url }) => url.pathname.endsWith('/jobs'))).toBe(true))
  expect(counts.mock.calls.every(([job]) => job.counts.queued > 0)).toBe(true)
})

test('a link to a job that cannot be read says so, and shows the others', async () => {
  stored = [serverJob()]
  jobs.view.job = jobId(9)
  show()
  await until(() => expect(screen.getByRole('alert').textContent).toBe('Job not found'))
  expect(rows('Jobs')).toHaveLength(1)
  await press('job.down')
  await until(() => expect(screen.getByRole('region', { name: 'Lock: 3 devices' })).toBeTruthy())
})

test('a superadmin, who has no jobs on the server, reads none', async () => {
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'superadmin', login: 'superadmin' })
  show()
  await shows('No jobs yet.')
  expect(requests).toEqual([])
})
