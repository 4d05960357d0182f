/** Jobs: each device ends in exactly one state, and the counts add up. */
import { and, eq, gt } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import type { JobPreview } from '../../../../src/api/contract/jobs.ts'
import { msPerHour, msPerMinute } from '../../../../src/domain/time.ts'
import { accounts } from '../../../../server/db/schema/accounts.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { firmwareVersions } from '../../../../server/db/schema/models.ts'
import { jobs as jobRows, jobTasks } from '../../../../server/db/schema/jobs.ts'
import { until } from '../../../support/until.ts'
import { counted, startJobs } from './support.ts'

const { db, bus, bssids, link, vendor, setStatus, advance, ...jobs } = await startJobs()
const { as, create, job, act, disk, reaches, task, tasks, sentTo, row } = jobs

afterEach(async () => {
  link.sent.length = 0
  link.ids.length = 0
  link.refusals.clear()
  link.silent.clear()
  link.slow.clear()
  await setStatus(0, ...bssids)
})

test('each device ends in one state, with its reason, and the counts add up', async () => {
  const [done, refusing, silent, offline] = bssids
  link.refusals.set(refusing!, 'In service mode')
  link.silent.add(silent!)
  await setStatus(3, offline!)
  const ids = [done!, refusing!, silent!, offline!, '00:00:00:00:00:00', done!.toLowerCase()]
  const id = await create({ command: 'lock', input: { locked: true }, ids })
  const ended = await reaches(id, 'ended')
  expect(counted(ended)).toEqual({ done: 1, refused: 1, unanswered: 1, skipped: 2 })
  expect(ended.total).toBe(5)
  const reasons = (await tasks(id)).map(({ bssid, state, reason }) => [bssid, state, reason])
  expect(Object.fromEntries(reasons.map(([bssid, ...rest]) => [bssid, rest]))).toEqual({
    [done!]: ['done', null],
    [refusing!]: ['refused', 'In service mode'],
    [silent!]: ['unanswered', 'Device did not answer within 10 seconds'],
    [offline!]: ['skipped', 'Device is offline'],
    '00:00:00:00:00:00': ['skipped', 'Device not found'],
  })
  const [stored] = await db.select().from(devices).where(eq(devices.bssid, done!))
  expect(stored!.locked).toBe(true)
})

test('a search is frozen to the devices of its caller', async () => {
  const id = await create({ command: 'reboot', search: { column: 'bssid', operator: 'ne', search: bssids[0] } })
  await reaches(id, 'ended')
  const own = await db.select({ bssid: devices.bssid }).from(devices).where(eq(devices.vendor_id, vendor))
  const expected = own.map(({ bssid }) => bssid).filter(bssid => bssid !== bssids[0])
  expect((await tasks(id)).map(({ bssid }) => bssid).toSorted()).toEqual(expected.toSorted())
})

test('an offline device gets its command when it is back, and not after its time', async () => {
  const [back, late] = bssids
  await setStatus(3, back!, late!)
  const id = await create({ command: 'flush', ids: [back!, late!], policy: { offline: 1 } })
  await until(async () => expect(counted(await job(id))).toEqual({ waiting: 2 }))
  await setStatus(0, back!)
  await until(async () => expect(counted(await job(id))).toEqual({ waiting: 1, done: 1 }))
  advance(msPerHour)
  await reaches(id, 'ended')
  expect(await task(id, late!)).toMatchObject({ state: 'expired', reason: 'The device did not come back in time' })
  await setStatus(0, late!)
  expect(sentTo(late!)).toEqual([])
})

test('a wave begins once the one before has ended and its pause has passed', async () => {
  const policy = { waves: [{ size: '10%', wait: 30 }, { size: 5 }] }
  const id = await create({ command: 'flush', ids: bssids, policy })
  await until(async () => expect((await job(id)).next_wave_at).not.toBeNull())
  expect(await job(id)).toMatchObject({ waves: 3, begun: 1, counts: { done: 3, queued: 27 } })
  advance(30 * msPerMinute)
  await reaches(id, 'ended')
  const sizes = Map.groupBy(await tasks(id), ({ wave }) => wave)
  expect([...sizes].toSorted(([a], [b]) => a - b).map(([wave, of]) => [wave, of.length])).toEqual([
    [0, 3],
    [1, 5],
    [2, 22],
  ])
})

test('waves have the devices that the command reaches: those that are skipped come beside the first', async () => {
  const offline = bssids.slice(0, 12)
  await setStatus(3, ...offline)
  const policy = { waves: [{ size: 3, wait: 60 }, { size: '50%' }] }
  const body = { command: 'flush', ids: [...bssids, '00:00:00:00:00:00'], policy }
  const preview = await as('vendor', 'POST', 'jobs?preview=true', body)
  expect(preview.json<{ data: JobPreview }>().data.waves.map(({ size }) => size)).toEqual([3, 9, 6])
  const id = await create(body)
  await until(async () => expect((await job(id)).next_wave_at).not.toBeNull())
  expect(counted(await job(id))).toEqual({ done: 3, skipped: 13, queued: 15 })
  const reached = (await tasks(id)).filter(({ state }) => state !== 'skipped')
  const sizes = Map.groupBy(reached, ({ wave }) => wave)
  expect([0, 1, 2].map(wave => sizes.get(wave)?.length)).toEqual([3, 9, 6])
  await act(id, 'cancel')
  await reaches(id, 'ended')
})

test('a job stops by its rule within the wave, and goes on when it is resumed', async () => {
  for (const bssid of bssids) link.refusals.set(bssid, 'Bad checksum')
  const policy = { waves: [{ size: 6 }], stop: { failed: '20%', after: 5 } }
  const id = await create({ command: 'flush', ids: bssids, policy })
  const paused = await reaches(id, 'paused')
  expect(paused).toMatchObject({ reason: 'More than 20% of the devices of wave 1 failed', begun: 1 })
  expect(paused.counts).toMatchObject({ refused: 6, queued: 24 })
  link.refusals.clear()
  expect((await act(id, 'resume')).statusCode).toBe(200)
  expect(counted(await reaches(id, 'ended'))).toEqual({ refused: 6, done: 24 })
})

test('a rate spreads the tasks over time', async () => {
  const id = await create({ command: 'flush', ids: bssids.slice(0, 4), policy: { rate: 2 } })
  await until(async () => expect(counted(await job(id))).toEqual({ done: 1, queued: 3 }))
  for (const done of [2, 3, 4]) {
    advance(30_000)
    await until(async () => expect((await job(id)).done).toBe(done))
  }
})

test('a job starts later', async () => {
  const start = new Date(jobs.clock.now().getTime() + msPerHour).toISOString()
  const id = await create({ command: 'flush', ids: [bssids[0]!], policy: { start } })
  expect(await job(id)).toMatchObject({ state: 'scheduled', start_at: start })
  advance(msPerHour)
  await reaches(id, 'ended')
  expect(sentTo(bssids[0]!)).toHaveLength(1)
})

test('a task begins only in the window of its device’s own time zone', async () => {
  const [berlin, tokyo] = bssids
  await db.update(devices).set({ time_zone: 'Europe/Berlin' }).where(eq(devices.bssid, berlin!))
  await db.update(devices).set({ time_zone: 'Asia/Tokyo' }).where(eq(devices.bssid, tokyo!))
  const hourIn = (timeZone: string) =>
    Number(new Intl.DateTimeFormat('en-GB', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(jobs.clock.now()))
  const two = (hour: number) => `${String(hour % 24).padStart(2, '0')}:00`
  const hour = hourIn('Europe/Berlin')
  const window = { days: [1, 2, 3, 4, 5, 6, 7], from: two(hour), to: two(hour + 2) }
  const id = await create({ command: 'flush', ids: [berlin!, tokyo!], policy: { window } })
  await until(async () =>
    expect(await task(id, tokyo!)).toMatchObject({ attempts: 0, state: 'queued', due_at: expect.any(Date) }),
  )
  await until(async () => expect(await task(id, berlin!)).toMatchObject({ state: 'done' }))
  const { due_at } = await task(id, tokyo!)
  expect(new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Tokyo', timeStyle: 'short' }).format(due_at!)).toBe(
    two(hour),
  )
  advance(due_at!.getTime() - jobs.clock.now().getTime() + 1)
  await reaches(id, 'ended')
  expect(sentTo(tokyo!)).toHaveLength(1)
})

test('a preview says when the window lets the first device of a wave begin', async () => {
  const [device] = bssids
  await db.update(devices).set({ time_zone: 'Asia/Tokyo' }).where(eq(devices.bssid, device!))
  const now = jobs.clock.now().getTime()
  const at = (offset: number) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Tokyo', timeStyle: 'short' }).format(now + offset * msPerHour)
  const window = { days: [1, 2, 3, 4, 5, 6, 7], from: at(5), to: at(6) }
  const body = { command: 'flush', ids: [device!], policy: { window } }
  const answer = await as('vendor', 'POST', 'jobs?preview=true', body)
  const [wave] = answer.json<{ data: JobPreview }>().data.waves
  expect(Math.floor(Date.parse(wave!.at) / msPerMinute)).toBe(Math.floor((now + 5 * msPerHour) / msPerMinute))
})

test('an unanswered task is sent again under the same id', async () => {
  const [silent] = bssids
  link.silent.add(silent!)
  const id = await create({ command: 'reboot', ids: [silent!], policy: { retries: 2 } })
  await until(async () => expect(await task(id, silent!)).toMatchObject({ attempts: 1, state: 'queued' }))
  advance(msPerMinute)
  await until(async () => expect(await task(id, silent!)).toMatchObject({ attempts: 2, state: 'queued' }))
  link.silent.clear()
  advance(2 * msPerMinute)
  expect(counted(await reaches(id, 'ended'))).toEqual({ done: 1 })
  expect(link.ids).toHaveLength(3)
  expect(new Set(link.ids).size).toBe(1)
})

test('a device does one task at a time, in the order of their jobs', async () => {
  const [device] = bssids
  const answered = Promise.withResolvers<void>()
  link.slow.set(device!, answered.promise)
  const first = await create({ command: 'flush', ids: [device!] })
  await until(() => expect(sentTo(device!)).toHaveLength(1))
  const second = await create({ command: 'reboot', ids: [device!] })
  const third = await create({ command: 'lock', input: { locked: false }, ids: [device!] })
  bus.publish({ kind: 'resources', names: ['jobs'] })
  expect(sentTo(device!)).toHaveLength(1)
  answered.resolve()
  for (const id of [first, second, third]) await reaches(id, 'ended')
  expect(sentTo(device!).map(({ type }) => type)).toEqual(['flush', 'reboot', 'lock'])
})

test('a later job replaces what still waits for a device', async () => {
  const [device] = bssids
  await setStatus(3, device!)
  const policy = { offline: 24 }
  const older = await create({ command: 'lock', input: { locked: true }, ids: [device!], policy })
  const other = await create({ command: 'reboot', ids: [device!], policy })
  for (const id of [older, other]) await until(async () => expect(counted(await job(id))).toEqual({ waiting: 1 }))
  // One that does not reach the device, and one that has not started, replace nothing.
  const skipped = await create({ command: 'lock', input: { locked: false }, ids: [device!] })
  expect(counted(await reaches(skipped, 'ended'))).toEqual({ skipped: 1 })
  const start = new Date(jobs.clock.now().getTime() + msPerHour).toISOString()
  const scheduled = await create({ command: 'lock', input: { locked: false }, ids: [device!], policy: { start } })
  expect(await task(older, device!)).toMatchObject({ state: 'waiting' })
  await act(scheduled, 'cancel')

  const newer = await create({ command: 'lock', input: { locked: false }, ids: [device!], policy })
  await until(async () =>
    expect(await task(older, device!)).toMatchObject({ state: 'cancelled', reason: 'Replaced by a later job' }),
  )
  await setStatus(0, device!)
  for (const id of [other, newer]) expect(counted(await reaches(id, 'ended'))).toEqual({ done: 1 })
  expect(
    sentTo(device!)
      .map(({ type }) => type)
      .toSorted(),
  ).toEqual(['lock', 'reboot'])
})

test('what was sent before it waited is unanswered when a later job replaces it', async () => {
  const [device] = bssids
  link.silent.add(device!)
  const policy = { offline: 24, retries: 1 }
  const older = await create({ command: 'lock', input: { locked: true }, ids: [device!], policy })
  await until(async () => expect(await task(older, device!)).toMatchObject({ attempts: 1, state: 'queued' }))
  await setStatus(3, device!)
  advance(msPerMinute)
  await until(async () => expect(counted(await job(older))).toEqual({ waiting: 1 }))
  const newer = await create({ command: 'lock', input: { locked: false }, ids: [device!], policy: { offline: 24 } })
  await until(async () => expect(counted(await job(newer))).toEqual({ waiting: 1 }))
  await until(async () =>
    expect(await task(older, device!)).toMatchObject({ state: 'unanswered', reason: 'Replaced by a later job' }),
  )
  await act(newer, 'cancel')
})

test('what waits for its window is replaced by a later job, and does not undo it', async () => {
  const [device] = bssids
  const days = [1, 2, 3, 4, 5, 6, 7]
  const hour = (new Date(jobs.clock.now()).getUTCHours() + 12) % 24
  const at = (minutes: string) => `${String(hour).padStart(2, '0')}:${minutes}`
  const policy = { window: { days, from: at('00'), to: at('59') } }
  const older = await create({ command: 'lock', input: { locked: true }, ids: [device!], policy })
  const isHeld = and(eq(jobTasks.job_id, older), eq(jobTasks.state, 'queued'), gt(jobTasks.due_at, jobs.clock.now()))
  await until(async () => expect(await db.$count(jobTasks, isHeld)).toBe(1))
  const newer = await create({ command: 'lock', input: { locked: false }, ids: [device!] })
  expect(counted(await reaches(newer, 'ended'))).toEqual({ done: 1 })
  expect(await task(older, device!)).toMatchObject({ state: 'cancelled', reason: 'Replaced by a later job' })
})

test('the time for which a task waits begins when it has to wait', async () => {
  const policy = { waves: [{ size: 1, wait: 180 }], offline: 1 }
  const id = await create({ command: 'flush', ids: bssids.slice(0, 2), policy })
  await until(async () => expect((await job(id)).next_wave_at).not.toBeNull())
  const last = (await tasks(id)).find(({ state }) => state === 'queued')!.bssid
  await setStatus(3, last)
  advance(3 * msPerHour)
  await until(async () => expect(await task(id, last)).toMatchObject({ state: 'waiting' }))
  // Coming back for a moment does not begin it anew.
  advance(msPerHour / 2)
  await setStatus(0, last)
  expect(counted(await reaches(id, 'ended'))).toEqual({ done: 2 })
})

test('a wave with fewer tasks than the stop rule asks for stops the job, too', async () => {
  const policy = { waves: [{ size: 2 }], stop: { failed: '5%', after: 20 } }
  for (const bssid of bssids) link.refusals.set(bssid, 'Bad image')
  const id = await create({ command: 'flush', ids: bssids, policy })
  expect(counted(await reaches(id, 'paused'))).toEqual({ refused: 2, queued: bssids.length - 2 })
  await act(id, 'cancel')
})

test('cancelling leaves what was sent, and cancels the rest', async () => {
  const [sent, ...rest] = bssids.slice(0, 5)
  const answered = Promise.withResolvers<void>()
  link.slow.set(sent!, answered.promise)
  await setStatus(3, ...rest)
  const id = await create({ command: 'flush', ids: [sent!, ...rest], policy: { offline: 1 } })
  await until(async () => expect(counted(await job(id))).toEqual({ sent: 1, waiting: 4 }))
  expect((await act(id, 'cancel')).statusCode).toBe(200)
  expect(await job(id)).toMatchObject({ state: 'cancelling', counts: { sent: 1, cancelled: 4 } })
  answered.resolve()
  expect(counted(await reaches(id, 'ended'))).toEqual({ done: 1, cancelled: 4 })
  expect((await act(id, 'cancel')).json()).toMatchObject({ message: 'The job is ended and cannot be cancelled' })
})

test('a paused job sends nothing until it is resumed', async () => {
  await setStatus(3, ...bssids.slice(0, 3))
  const start = new Date(jobs.clock.now().getTime() + msPerMinute).toISOString()
  const id = await create({ command: 'reboot', ids: bssids.slice(3, 6), policy: { start } })
  expect((await act(id, 'pause')).statusCode).toBe(200)
  advance(msPerHour)
  await reaches(id, 'paused')
  expect(link.sent).toEqual([])
  await act(id, 'resume')
  expect(counted(await reaches(id, 'ended'))).toEqual({ done: 3 })
})

test('a job is retried for one reason of its failures', async () => {
  const [one, two, three] = bssids
  link.refusals.set(one!, 'In service mode')
  link.refusals.set(two!, 'No water')
  const id = await create({ command: 'flush', ids: [one!, two!, three!] })
  await reaches(id, 'ended')
  link.refusals.clear()
  const answer = await act(id, 'retry', { body: { reason: 'No water' } })
  const again = answer.json<{ data: { _id: string } }>().data._id
  expect(await reaches(again, 'ended')).toMatchObject({ parent: id, kind: 'retry', total: 1, done: 1 })
  expect((await tasks(again)).map(({ bssid }) => bssid)).toEqual([two])
})

test('a retry has the policy of its job, or its own', async () => {
  const [one, two] = bssids
  link.refusals.set(one!, 'No water')
  link.refusals.set(two!, 'No water')
  const policy = { waves: [{ size: 1 }], retries: 1 }
  const id = await create({ command: 'flush', ids: [one!, two!], policy })
  await reaches(id, 'ended')
  const retry = (body: object) => act(id, 'retry', { body: { reason: null, ...body } })
  const created = async (body: object) => job((await retry(body)).json<{ data: { _id: string } }>().data._id)
  expect(await created({})).toMatchObject({ kind: 'retry', policy, waves: 2 })
  const start = new Date(jobs.clock.now().getTime() + msPerHour).toISOString()
  const own = await created({ policy: { rate: 60, start } })
  expect(own).toMatchObject({ kind: 'retry', parent: id, state: 'scheduled', start_at: start, waves: 1 })
  expect(own.policy).toEqual({ rate: 60, start })
  await act(own._id, 'cancel')
  const preview = await as('vendor', 'POST', `jobs/${id}/retry?preview=true`, { reason: null, policy: {} })
  expect(preview.json<{ data: { waves: unknown[] } }>().data.waves).toHaveLength(1)
  const rule = { rrule: 'FREQ=DAILY', from: start, time_zone: 'UTC' }
  for (const [wrong, text] of [
    [{ start: rule }, 'A retry cannot be repeated'],
    [{ success: 'acknowledged' }, 'Policy success is only for update_firmware'],
    [{ waves: [] }, 'Policy waves must have at least 1'],
  ] as const) {
    const refused = await retry({ policy: wrong })
    expect(refused.statusCode).toBe(400)
    expect(refused.body).toContain(text)
  }
})

test('the reasons of a job are counted, except of devices that are still to do it', async () => {
  const [one, two, silent, offline] = bssids
  for (const bssid of [one!, two!]) link.refusals.set(bssid, 'No water')
  link.silent.add(silent!)
  await setStatus(3, offline!)
  const id = await create({ command: 'flush', ids: [one!, two!, silent!, offline!], policy: { retries: 1 } })
  await until(async () => expect(counted(await job(id))).toEqual({ refused: 2, skipped: 1, queued: 1 }))
  const reasons = async () => (await as('vendor', 'GET', `jobs/${id}/reasons`)).json<{ data: unknown }>().data
  const [refused, skipped] = [
    { reason: 'No water', count: 2 },
    { reason: 'Device is offline', count: 1 },
  ]
  expect(await reasons()).toEqual([refused, skipped])
  advance(msPerMinute)
  await reaches(id, 'ended')
  expect(await reasons()).toEqual([refused, { reason: 'Device did not answer within 10 seconds', count: 1 }, skipped])
})

test('a task that waits is cancelled alone; one that has ended, and one of no device, are not', async () => {
  const [waiting, done] = bssids
  await setStatus(3, waiting!)
  const id = await create({ command: 'flush', ids: [waiting!, done!], policy: { offline: 24 } })
  await until(async () => expect(counted(await job(id))).toEqual({ waiting: 1, done: 1 }))
  const cancel = (bssid: string, login = 'vendor') => as(login, 'POST', `jobs/${id}/tasks/${bssid}/cancel`, {})
  expect((await cancel(waiting!, 'vendor2')).statusCode).toBe(404)
  expect((await cancel('00:00:00:00:00:00')).json()).toMatchObject({ message: 'Task not found' })
  expect((await cancel(done!)).json()).toMatchObject({ message: 'The task is done and cannot be cancelled' })
  expect((await cancel(waiting!.toLowerCase())).statusCode).toBe(200)
  expect(counted(await reaches(id, 'ended'))).toEqual({ cancelled: 1, done: 1 })
  expect(await task(id, waiting!)).toMatchObject({ state: 'cancelled', reason: 'The task was cancelled' })
  await setStatus(0, waiting!)
  expect(sentTo(waiting!)).toEqual([])
})

test('undo restores each device’s own value', async () => {
  const [locked, open] = bssids
  await db.update(devices).set({ locked: true }).where(eq(devices.bssid, locked!))
  await db.update(devices).set({ locked: false }).where(eq(devices.bssid, open!))
  const id = await create({ command: 'lock', input: { locked: true }, ids: [locked!, open!] })
  await reaches(id, 'ended')
  expect((await act(id, 'undo?preview=true')).json()).toMatchObject({ data: { total: 2, count: 2 } })
  await setStatus(3, open!)
  const part = (await act(id, 'undo')).json<{ data: { _id: string } }>().data._id
  expect(await reaches(part, 'ended')).toMatchObject({ parent: id, kind: 'undo', total: 2, done: 1 })
  // A further undo restores only the rest, as what is restored may have been changed again.
  await setStatus(0, open!)
  const rest = (await act(id, 'undo')).json<{ data: { _id: string } }>().data._id
  expect(await reaches(rest, 'ended')).toMatchObject({ parent: id, kind: 'undo', total: 1, done: 1 })
  expect((await act(id, 'undo')).statusCode).toBe(400)
  expect(sentTo(locked!).at(-1)).toEqual({ type: 'lock', locked: true })
  expect(sentTo(open!).at(-1)).toEqual({ type: 'lock', locked: false })
  const flushed = await create({ command: 'flush', ids: [locked!] })
  await reaches(flushed, 'ended')
  expect((await act(flushed, 'undo')).json()).toMatchObject({
    message: 'The job has changed nothing that can be undone',
  })
})

test('undo leaves what the retry of an earlier undo has restored', async () => {
  const [device] = bssids
  await db.update(devices).set({ locked: false }).where(eq(devices.bssid, device!))
  const id = await create({ command: 'lock', input: { locked: true }, ids: [device!] })
  await reaches(id, 'ended')
  link.silent.add(device!)
  const undo = (await act(id, 'undo')).json<{ data: { _id: string } }>().data._id
  expect(counted(await reaches(undo, 'ended'))).toEqual({ unanswered: 1 })
  link.silent.clear()
  const retried = await act(undo, 'retry', { body: { reason: null } })
  expect(retried.statusCode, retried.body).toBe(200)
  const retry = retried.json<{ data: { _id: string } }>().data._id
  expect(counted(await reaches(retry, 'ended'))).toEqual({ done: 1 })
  expect((await act(id, 'undo')).statusCode).toBe(400)
})

test('nothing is sent while the disk is full, and all of it once there is room', async () => {
  disk.isFilled = true
  const id = await create({ command: 'flush', ids: bssids.slice(0, 3) })
  const before = disk.looks
  await until(() => expect(disk.looks).toBeGreaterThan(before + 1))
  expect(link.sent).toEqual([])
  disk.isFilled = false
  expect(counted(await reaches(id, 'ended'))).toEqual({ done: 3 })
})

test('a server takes over what a killed one has sent, under the same id', async () => {
  const [device] = bssids
  const start = new Date(jobs.clock.now().getTime() + msPerHour).toISOString()
  const id = await create({ command: 'flush', ids: [device!], policy: { start } })
  const lease = new Date(jobs.clock.now().getTime() + 20_000)
  await db.update(jobRows).set({ state: 'running', wave: 0 }).where(eq(jobRows.id, id))
  await db
    .update(jobTasks)
    .set({ state: 'sent', command_id: 'first', attempts: 1, due_at: lease })
    .where(eq(jobTasks.job_id, id))
  advance(19_000)
  expect(counted(await job(id))).toEqual({ sent: 1 })
  advance(1_001)
  expect(counted(await reaches(id, 'ended'))).toEqual({ done: 1 })
  expect(link.ids).toEqual(['first'])
  expect(await task(id, device!)).toMatchObject({ attempts: 1 })
})

test('a server does not send again to a device that belongs to another vendor since', async () => {
  const [device] = bssids
  const start = new Date(jobs.clock.now().getTime() + msPerHour).toISOString()
  const id = await create({ command: 'flush', ids: [device!], policy: { start } })
  await db.update(jobRows).set({ state: 'running', wave: 0 }).where(eq(jobRows.id, id))
  const [other] = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.login, 'vendor2'))
  await db.update(devices).set({ vendor_id: other!.id }).where(eq(devices.bssid, device!))
  await db
    .update(jobTasks)
    .set({ state: 'sent', command_id: 'moved', attempts: 1, due_at: jobs.clock.now() })
    .where(eq(jobTasks.job_id, id))
  advance(1)
  const reason = 'The device was deleted or belongs to another vendor'
  await reaches(id, 'ended')
  expect(await task(id, device!)).toMatchObject({ state: 'unanswered', reason })
  expect(sentTo(device!)).toEqual([])
  await db.update(devices).set({ vendor_id: vendor }).where(eq(devices.bssid, device!))
})

test('a server does not send again what was cancelled since', async () => {
  const [device] = bssids
  const start = new Date(jobs.clock.now().getTime() + msPerHour).toISOString()
  const id = await create({ command: 'flush', ids: [device!], policy: { start } })
  await db.update(jobRows).set({ state: 'running', wave: 0 }).where(eq(jobRows.id, id))
  const lease = new Date(jobs.clock.now().getTime() + 20_000)
  await db
    .update(jobTasks)
    .set({ state: 'sent', command_id: 'cancelled', attempts: 1, due_at: lease })
    .where(eq(jobTasks.job_id, id))
  await act(id, 'cancel')
  advance(20_001)
  await reaches(id, 'ended')
  expect(await task(id, device!)).toMatchObject({ state: 'unanswered', reason: 'The job was cancelled' })
  expect(sentTo(device!)).toEqual([])
})

test('a server takes over the task of a later job, although an earlier one is due again', async () => {
  const [device] = bssids
  const start = new Date(jobs.clock.now().getTime() + msPerHour).toISOString()
  const [earlier, later] = [
    await create({ command: 'flush', ids: [device!], policy: { start } }),
    await create({ command: 'reboot', ids: [device!], policy: { start } }),
  ]
  const due_at = new Date(jobs.clock.now().getTime() + 1000)
  for (const [id, values] of [
    [earlier, { state: 'queued', attempts: 1, command_id: 'earlier', due_at }],
    [later, { state: 'sent', attempts: 1, command_id: 'later', due_at }],
  ] as const) {
    await db.update(jobRows).set({ state: 'running', wave: 0 }).where(eq(jobRows.id, id))
    await db.update(jobTasks).set(values).where(eq(jobTasks.job_id, id))
  }
  advance(1001)
  for (const id of [later, earlier]) expect(counted(await reaches(id, 'ended'))).toEqual({ done: 1 })
  expect(link.ids).toEqual(['later', 'earlier'])
})

test('what was sent is not called cancelled, because the device may have done it', async () => {
  const [silent] = bssids
  link.silent.add(silent!)
  const id = await create({ command: 'reboot', ids: [silent!], policy: { retries: 2 } })
  await until(async () => expect(await task(id, silent!)).toMatchObject({ attempts: 1, state: 'queued' }))
  await act(id, 'cancel')
  expect(counted(await reaches(id, 'ended'))).toEqual({ unanswered: 1 })
})

test('what is not sent is cancelled when the account is blocked, and when the device is another vendor’s', async () => {
  const [given, kept] = bssids
  await setStatus(3, given!, kept!)
  const id = await create({ command: 'flush', ids: [given!, kept!], policy: { offline: 24 } })
  await until(async () => expect(counted(await job(id))).toEqual({ waiting: 2 }))
  const [other] = await db.select().from(accounts).where(eq(accounts.login, 'vendor2'))
  await db.update(devices).set({ vendor_id: other!.id }).where(eq(devices.bssid, given!))
  await setStatus(0, given!)
  await until(async () =>
    expect(await task(id, given!)).toMatchObject({
      state: 'cancelled',
      reason: 'The device was deleted or belongs to another vendor',
    }),
  )
  await db.update(devices).set({ vendor_id: vendor }).where(eq(devices.bssid, given!))
  await db.update(accounts).set({ blocked: true }).where(eq(accounts.id, vendor))
  bus.publish({ kind: 'resources', names: ['jobs'] })
  await until(async () => expect((await row(id)).state).toBe('ended'))
  await db.update(accounts).set({ blocked: false }).where(eq(accounts.id, vendor))
  expect(await task(id, kept!)).toMatchObject({ state: 'cancelled', reason: 'The account was blocked or deleted' })
})

test('jobs of others look like absent ones', async () => {
  const id = await create({ command: 'flush', ids: [bssids[0]!] })
  await reaches(id, 'ended')
  const asStranger = { login: 'vendor2', body: { reason: null } }
  for (const answer of [
    await as('vendor2', 'GET', `jobs/${id}`),
    await as('vendor2', 'GET', `jobs/${id}/tasks`),
    await as('vendor2', 'GET', `jobs/${id}/reasons`),
    await as('vendor2', 'GET', `jobs/${id}/versions`),
    await as('vendor2', 'POST', `jobs/${id}/tasks/${bssids[0]!}/cancel`, {}),
    await as('vendor2', 'GET', `devices/${bssids[0]!}/tasks`),
    ...(await Promise.all(['pause', 'resume', 'cancel', 'retry', 'undo'].map(action => act(id, action, asStranger)))),
  ])
    expect(answer.statusCode, answer.body).toBe(404)
  const listed = (await as('vendor2', 'GET', 'jobs')).json<{ data: { count: number } }>().data
  expect(listed.count).toBe(0)
  expect((await job(id, 'admin'))._id).toBe(id)
  const own = await as('vendor', 'GET', `devices/${bssids[0]!}/tasks`)
  expect(own.json<{ data: object[] }>().data[0]).toMatchObject({ _id: id, command: 'flush', state: 'done' })
})

test('a vendor sees what administrators’ jobs do to its devices, without their logins', async () => {
  const [device] = bssids as [string]
  const id = await create({ command: 'flush', ids: [device] }, 'admin')
  await reaches(id, 'ended', 'admin')
  const tasksFor = async (login: string) => {
    const answer = await as(login, 'GET', `devices/${device}/tasks`)
    return answer.json<{ data: { _id: string; command: string; login: string | null }[] }>().data.slice(0, 1)
  }
  const byAdmin = await tasksFor('admin')
  expect(byAdmin).toMatchObject([{ _id: id, command: 'flush', login: 'admin' }])
  expect(await tasksFor('vendor')).toEqual(byAdmin.map(task => ({ ...task, login: null })))
  expect((await as('vendor', 'GET', `jobs/${id}`)).statusCode).toBe(404)
  expect((await as('vendor', 'POST', `jobs/${id}/tasks/${device}/cancel`, {})).statusCode).toBe(404)

  const vendorOf = async (login: string) => (await db.select().from(accounts).where(eq(accounts.login, login)))[0]!.id
  await db
    .update(devices)
    .set({ vendor_id: await vendorOf('vendor2') })
    .where(eq(devices.bssid, device))
  expect((await tasksFor('vendor2')).map(({ _id }) => _id)).not.toContain(id)
  await db
    .update(devices)
    .set({ vendor_id: await vendorOf('vendor') })
    .where(eq(devices.bssid, device))
})

test('a preview says what would happen to which device, and creates nothing', async () => {
  const [offline, ...online] = bssids
  await setStatus(3, offline!)
  const before = await as('vendor', 'GET', 'jobs')
  const body = { command: 'flush', ids: [...bssids, '00:00:00:00:00:00'], policy: { waves: [{ size: 1, wait: 60 }] } }
  const answer = await as('vendor', 'POST', 'jobs?preview=true', body)
  expect(answer.json<{ data: unknown }>().data).toMatchObject({
    total: 31,
    count: online.length,
    waiting: 0,
    reasons: expect.arrayContaining([
      { reason: 'Device is offline', count: 1, devices: [offline] },
      { reason: 'Device not found', count: 1, devices: ['00:00:00:00:00:00'] },
    ]) as unknown,
    waves: [{ size: 1 }, { size: 28 }],
  })
  expect((await as('vendor', 'GET', 'jobs')).json<{ data: { count: number } }>().data.count).toBe(
    before.json<{ data: { count: number } }>().data.count,
  )
})

test('the preview of a search names all devices that are skipped, however many', async () => {
  await db.insert(firmwareVersions).values({ platform: 'of no device', version: '0.0.0', released_at: new Date() })
  const body = { command: 'update_firmware', input: { version: '0.0.0' }, search: {} }
  const answer = await as('admin', 'POST', 'jobs?preview=true', body)
  const { data } = answer.json<{ data: JobPreview }>()
  expect(data.total).toBeGreaterThan(100)
  expect(data.reasons.reduce((sum, { count }) => sum + count, 0)).toBe(data.total)
  expect(new Set(data.reasons.flatMap(one => one.devices)).size).toBe(data.total)
})

test('an account has two hundred jobs that have not ended at most', async () => {
  const start = new Date(jobs.clock.now().getTime() + msPerHour).toISOString()
  const later = { command: 'flush', ids: [bssids[0]!], policy: { start } }
  const ids: string[] = []
  for (let n = 0; n < 200; n++) ids.push(await create(later))
  const answer = await as('vendor', 'POST', 'jobs', later)
  expect(answer.statusCode).toBe(409)
  expect(answer.json()).toEqual({ message: '200 jobs of this account have not ended. Wait for them, or cancel some' })
  await act(ids[0]!, 'cancel')
  await reaches(ids[0]!, 'ended')
  await create(later)
})

test.each([
  [{ command: 'dance', ids: ['x'] }, /Command must be one of/],
  [{ command: 'flush' }, 'A job needs either ids or a search'],
  [{ command: 'flush', ids: ['x'], search: {} }, 'A job needs either ids or a search'],
  [{ command: 'lock', ids: ['x'] }, 'Locked is required'],
  [{ command: 'lock', ids: ['x'], input: { locked: 'yes' } }, 'Locked must be a boolean'],
  [{ command: 'flush', ids: ['x'], input: { hard: true } }, 'Unknown field: hard'],
  [{ command: 'set_uv', ids: ['x'], input: { mode: 7 } }, 'Mode must be one of 0, 1'],
  [{ command: 'set_flush', ids: ['x'] }, 'At least one setting is required'],
  [{ command: 'flush', ids: ['x'] }, 'None of the devices exists'],
  [{ command: 'flush', search: { column: 'bssid', search: 'nothing like it' } }, 'No device matches the search'],
  [{ command: 'flush', search: { column: 'secret', search: 'x' } }, /Column must be one of/],
  [{ command: 'flush', search: { serach: '4' } }, /Unknown field/],
  [
    { command: 'flush', ids: ['x'], policy: { window: { days: [1], from: '09:00', to: '09:00' } } },
    /must have a length/,
  ],
  [{ command: 'flush', ids: ['x'], policy: { rate: 0 } }, /Policy rate must be/],
  [{ command: 'update_firmware', ids: ['x'], input: { version: '99.99' } }, 'There is no firmware 99.99'],
  [
    { command: 'flush', ids: ['x'], policy: { start: '9999-12-31T00:00:00Z' } },
    'Policy start must be within the next 400 days',
  ],
  [
    { command: 'flush', ids: Array.from({ length: 100_001 }, () => 'A4:1C:09:7E:33:0B') },
    'Ids must have at most 100000',
  ],
])('bad input creates nothing: %#', async (body, message) => {
  const before = await db.$count(jobRows)
  const answer = await as('vendor', 'POST', 'jobs', body)
  expect(answer.statusCode).toBe(400)
  expect(await db.$count(jobRows)).toBe(before)
  const text = [answer.json<{ message: string | string[] }>().message].flat().join('\n')
  expect(text).toMatch(message)
})
