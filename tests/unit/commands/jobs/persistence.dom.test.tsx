/** Stored jobs: what is stored, for whom, and how a restored job can be retried or undone. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Command, Services } from '../../../../src/commands/core/types.ts'
import type { JobStart } from '../../../../src/commands/core/runs/jobRuns.ts'
import type * as Persist from '../../../../src/store/persist.ts'

const stored = vi.hoisted(() => new Map<string, unknown>())
/** The names of the jobs read from the storage. */
const reads = vi.hoisted(() => new Array<string>())
/** The change listeners of all pages. */
const changeListeners = vi.hoisted(() => new Set<(name: string) => void>())
vi.mock('../../../../src/store/persist.ts', async original => ({
  ...(await original<typeof Persist>()),
  largeStateNames: (prefix: string) => Promise.resolve([...stored.keys()].filter(name => name.startsWith(prefix))),
  readLarge(name: string) {
    reads.push(name)
    return Promise.resolve(stored.get(name))
  },
  writeLarge(name: string, value: unknown) {
    // structuredClone throws for values that IndexedDB could not store.
    if (value === undefined) stored.delete(name)
    else stored.set(name, structuredClone(value))
    for (const written of changeListeners) written(name)
    return Promise.resolve()
  },
  onLargeChanged: (_: string, written: (name: string) => void) => changeListeners.add(written),
}))

/** Loads the console's modules as a new page would. */
async function loadPage() {
  vi.resetModules()
  await import('../../../../src/commands/initialCommands.ts')
  const { loadAllCommands, commandOf } = await import('../../../../src/commands/core/registry.ts')
  await loadAllCommands()
  const jobs = await import('../../../../src/commands/core/runs/jobs.ts')
  const runs = await import('../../../../src/commands/core/runs/jobRuns.ts')
  const { persistJobs } = await import('../../../../src/commands/jobs/persistence.ts')
  const acts = await import('../../../../src/commands/jobs/actions.ts')
  const outcomes = await import('../../../../src/commands/jobs/outcomes.ts')
  const { undoable, undoJob } = await import('../../../../src/commands/jobs/undoJob.ts')
  return { ...jobs, ...runs, ...acts, ...outcomes, persistJobs, commandOf, undoable, undoJob }
}
type Page = Awaited<ReturnType<typeof loadPage>>

const item = (id: string) => ({ id, name: id, vendor: 'v', company: 'Aqua', status: 0, platform: 'esp32' })
const begin = ({ beginJob }: Page, given: Partial<JobStart> = {}) =>
  beginJob({
    command: 'device.lock',
    title: 'Lock',
    entity: 'devices',
    input: {},
    targets: ['a', 'b', 'c'].map(item),
    skipped: [{ id: 'c', message: 'Offline' }],
    again: undefined,
    inverse: undefined,
    ...given,
  })
const lockOf = (page: string) => `permeate:page:${page}`
const waitForWrite = () => vi.advanceTimersByTimeAsync(6000)

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  changeListeners.clear()
  stored.clear()
  reads.length = 0
})

test('an ended job is restored with its outcomes, and can be retried on the targets that are not done', async () => {
  const before = await loadPage()
  await before.persistJobs('ada')
  const job = begin(before)
  before.endJob(job, {
    outcome: {
      done: ['a'],
      failed: [
        { id: 'b', message: 'Timed out' },
        { id: 'c', message: 'Offline' },
      ],
    },
    before: [{ ids: ['a'], values: { locked: false } }],
    message: 'Locked 1 of 3 devices',
  })
  await waitForWrite()

  const page = await loadPage()
  expect(page.jobs.list).toEqual([])
  await page.persistJobs('ada')
  const [back] = page.jobs.list
  expect(back).toMatchObject({ title: 'Lock', state: 'done', total: 3, done: 1, failed: 2, message: job.message })
  expect(back!.detail.before).toEqual([{ ids: ['a'], values: { locked: false } }])
  expect(page.shownOutcomes(back!, 'failed').map(({ item: { id } }) => id)).toEqual(['b'])
  expect(page.shownOutcomes(back!, 'skipped').map(({ item: { id }, reason }) => [id, reason])).toEqual([
    ['c', 'Offline'],
  ])
  // Its undo is that of its command.
  expect(back!.detail.inverse).toBe(page.commandOf('device.lock').undo)
  expect(page.retryBlocked(back!)).toBeUndefined()
  const again = vi.fn<Services['runCommand']>(() => Promise.resolve({ is: 'stopped' }))
  page.retry(back!, again)
  expect(again).toHaveBeenCalledWith(page.commandOf('device.lock'), {}, ['b', 'c'].map(item))
})

test('a job that was running when the page was closed is lost, with the outcomes until then', async () => {
  const before = await loadPage()
  await before.persistJobs('ada')
  const job = begin(before)
  before.recordOutcomes(job, ['a'], [])
  const leaving = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(leaving)
  // The browser asks before leaving.
  expect(leaving.defaultPrevented).toBe(true)

  const page = await loadPage()
  await page.persistJobs('ada')
  const [back] = page.jobs.list
  expect(back).toMatchObject({ state: 'lost', done: 1, failed: 1 })
  expect(page.outcomeCounts(back!)).toMatchObject({ done: 1, skipped: 1, waiting: 1 })
  expect(page.undoneTargets(back!).map(({ id }) => id)).toEqual(['b', 'c'])
  expect(page.retryBlocked(back!)).toBeUndefined()
  // The page can be left without a question once the job has ended.
  before.endJob(job, {})
  await waitForWrite()
  const left = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(left)
  expect(left.defaultPrevented).toBe(false)
})

test('the changes of a lost job can be undone', async () => {
  const before = await loadPage()
  await before.persistJobs('ada')
  const job = begin(before)
  before.recordOutcomes(job, ['a'], [], [{ ids: ['a'], values: { locked: false } }])
  window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

  const page = await loadPage()
  await page.persistJobs('ada')
  const [back] = page.jobs.list
  expect(back).toMatchObject({ state: 'lost' })
  expect(page.undoable(back!)).toBe(true)
  expect(back!.detail.before).toEqual([{ ids: ['a'], values: { locked: false } }])
  before.endJob(job, {})
})

test('a job that is still running on another page is not lost', async () => {
  const before = await loadPage()
  await before.persistJobs('ada')
  const job = begin(before)
  await waitForWrite()
  const { page: open } = stored.get(`job:${job.id}`) as { page: string }
  const locks = { request: () => Promise.resolve(), query: () => Promise.resolve({ held: [{ name: lockOf(open) }] }) }
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { locks }))
  const page = await loadPage()
  await page.persistJobs('ada')
  expect(page.jobs.list).toEqual([])
  expect(stored.size).toBe(1)
  vi.unstubAllGlobals()
  before.endJob(job, {})
})

test('stored jobs of another person are deleted and not shown', async () => {
  const before = await loadPage()
  await before.persistJobs('ada')
  before.endJob(begin(before), {})
  await waitForWrite()
  expect(stored.size).toBe(1)
  const page = await loadPage()
  await page.persistJobs('bob')
  expect(page.jobs.list).toEqual([])
  expect(stored.size).toBe(0)
})

test('a forgotten job is deleted from the storage, and forgetJobs deletes and stops all', async () => {
  const page = await loadPage()
  await page.persistJobs('ada')
  const [one, other] = [begin(page), begin(page)]
  page.endJob(one, {})
  page.endJob(other, {})
  await waitForWrite()
  expect(stored.size).toBe(2)
  page.forget(one)
  await waitForWrite()
  expect([...stored.keys()]).toEqual([`job:${other.id}`])
  const runs = begin(page)
  page.forgetJobs()
  await waitForWrite()
  expect(stored.size).toBe(0)
  expect(page.jobs.list).toEqual([])
  // A running job is aborted.
  expect(runs.detail.cancel.signal.aborted).toBe(true)
})

test('a secret is never stored, and a job with one cannot be retried', async () => {
  const before = await loadPage()
  await before.persistJobs('ada')
  const secret = before.commandOf('vendors.changePassword')
  const job = begin(before, { command: secret.id, title: secret.title, entity: 'vendors', input: { password: 'hush' } })
  before.endJob(job, { error: 'Refused' })
  await waitForWrite()
  expect(JSON.stringify([...stored.values()])).not.toContain('hush')
  const page = await loadPage()
  await page.persistJobs('ada')
  expect(page.retryBlocked(page.jobs.list[0]!)).toMatch(/Run the command again/)
})

test('jobs in memory are dropped when another person’s are loaded, also without signing out', async () => {
  const page = await loadPage()
  await page.persistJobs('ada')
  const job = begin(page)
  await page.persistJobs('bob')
  expect(page.jobs.list).toEqual([])
  expect(job.detail.cancel.signal.aborted).toBe(true)
})

test('previous values not yet restored are stored, and an undo can be redone after a reload', async () => {
  const before = await loadPage()
  await before.persistJobs('ada')
  const ended = { outcome: { done: ['a', 'b'], failed: [] }, before: [{ ids: ['a', 'b'], values: { locked: false } }] }
  const lock = begin(before, { skipped: [] })
  before.endJob(lock, ended)
  await waitForWrite()
  await before.undoJob(lock, {
    runCommand: (command: Command, input: unknown) => {
      before.endJob(
        begin(before, { command: command.id, input, inverse: values => ({ id: 'device.lock', input: values }) }),
        ended,
      )
      return Promise.resolve({ is: 'done', outcome: { done: ['a'], failed: [] } })
    },
  } as unknown as Services)
  await waitForWrite()

  const page = await loadPage()
  await page.persistJobs('ada')
  const back = (command: string) => page.jobs.list.find(job => job.command === command)!
  expect(back('device.lock')).toMatchObject({ undone: false })
  expect(back('device.lock').detail.before).toEqual([{ ids: ['b'], values: { locked: false } }])
  expect(page.undoable(back('run.undo'))).toBe(true)
})

test('an undo in one tab applies to all tabs, and the remaining targets can be undone in any', async () => {
  const one = await loadPage()
  await one.persistJobs('ada')
  const ended = { outcome: { done: ['a', 'b'], failed: [] }, before: [{ ids: ['a', 'b'], values: { locked: false } }] }
  const job = begin(one, { skipped: [] })
  one.endJob(job, ended)
  await waitForWrite()
  const other = await loadPage()
  await other.persistJobs('ada')
  const there = () => other.jobs.list.find(({ id }) => id === job.id)!
  expect(other.undoable(there())).toBe(true)

  const undo = (done: readonly string[]) =>
    one.undoJob(job, {
      runCommand: () => Promise.resolve({ is: 'done', outcome: { done, failed: [] } }),
    } as unknown as Services)
  await undo(['a'])
  await waitForWrite()
  expect(there().detail.before).toEqual([{ ids: ['b'], values: { locked: false } }])
  expect(other.undoable(there())).toBe(true)
  await undo(['b'])
  await waitForWrite()
  expect(there().undone).toBe(true)
  expect(other.undoable(there())).toBe(false)
  expect(stored.get(`job:${job.id}`)).toMatchObject({ undone: true, before: [] })
})

test('a write by another tab does not read that tab’s job', async () => {
  const page = await loadPage()
  await page.persistJobs('ada')
  for (const written of changeListeners) written('job:of another tab')
  expect(reads).toEqual([])
})
