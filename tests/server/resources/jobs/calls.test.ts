/** Calls on many devices are recorded as jobs, which tell what became of each device. */
import { asc, eq } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import type { BulkResponse } from '../../../../src/api/contract/endpoint.ts'
import { jobCommands } from '../../../../src/api/contract/jobs.ts'
import { msPerMinute } from '../../../../src/domain/time.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { jobs as jobRows } from '../../../../server/db/schema/jobs.ts'
import { until } from '../../../support/until.ts'
import { counted, startJobs } from './support.ts'

const { db, bssids, link, vendor, setStatus, advance, ...jobs } = await startJobs()
const { as, act, job, reaches, task, tasks, sentTo } = jobs
const absent = '00:00:00:00:00:00'

afterEach(async () => {
  link.sent.length = 0
  link.refusals.clear()
  link.silent.clear()
  link.slow.clear()
  await setStatus(0, ...bssids)
})

const bulk = async (command: string, body: object, { login = 'vendor', query = '' } = {}) => {
  const { method, path } = jobCommands[command]!
  const answer = await as(login, method, path.replace('/api/v3/', '') + query, body)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ data: BulkResponse }>().data
}
const recorded = async () => (await db.select().from(jobRows).orderBy(asc(jobRows.id))).map(({ id }) => id)
const newest = async () => (await recorded()).at(-1)!

test('a vendor sees what an administrator’s call does to its device', async () => {
  await bulk('flush', { ids: bssids.slice(0, 2) }, { login: 'admin' })
  const answer = await as('vendor', 'GET', `devices/${bssids[0]!}/tasks`)
  expect(answer.json<{ data: object[] }>().data[0]).toMatchObject({ command: 'flush', kind: 'call', login: null })
})

test('a call is a job with what became of each device', async () => {
  const [done, refusing, silent, offline] = bssids
  link.refusals.set(refusing!, 'In service mode')
  link.silent.add(silent!)
  await setStatus(3, offline!)
  const ids = [done!, refusing!, silent!, offline!, absent, done!.toLowerCase()]
  const answer = await bulk('lock', { ids, locked: true })
  expect([answer.count, answer.total]).toEqual([1, 5])
  const recordedJob = await job(await newest())
  expect(recordedJob).toMatchObject({ kind: 'call', parent: null, state: 'ended', command: 'lock', total: 5 })
  expect(recordedJob.input).toEqual({ locked: true })
  expect(counted(recordedJob)).toEqual({ done: 1, refused: 1, unanswered: 1, skipped: 2 })
  const found = (await tasks(recordedJob._id)).map(({ bssid, state, reason, attempts }) => [
    bssid,
    [state, reason, attempts],
  ])
  expect(Object.fromEntries(found)).toEqual({
    [done!]: ['done', null, 1],
    [refusing!]: ['refused', 'In service mode', 1],
    [silent!]: ['unanswered', 'Device did not answer within 10 seconds', 1],
    [offline!]: ['skipped', 'Device is offline', 0],
    [absent]: ['skipped', 'Device not found', 0],
  })
})

test('a call can be undone like any job', async () => {
  const [locked, open] = bssids
  await db.update(devices).set({ locked: true }).where(eq(devices.bssid, locked!))
  await db.update(devices).set({ locked: false }).where(eq(devices.bssid, open!))
  await bulk('lock', { ids: [locked, open], locked: true })
  const undone = (await act(await newest(), 'undo')).json<{ data: { _id: string } }>().data._id
  expect(await reaches(undone, 'ended')).toMatchObject({ kind: 'undo', done: 2 })
  expect(sentTo(locked!).at(-1)).toEqual({ type: 'lock', locked: true })
  expect(sentTo(open!).at(-1)).toEqual({ type: 'lock', locked: false })
})

test('a call on one device is no job, nor a preview, nor one that finds no device', async () => {
  const before = await recorded()
  await bulk('flush', { ids: [bssids[0]] })
  await bulk('flush', { ids: [bssids[0], bssids[0]!.toLowerCase()] })
  await bulk('flush', { ids: [absent, 'nonsense'] })
  await bulk('flush', { ids: bssids }, { query: '?preview=true' })
  expect(await recorded()).toEqual(before)
})

test('a call is written down before anything is sent, cannot be changed on its way, and sends once', async () => {
  const [slow, other] = bssids
  const answered = Promise.withResolvers<void>()
  link.slow.set(slow!, answered.promise)
  const answer = bulk('reboot', { ids: [slow, other] })
  await until(() => expect(link.sent).toHaveLength(2))
  const id = await newest()
  expect(await job(id)).toMatchObject({ kind: 'call', state: 'running', counts: { queued: 2 } })
  for (const action of ['pause', 'cancel'])
    expect((await act(id, action)).json()).toMatchObject({ message: expect.stringMatching(/records a call/) as string })
  const cancelled = await as('vendor', 'POST', `jobs/${id}/tasks/${slow}/cancel`)
  expect(cancelled.json()).toEqual({ message: 'The task is part of a call and cannot be cancelled' })
  answered.resolve()
  expect((await answer).count).toBe(2)
  expect(counted(await job(id))).toEqual({ done: 2 })
  expect(link.sent).toHaveLength(2)
})

test('a call whose server was killed leaves unanswered tasks, which are never sent again', async () => {
  const [slow, offline] = bssids
  await setStatus(3, offline!)
  const never = Promise.withResolvers<void>()
  link.slow.set(slow!, never.promise)
  const answer = bulk('reboot', { ids: [slow, bssids[2], offline] })
  await until(() => expect(link.sent).toHaveLength(2))
  const id = await newest()
  advance(3 * msPerMinute)
  expect(counted(await reaches(id, 'ended'))).toEqual({ unanswered: 2, skipped: 1 })
  expect(await task(id, slow!)).toMatchObject({ reason: 'The server was stopped during the call' })
  // What the server still finds out, if it was only slow, changes nothing.
  never.resolve()
  await answer
  expect(counted(await job(id))).toEqual({ unanswered: 2, skipped: 1 })
  expect(link.sent).toHaveLength(2)
})

test('a vendor sees its own calls, and nothing of the devices of others in them', async () => {
  const [foreign] = (await db.select().from(devices)).filter(({ vendor_id }) => vendor_id !== vendor)
  await bulk('flush', { ids: [bssids[0], foreign!.bssid] })
  const id = await newest()
  expect(await task(id, foreign!.bssid)).toMatchObject({ state: 'skipped', reason: 'Device not found' })
  expect(sentTo(foreign!.bssid)).toEqual([])
  await bulk('flush', { ids: [bssids[0], foreign!.bssid] }, { login: 'admin' })
  expect((await as('vendor', 'GET', `jobs/${await newest()}`)).statusCode).toBe(404)
  expect((await as('vendor2', 'GET', `jobs/${id}`)).statusCode).toBe(404)
})
