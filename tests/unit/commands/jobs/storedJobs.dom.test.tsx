/** Jobs that earlier versions of the console have stored in the browser. */
import { beforeEach, expect, test, vi } from 'vitest'
import '../../../../src/commands/initialCommands.ts'
import { loadStoredJobs } from '../../../../src/commands/jobs/storedJobs.ts'
import { loadAllCommands } from '../../../../src/commands/core/registry.ts'
import { jobs } from '../../../../src/commands/core/runs/jobs.ts'
import { undoable } from '../../../../src/commands/jobs/undoJob.ts'
import { msPerDay } from '../../../../src/domain/time.ts'
import { releaseStorage, stored } from '../../support/storage.ts'

vi.hoisted(() => vi.resetModules())
vi.mock('idb-keyval', () => import('../../support/storage.ts'))

const now = Date.parse('2026-11-25T12:00:00Z')
const device = (id: string) => ({ id, name: id, vendor: 'v', company: 'C', status: 0, platform: 'esp32' })
function keep(id: string, more: Readonly<Record<string, unknown>> = {}) {
  stored.set(`job:${id}`, {
    owner: 'ada',
    page: 'p',
    id,
    title: 'Lock',
    command: 'device.lock',
    entity: 'devices',
    startedAt: now - msPerDay,
    endedAt: now - msPerDay + 1000,
    state: 'done',
    undone: false,
    targets: [device('a'), device('b')],
    skipped: ['b'],
    ended: [
      ['a', undefined],
      ['b', 'Device is offline'],
    ],
    before: [{ ids: ['a'], values: { locked: false } }],
    ...more,
  })
}

beforeEach(async () => {
  await releaseStorage()
  stored.clear()
  jobs.list = []
  await loadAllCommands()
})

test('are shown newest first, and can be undone', async () => {
  keep('older', { startedAt: now - 2 * msPerDay })
  keep('newer')
  await loadStoredJobs('ada', now)
  expect(jobs.list.map(({ id }) => id)).toEqual(['newer', 'older'])
  expect(jobs.list[0]).toMatchObject({ total: 2, done: 1, failed: 1 })
  expect(undoable(jobs.list[0]!)).toBe(true)
})

test('are deleted once they are 30 days old, as are those of other accounts and unreadable ones', async () => {
  keep('old', { startedAt: now - 30 * msPerDay })
  keep('other', { owner: 'bob' })
  stored.set('job:broken', { id: 1 })
  stored.set('saved:ada', [])
  await loadStoredJobs('ada', now)
  await releaseStorage()
  expect(jobs.list).toEqual([])
  expect([...stored.keys()]).toEqual(['saved:ada'])
})

test('are deleted from the storage with their row', async () => {
  keep('one')
  keep('two')
  await loadStoredJobs('ada', now)
  jobs.list = jobs.list.filter(({ id }) => id !== 'one')
  await vi.waitFor(() => expect([...stored.keys()]).toEqual(['job:two']))
})

test('a job that was running when its page was closed is lost', async () => {
  keep('one', { state: 'running', ended: [['a', undefined]] })
  await loadStoredJobs('ada', now)
  expect(jobs.list[0]).toMatchObject({ state: 'lost', done: 1, failed: 0, total: 2 })
})
