/** Continuous searches: devices that come to match get the command once, while the job runs. */
import { eq, ne } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { msPerDay, msPerHour, msPerMinute } from '../../../../src/domain/time.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { jobs as jobRows } from '../../../../server/db/schema/jobs.ts'
import { until } from '../../../support/until.ts'
import { counted, startJobs } from './support.ts'

const { db, bus, bssids, link, clock, vendor, openRunner, setStatus, describe, advance, ...jobs } = await startJobs()
const { as, act, create, job, reaches, task, tasks, sentTo } = jobs

// Nobody else has such devices.
await db.update(devices).set({ description: 'old' })
afterEach(async () => {
  link.sent.length = 0
  await db.update(devices).set({ description: 'old' })
  await setStatus(0, ...bssids)
})

const later = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds).toISOString()
const search = { column: 'description', operator: 'eq', search: 'new' }
const open = (more: object = {}) => ({ command: 'flush', search, continuous: true, until: later(msPerHour), ...more })

test('a device that comes to match gets the command once, and the job ends at its time', async () => {
  const [first, second, third] = bssids
  await describe('new', first!)
  const id = await create(open())
  await until(async () => expect(counted(await job(id))).toEqual({ done: 1 }))
  expect(await job(id)).toMatchObject({ state: 'running', total: 1, until: expect.any(String) as string })
  await describe('new', second!)
  advance(msPerMinute)
  await until(async () => expect(counted(await job(id))).toEqual({ done: 2 }))
  // It matches no longer, and then again.
  await describe('old', first!)
  advance(msPerMinute)
  await describe('new', first!)
  advance(msPerMinute)
  await describe('new', third!)
  advance(msPerMinute)
  await until(async () => expect(counted(await job(id))).toEqual({ done: 3 }))
  advance(msPerHour)
  expect(await reaches(id, 'ended')).toMatchObject({ total: 3, done: 3 })
  await describe('new', bssids[3]!)
  advance(msPerHour)
  expect(new Set(link.sent.map(({ bssid }) => bssid))).toEqual(new Set([first, second, third]))
  expect(link.sent).toHaveLength(3)
})

test('a job may begin without any device', async () => {
  const id = await create(open())
  expect(await job(id)).toMatchObject({ state: 'running', total: 0, waves: 1 })
  await describe('new', bssids[0]!)
  advance(msPerMinute)
  await until(async () => expect(counted(await job(id))).toEqual({ done: 1 }))
  expect((await act(id, 'cancel')).statusCode).toBe(200)
  expect(await reaches(id, 'ended')).toMatchObject({ total: 1, done: 1 })
  await describe('new', bssids[1]!)
  advance(msPerMinute)
  advance(msPerMinute)
  expect(sentTo(bssids[1]!)).toEqual([])
})

test('a job of a vendor never takes a device of another', async () => {
  const [foreign] = await db.select().from(devices).where(ne(devices.vendor_id, vendor)).limit(1)
  const id = await create(open())
  await describe('new', bssids[0]!, foreign!.bssid)
  advance(msPerMinute)
  await until(async () => expect(counted(await job(id))).toEqual({ done: 1 }))
  expect((await tasks(id)).map(({ bssid }) => bssid)).toEqual([bssids[0]])
  await db.update(devices).set({ vendor_id: foreign!.vendor_id }).where(eq(devices.bssid, bssids[1]!))
  await describe('new', bssids[1]!)
  advance(msPerMinute)
  await describe('new', bssids[2]!)
  advance(msPerMinute)
  await until(async () => expect(counted(await job(id))).toEqual({ done: 2 }))
  expect(sentTo(bssids[1]!)).toEqual([])
  await db.update(devices).set({ vendor_id: vendor }).where(eq(devices.bssid, bssids[1]!))
  await act(id, 'cancel')
})

test('a paused job takes no device until it is resumed', async () => {
  const id = await create(open())
  await act(id, 'pause')
  await describe('new', bssids[0]!)
  advance(2 * msPerMinute)
  const other = await create({ command: 'reboot', ids: [bssids[1]!] })
  await reaches(other, 'ended')
  expect(await job(id)).toMatchObject({ state: 'paused', total: 0 })
  await act(id, 'resume')
  await until(async () => expect(counted(await job(id))).toEqual({ done: 1 }))
  await act(id, 'cancel')
})

test('new devices belong to the last wave, and keep the rate', async () => {
  await describe('new', ...bssids.slice(0, 2))
  const id = await create(open({ policy: { waves: [{ size: 1, wait: 5 }], rate: 2 } }))
  await until(async () => expect(counted(await job(id))).toEqual({ done: 1, queued: 1 }))
  await describe('new', ...bssids.slice(2, 4))
  advance(msPerMinute)
  await until(async () => expect(counted(await job(id))).toEqual({ done: 1, queued: 3 }))
  for (const bssid of bssids.slice(2, 4)) expect(await task(id, bssid)).toMatchObject({ wave: 1, due_at: null })
  advance(4 * msPerMinute)
  for (const done of [2, 3, 4]) {
    await until(async () => expect((await job(id)).done).toBe(done))
    advance(30_000)
  }
  await act(id, 'cancel')
})

test('two servers take each device once', async () => {
  const other = openRunner()
  try {
    const id = await create(open())
    await describe('new', ...bssids)
    advance(msPerMinute)
    await until(async () => expect(counted(await job(id))).toEqual({ done: bssids.length }))
    expect((await job(id)).total).toBe(bssids.length)
    for (const bssid of bssids) expect(sentTo(bssid)).toHaveLength(1)
    await act(id, 'cancel')
  } finally {
    await other.close()
  }
})

test('a task that waits for its device keeps the job running after the end of the search', async () => {
  await setStatus(3, bssids[0]!)
  await describe('new', bssids[0]!)
  const id = await create(open({ policy: { offline: 24 } }))
  await until(async () => expect(counted(await job(id))).toEqual({ waiting: 1 }))
  advance(2 * msPerHour)
  await describe('new', bssids[1]!)
  await setStatus(0, bssids[0]!)
  expect(counted(await reaches(id, 'ended'))).toEqual({ done: 1 })
})

test('a search that is not valid any more ends its job, and no other', async () => {
  const id = await create(open())
  const other = await create(open())
  // As if a version without the column had been installed.
  const target = { search: { column: 'gone', operator: 'eq' as const, search: 'new' } }
  await db.update(jobRows).set({ target }).where(eq(jobRows.id, id))
  await describe('new', bssids[0]!)
  advance(msPerMinute)
  expect(await reaches(id, 'ended')).toMatchObject({
    reason: expect.stringMatching(/^Column must be one of/) as string,
  })
  await until(async () => expect(counted(await job(other))).toEqual({ done: 1 }))
  await act(other, 'cancel')
})

test('an account has twenty continuous jobs at most', async () => {
  const ids: string[] = []
  for (let n = 0; n < 20; n++) ids.push(await create(open()))
  const answer = await as('vendor', 'POST', 'jobs', open())
  expect([answer.statusCode, answer.json()]).toEqual([
    409,
    { message: '20 continuous jobs of this account have not ended. Cancel some' },
  ])
  for (const id of ids) await act(id, 'cancel')
})

test.each([
  [{ until: undefined }, 'continuous and until must be given together'],
  [{ continuous: undefined }, 'continuous and until must be given together'],
  [{ continuous: false }, 'continuous and until must be given together'],
  [{ continuous: 'yes' }, 'Continuous must be a boolean'],
  [{ search: undefined, ids: bssids }, 'Only a search can be continuous'],
  [{ until: 'tomorrow' }, /Until must be an ISO 8601 time/],
  [{ until: '2020-01-01T00:00:00Z' }, 'Until must be after the start of the job'],
  [{ policy: { start: later(100 * msPerDay) } }, 'Until must be after the start of the job'],
  [{ until: later(401 * msPerDay) }, 'Until must be within 400 days'],
  [{ search: { column: 'secret', search: 'x' } }, /Column must be one of/],
])('bad input creates nothing: %j', async (changes, message) => {
  const count = async () => (await as('vendor', 'GET', 'jobs')).json<{ data: { count: number } }>().data.count
  const before = await count()
  const answer = await as('vendor', 'POST', 'jobs', { ...open(), ...changes })
  expect(answer.statusCode, answer.body).toBe(400)
  expect([answer.json<{ message: string | string[] }>().message].flat().join('\n')).toMatch(message)
  expect(await count()).toBe(before)
})
