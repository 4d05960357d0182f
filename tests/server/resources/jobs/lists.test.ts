/** Lists of the tasks of a job: what they count. */
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { jobs as jobRows } from '../../../../server/db/schema/jobs.ts'
import type { Task } from '../../../../src/api/contract/jobs.ts'
import { startJobs } from './support.ts'

const { db, bssids, link, setStatus, as, create, reaches } = await startJobs()

const [refusing, offline, gone] = [bssids[0]!, bssids[1]!, '00:00:00:00:00:00']
link.refusals.set(refusing, 'In service mode')
await setStatus(3, offline)
const id = await create({ command: 'flush', ids: [...bssids.slice(0, 6), gone] })
await reaches(id, 'ended')

const page = async (query: string) => {
  const answer = await as('vendor', 'GET', `jobs/${id}/tasks?${query}`)
  return answer.json<{ data: { count: number; data: Task[] } }>().data
}

test.each([
  ['', 7],
  ['column=state&operator=eq&search=', 7],
  ['column=state&operator=eq&search=done', 4],
  ['column=state&operator=eq&search=Skipped', 2],
  ['column=state&operator=ne&search=done', 3],
  ['column=state&operator=eq&search=expired', 0],
  ['column=state&search=sk', 2],
  ['column=reason&operator=eq&search=device is offline', 1],
  [`search=${encodeURIComponent(offline)}`, 1],
  [`operator=eq&search=${offline.replaceAll(':', '').toLowerCase()}`, 1],
  [`operator=ew&search=${offline.replaceAll(':', '').slice(-5)}`, 1],
  ['column=wave&operator=eq&search=1', 7],
  ['column=wave&operator=gt&search=1', 0],
  ['column=wave&operator=sw&search=1', 7],
])('counts the tasks that a search finds: %s', async (query, count) => {
  for (const sort of ['', '&sort=reason', '&sort=reason&direction=desc', '&sort=wave']) {
    const found = await page(query + sort)
    expect([found.count, found.data.length], sort).toEqual([count, count])
  }
})

test('sorts by reason, tasks without one last', async () => {
  const reasons = (await page('sort=reason')).data.map(({ reason }) => reason)
  expect(reasons).toEqual(['Device is offline', 'Device not found', 'In service mode', null, null, null, null])
  const last = (await page('sort=reason&limit=2&offset=5')).data
  expect(last.map(({ state }) => state)).toEqual(['done', 'done'])
})

test('takes the counts of the job, so that a page of many tasks counts none of them', async () => {
  await db.update(jobRows).set({ total: 1007, done: 1004 }).where(eq(jobRows.id, id))
  expect((await page('limit=1')).count).toBe(1007)
  expect((await page('limit=1&column=state&operator=eq&search=done')).count).toBe(1004)
  expect((await page('limit=1&column=state&operator=ne&search=done')).count).toBe(3)
})

test('an unknown state is a bad request', async () => {
  const answer = await as('vendor', 'GET', `jobs/${id}/tasks?column=state&operator=eq&search=dancing`)
  expect(answer.statusCode).toBe(400)
})
