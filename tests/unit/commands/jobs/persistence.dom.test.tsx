/** Jobs beyond their page: what is kept of them, for whom, and what a person may do with one that came back. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Command, Services } from '../../../../src/commands/core/types.ts'
import type { JobStart } from '../../../../src/commands/core/runs/jobRuns.ts'
import type * as Persist from '../../../../src/store/persist.ts'

const stored = vi.hoisted(() => new Map<string, unknown>())
/** The names that were read, each with all its targets. */
const reads = vi.hoisted(() => new Array<string>())
/** What each page is told of what the others write. */
const told = vi.hoisted(() => new Set<(name: string) => void>())
vi.mock('../../../../src/store/persist.ts', async original => ({
  ...(await original<typeof Persist>()),
  largeNames: (prefix: string) => Promise.resolve([...stored.keys()].filter(name => name.startsWith(prefix))),
  readLarge(name: string) {
    reads.push(name)
    return Promise.resolve(stored.get(name))
  },
  writeLarge(name: string, value: unknown) {
    // What cannot be cloned cannot be kept either.
    if (value === undefined) stored.delete(name)
    else stored.set(name, structuredClone(value))
    for (const written of told) written(name)
    return Promise.resolve()
  },
  onLargeChanged: (_: string, written: (name: string) => void) => told.add(written),
}))

/** The console as a page that was just loaded has it. */
async function loadPage() {
  vi.resetModules()
  await import('../../../../src/commands/commands.ts')
  const { loadAllCommands, commandOf } = await import('../../../../src/commands/core/registry.ts')
  await loadAllCommands()
  const jobs = await import('../../../../src/commands/core/runs/jobs.ts')
  const runs = await import('../../../../src/commands/core/runs/jobRuns.ts')
  const { persistJobs: keepJobs } = await import('../../../../src/commands/jobs/persistence.ts')
  const acts = await import('../../../../src/commands/jobs/actions.ts')
  const outcomes = await import('../../../../src/commands/jobs/outcomes.ts')
  const { undoable, undoJob } = await import('../../../../src/commands/jobs/undoJob.ts')
  return { ...jobs, ...runs, ...acts, ...outcomes, keepJobs, commandOf, undoable, undoJob }
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
const later = () => vi.advanceTimersByTimeAsync(6000)

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  told.clear()
  stored.clear()
  reads.length = 0
})

test('one that ended comes back with what came of each, and can be retried on those it was not done to', async () => {
  const before = await loadPage()
  await before.keepJobs('ada')
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
  await later()

  const page = await loadPage()
  expect(page.jobs.list).toEqual([])
  await page.keepJobs('ada')
  const [back] = page.jobs.list
  expect(back).toMatchObject({ title: 'Lock', state: 'done', total: 3, done: 1, failed: 2, message: job.message })
  expect(back!.detail.before).toEqual([{ ids: ['a'], values: { locked: false } }])
  expect(page.shownOutcomes(back!, 'failed').map(({ item: { id } }) => id)).toEqual(['b'])
  expect(page.shownOutcomes(back!, 'skipped').map(({ item: { id }, reason }) => [id, reason])).toEqual([
    ['c', 'Offline'],
  ])
  // The way back is that of its command.
  expect(back!.detail.inverse).toBe(page.commandOf('device.lock').undo)
  expect(page.retryBlocked(back!)).toBeUndefined()
  const again = vi.fn<Services['runCommand']>(() => Promise.resolve({ is: 'stopped' }))
  page.retry(back!, again)
  expect(again).toHaveBeenCalledWith(page.commandOf('device.lock'), {}, ['b', 'c'].map(item))
})

test('one that ran when the page went away is lost, and what had come of it is known', async () => {
  const before = await loadPage()
  await before.keepJobs('ada')
  const job = begin(before)
  before.recordOutcomes(job, ['a'], [])
  const leaving = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(leaving)
  // The browser asks first.
  expect(leaving.defaultPrevented).toBe(true)

  const page = await loadPage()
  await page.keepJobs('ada')
  const [back] = page.jobs.list
  expect(back).toMatchObject({ state: 'lost', done: 1, failed: 1 })
  expect(page.outcomeCounts(back!)).toMatchObject({ done: 1, skipped: 1, waiting: 1 })
  expect(page.undoneTargets(back!).map(({ id }) => id)).toEqual(['b', 'c'])
  expect(page.retryBlocked(back!)).toBeUndefined()
  // It is no question to leave that page.
  before.endJob(job, {})
  await later()
  const left = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(left)
  expect(left.defaultPrevented).toBe(false)
})

test('what a lost one had replaced by then can be put back', async () => {
  const before = await loadPage()
  await before.keepJobs('ada')
  const job = begin(before)
  before.recordOutcomes(job, ['a'], [], [{ ids: ['a'], values: { locked: false } }])
  window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

  const page = await loadPage()
  await page.keepJobs('ada')
  const [back] = page.jobs.list
  expect(back).toMatchObject({ state: 'lost' })
  expect(page.undoable(back!)).toBe(true)
  expect(back!.detail.before).toEqual([{ ids: ['a'], values: { locked: false } }])
  before.endJob(job, {})
})

test('what another page has still running is not lost', async () => {
  const before = await loadPage()
  await before.keepJobs('ada')
  const job = begin(before)
  await later()
  const { page: open } = stored.get(`job:${job.id}`) as { page: string }
  const locks = { request: () => Promise.resolve(), query: () => Promise.resolve({ held: [{ name: lockOf(open) }] }) }
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { locks }))
  const page = await loadPage()
  await page.keepJobs('ada')
  expect(page.jobs.list).toEqual([])
  expect(stored.size).toBe(1)
  vi.unstubAllGlobals()
  before.endJob(job, {})
})

test('those of somebody else are neither shown nor left', async () => {
  const before = await loadPage()
  await before.keepJobs('ada')
  before.endJob(begin(before), {})
  await later()
  expect(stored.size).toBe(1)
  const page = await loadPage()
  await page.keepJobs('bob')
  expect(page.jobs.list).toEqual([])
  expect(stored.size).toBe(0)
})

test('one that is forgotten is gone for good, and all are when the session’s work is', async () => {
  const page = await loadPage()
  await page.keepJobs('ada')
  const [one, other] = [begin(page), begin(page)]
  page.endJob(one, {})
  page.endJob(other, {})
  await later()
  expect(stored.size).toBe(2)
  page.forget(one)
  await later()
  expect([...stored.keys()]).toEqual([`job:${other.id}`])
  const runs = begin(page)
  page.forgetJobs()
  await later()
  expect(stored.size).toBe(0)
  expect(page.jobs.list).toEqual([])
  // What ran stops.
  expect(runs.detail.cancel.signal.aborted).toBe(true)
})

test('a secret is never kept, and what was given with one is not retried', async () => {
  const before = await loadPage()
  await before.keepJobs('ada')
  const secret = before.commandOf('vendors.changePassword')
  const job = begin(before, { command: secret.id, title: secret.title, entity: 'vendors', input: { password: 'hush' } })
  before.endJob(job, { error: 'Refused' })
  await later()
  expect(JSON.stringify([...stored.values()])).not.toContain('hush')
  const page = await loadPage()
  await page.keepJobs('ada')
  expect(page.retryBlocked(page.jobs.list[0]!)).toMatch(/Run the command again/)
})

test('those of somebody else are forgotten, also where no logout was seen', async () => {
  const page = await loadPage()
  await page.keepJobs('ada')
  const job = begin(page)
  await page.keepJobs('bob')
  expect(page.jobs.list).toEqual([])
  expect(job.detail.cancel.signal.aborted).toBe(true)
})

test('what is left to be put back is kept, and what was undone can be redone', async () => {
  const before = await loadPage()
  await before.keepJobs('ada')
  const ended = { outcome: { done: ['a', 'b'], failed: [] }, before: [{ ids: ['a', 'b'], values: { locked: false } }] }
  const lock = begin(before, { skipped: [] })
  before.endJob(lock, ended)
  await later()
  await before.undoJob(lock, {
    runCommand: (command: Command, input: unknown) => {
      before.endJob(
        begin(before, { command: command.id, input, inverse: values => ({ id: 'device.lock', input: values }) }),
        ended,
      )
      return Promise.resolve({ is: 'done', outcome: { done: ['a'], failed: [] } })
    },
  } as unknown as Services)
  await later()

  const page = await loadPage()
  await page.keepJobs('ada')
  const back = (command: string) => page.jobs.list.find(job => job.command === command)!
  expect(back('device.lock')).toMatchObject({ undone: false })
  expect(back('device.lock').detail.before).toEqual([{ ids: ['b'], values: { locked: false } }])
  expect(page.undoable(back('run.undo'))).toBe(true)
})

test('what another tab has undone is undone in all, and what it has left can be undone in any', async () => {
  const one = await loadPage()
  await one.keepJobs('ada')
  const ended = { outcome: { done: ['a', 'b'], failed: [] }, before: [{ ids: ['a', 'b'], values: { locked: false } }] }
  const job = begin(one, { skipped: [] })
  one.endJob(job, ended)
  await later()
  const other = await loadPage()
  await other.keepJobs('ada')
  const there = () => other.jobs.list.find(({ id }) => id === job.id)!
  expect(other.undoable(there())).toBe(true)

  const undo = (done: readonly string[]) =>
    one.undoJob(job, {
      runCommand: () => Promise.resolve({ is: 'done', outcome: { done, failed: [] } }),
    } as unknown as Services)
  await undo(['a'])
  await later()
  expect(there().detail.before).toEqual([{ ids: ['b'], values: { locked: false } }])
  expect(other.undoable(there())).toBe(true)
  await undo(['b'])
  await later()
  expect(there().undone).toBe(true)
  expect(other.undoable(there())).toBe(false)
  expect(stored.get(`job:${job.id}`)).toMatchObject({ undone: true, before: [] })
})

test('one of another tab is not read whenever that writes it', async () => {
  const page = await loadPage()
  await page.keepJobs('ada')
  for (const written of told) written('job:of another tab')
  expect(reads).toEqual([])
})
