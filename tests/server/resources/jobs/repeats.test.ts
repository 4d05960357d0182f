/** Jobs that are repeated, and jobs that begin at another time than they were created for. */
import { eq, ne } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import type { Job } from '../../../../src/api/contract/jobs.ts'
import { msPerDay, msPerHour } from '../../../../src/domain/time.ts'
import { accounts } from '../../../../server/db/schema/accounts.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { jobs as jobRows } from '../../../../server/db/schema/jobs.ts'
import { until } from '../../../support/until.ts'
import { counted, startJobs } from './support.ts'

const { db, bus, bssids, link, clock, vendor, openRunner, setStatus, describe, advance, ...jobs } = await startJobs()
const { as, act, create, job, reaches, row, tasks, sentTo } = jobs

await db.update(devices).set({ description: 'old' })
afterEach(async () => {
  const open = await db.select().from(jobRows).where(ne(jobRows.state, 'ended'))
  for (const { id } of open) await act(id, 'cancel', { login: 'admin' })
  for (const { id } of open) await reaches(id, 'ended', 'admin')
  link.sent.length = 0
  await db.update(devices).set({ description: 'old' })
  await setStatus(0, ...bssids)
})

const later = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds).toISOString()
const second = (iso: string) => `${iso.slice(0, 19)}.000Z`
const daily = (more: object = {}) => ({ rrule: 'FREQ=DAILY', from: later(msPerHour), time_zone: 'UTC', ...more })
const children = async (id: string) => db.select().from(jobRows).where(eq(jobRows.parent_id, id)).orderBy(jobRows.id)
const hasChildren = (id: string, count: number) =>
  until(async () => {
    const found = await children(id)
    expect(found.map(({ state }) => state)).toEqual(Array(count).fill('ended'))
    return found
  })

test('each time creates a job for the devices that match then', async () => {
  await describe('new', bssids[0]!)
  const search = { column: 'description', operator: 'eq', search: 'new' }
  const start = daily()
  const policy = { start, retries: 1 }
  const id = await create({ command: 'flush', search, policy })
  expect(await job(id)).toMatchObject({
    state: 'scheduled',
    kind: null,
    total: 0,
    start_at: second(start.from),
    policy,
  })
  expect(await tasks(id)).toEqual([])
  advance(msPerHour)
  const [first] = await hasChildren(id, 1)
  expect(await job(first!.id)).toMatchObject({ parent: id, kind: 'repeat', total: 1, done: 1, policy: { retries: 1 } })
  const next = new Date(Date.parse(second(start.from)) + msPerDay).toISOString()
  expect(await job(id)).toMatchObject({ state: 'scheduled', start_at: next, reason: null })
  await describe('new', bssids[1]!)
  await describe('old', bssids[0]!)
  advance(msPerDay)
  const [, again] = await hasChildren(id, 2)
  expect((await tasks(again!.id)).map(({ bssid }) => bssid)).toEqual([bssids[1]])
  // There is nothing to do at the third time.
  await describe('old', bssids[1]!)
  advance(msPerDay)
  await until(async () => expect((await job(id)).reason).toBe('No device matches the search'))
  expect(await children(id)).toHaveLength(2)
  expect((await act(id, 'cancel')).statusCode).toBe(200)
  await reaches(id, 'ended')
  advance(2 * msPerDay)
  expect(await children(id)).toHaveLength(2)
})

test('ids stay the same, and what was missed is made up for once', async () => {
  const ids = [bssids[0]!, bssids[1]!, '00:00:00:00:00:00']
  const id = await create({ command: 'reboot', ids, policy: { start: daily() } })
  expect((await job(id)).total).toBe(0)
  advance(10 * msPerDay)
  const [made] = await hasChildren(id, 1)
  expect(counted(await job(made!.id))).toEqual({ done: 2, skipped: 1 })
  const { start_at } = await job(id)
  expect(Date.parse(start_at)).toBeGreaterThan(clock.now().getTime())
  expect(sentTo(bssids[0]!)).toHaveLength(1)
  advance(msPerDay)
  await hasChildren(id, 2)
})

test('two servers create one job at a time', async () => {
  const other = openRunner()
  try {
    const id = await create({ command: 'flush', ids: [bssids[0]!], policy: { start: daily() } })
    for (let day = 1; day <= 5; day++) {
      advance(msPerDay)
      await hasChildren(id, day)
    }
    expect(sentTo(bssids[0]!)).toHaveLength(5)
  } finally {
    await other.close()
  }
})

test('a rule with an end ends its job', async () => {
  const id = await create({
    command: 'flush',
    ids: [bssids[0]!],
    policy: { start: daily({ rrule: 'FREQ=DAILY;COUNT=2' }) },
  })
  advance(msPerHour)
  await hasChildren(id, 1)
  expect((await job(id)).state).toBe('scheduled')
  advance(msPerDay)
  await hasChildren(id, 2)
  await reaches(id, 'ended')
})

test('a paused job goes on at its next time', async () => {
  const id = await create({ command: 'flush', ids: [bssids[0]!], policy: { start: daily() } })
  expect((await act(id, 'pause')).statusCode).toBe(200)
  advance(3 * msPerDay)
  const other = await create({ command: 'reboot', ids: [bssids[1]!] })
  await reaches(other, 'ended')
  expect(await job(id)).toMatchObject({ state: 'paused' })
  expect((await act(id, 'resume')).statusCode).toBe(200)
  const resumed = await job(id)
  expect(resumed.state).toBe('scheduled')
  expect(Date.parse(resumed.start_at)).toBeGreaterThan(clock.now().getTime())
  expect(await children(id)).toEqual([])
  advance(msPerDay)
  await hasChildren(id, 1)
})

test('a job of a vendor reaches no device of another, and ends when the account is blocked', async () => {
  const id = await create({ command: 'flush', ids: bssids.slice(0, 2), policy: { start: daily() } })
  const [other] = await db.select().from(accounts).where(eq(accounts.login, 'vendor2'))
  await db.update(devices).set({ vendor_id: other!.id }).where(eq(devices.bssid, bssids[0]!))
  advance(msPerHour)
  const [created] = await hasChildren(id, 1)
  expect(counted(await job(created!.id))).toEqual({ done: 1, skipped: 1 })
  expect(sentTo(bssids[0]!)).toEqual([])
  await db.update(devices).set({ vendor_id: vendor }).where(eq(devices.bssid, bssids[0]!))
  await db.update(accounts).set({ blocked: true }).where(eq(accounts.id, vendor))
  advance(msPerDay)
  await until(async () => expect((await row(id)).state).toBe('ended'))
  await db.update(accounts).set({ blocked: false }).where(eq(accounts.id, vendor))
  expect(await job(id)).toMatchObject({ reason: 'The account was blocked or deleted' })
  expect(await children(id)).toHaveLength(1)
})

const reschedule = (id: string, start: unknown, login = 'vendor') => act(id, 'reschedule', { login, body: { start } })

test('a scheduled job begins at another time', async () => {
  const id = await create({ command: 'flush', ids: [bssids[0]!], policy: { start: later(msPerDay) } })
  const start = later(2 * msPerDay)
  expect((await reschedule(id, start)).statusCode).toBe(200)
  expect(await job(id)).toMatchObject({ state: 'scheduled', start_at: start, policy: { start } })
  advance(msPerDay)
  expect((await job(id)).state).toBe('scheduled')
  expect((await reschedule(id, later(-msPerHour))).statusCode).toBe(200)
  expect(counted(await reaches(id, 'ended'))).toEqual({ done: 1 })
  const answer = await reschedule(id, start)
  expect([answer.statusCode, answer.json()]).toEqual([409, { message: 'The job is ended and cannot be rescheduled' }])
})

test('a job that is repeated gets another rule', async () => {
  const id = await create({ command: 'flush', ids: [bssids[0]!], policy: { start: daily() } })
  const start = daily({ rrule: 'FREQ=WEEKLY', from: later(3 * msPerDay) })
  expect((await reschedule(id, start)).statusCode).toBe(200)
  expect(await job(id)).toMatchObject({ start_at: second(start.from), policy: { start } })
  advance(2 * msPerDay)
  expect(await children(id)).toEqual([])
  advance(msPerDay)
  await hasChildren(id, 1)
})

test('rescheduling refuses what cannot be, and changes nothing', async () => {
  const [repeated, once, running, open] = [
    await create({ command: 'flush', ids: [bssids[0]!], policy: { start: daily() } }),
    await create({ command: 'flush', ids: [bssids[0]!], policy: { start: later(msPerDay) } }),
    await create({ command: 'flush', ids: bssids.slice(0, 2), policy: { rate: 1 } }),
    await create({
      command: 'flush',
      search: {},
      continuous: true,
      until: later(2 * msPerDay),
      policy: { start: later(msPerDay) },
    }),
  ]
  await reaches(running, 'running')
  const state = async () => Promise.all([repeated, once, open].map(async id => (await row(id)).policy))
  const before = await state()
  const mixed = 'A repeating job needs a rule; any other job needs a time'
  for (const [id, start, status, message] of [
    [repeated, later(msPerDay), 400, mixed],
    [once, daily(), 400, mixed],
    [
      repeated,
      daily({ rrule: 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30' }),
      400,
      'Policy start rrule has no occurrence in the next years',
    ],
    [repeated, daily({ rrule: 'FREQ=SECONDLY' }), 400, 'Start rrule must not repeat more often than hourly'],
    [once, 'tomorrow', 400, 'Start must be an ISO 8601 time, such as 2026-01-31T12:00:00Z'],
    [open, later(3 * msPerDay), 400, 'Start must be before the job takes no more devices'],
    [running, later(msPerDay), 409, 'The job is running and cannot be rescheduled'],
  ] as const) {
    const answer = await reschedule(id, start)
    expect([answer.statusCode, answer.json()]).toEqual([status, { message }])
  }
  expect((await reschedule(once, later(msPerDay), 'vendor2')).statusCode).toBe(404)
  expect(await state()).toEqual(before)
})

test.each([
  [{ rrule: 'FREQ=SECONDLY' }, 'Policy start rrule must not repeat more often than hourly'],
  [{ rrule: 'FREQ=HOURLY;BYMINUTE=0,15,30,45' }, 'Policy start rrule must not repeat more often than hourly'],
  [{ rrule: 'each day' }, 'Policy start rrule must be a rule of RFC 5545, such as FREQ=WEEKLY;BYDAY=SU;BYHOUR=3'],
  [{ rrule: 'FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30' }, 'Policy start rrule has no occurrence in the next years'],
  [{ rrule: 'FREQ=DAILY;UNTIL=20200101T000000Z' }, 'Policy start rrule has no future occurrence'],
  [
    { rrule: `FREQ=DAILY;BYHOUR=${Array(300).fill('1').join(',')}` },
    'Policy start rrule must be at most 500 characters',
  ],
  [{ from: '2020-01-01T00:00:00Z' }, 'Policy start from must be within the last 400 days, or later'],
  [{ from: 'now' }, /Policy start from must be an ISO 8601 time/],
  [{ time_zone: 'Mars/Olympus' }, 'Policy start time zone must be an IANA time zone, such as Europe/Berlin'],
  [{ time_zone: undefined }, 'Policy start must be a time, or have rrule, from and time_zone'],
  [{ exdate: '2026-01-01' }, 'Unknown field: exdate'],
])('bad input creates nothing: %#', async (changes, message) => {
  const count = async () => (await as('vendor', 'GET', 'jobs')).json<{ data: { count: number } }>().data.count
  const before = await count()
  const body = { command: 'flush', ids: [bssids[0]], policy: { start: daily(changes) } }
  for (const query of ['', '?preview=true']) {
    const answer = await as('vendor', 'POST', `jobs${query}`, body)
    expect(answer.statusCode, answer.body).toBe(400)
    expect([answer.json<{ message: string | string[] }>().message].flat().join('\n')).toMatch(message)
  }
  expect(await count()).toBe(before)
})

test('a job cannot be both repeated and continuous, and needs a device', async () => {
  const policy = { start: daily() }
  for (const [body, message] of [
    [{ search: {}, continuous: true, until: later(msPerDay) }, 'A repeating job cannot be continuous'],
    [{ ids: ['x'] }, 'None of the devices exists'],
  ] as const) {
    const answer = await as('vendor', 'POST', 'jobs', { command: 'flush', policy, ...body })
    expect([answer.statusCode, answer.json()]).toEqual([400, { message }])
  }
})

test('a preview has the waves from the first time on', async () => {
  const policy = { start: daily() }
  const answer = await as('vendor', 'POST', 'jobs?preview=true', { command: 'flush', ids: bssids, policy })
  expect(answer.json<{ data: { waves: Job[] } }>().data.waves).toEqual([{ size: 30, at: second(policy.start.from) }])
})
