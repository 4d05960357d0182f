/** Updates of firmware: they have succeeded once the device reports the version and stays online. */
import { eq, inArray } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { msPerMinute } from '../../../../src/domain/time.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { firmwareVersions } from '../../../../server/db/schema/models.ts'
import { until } from '../../../support/until.ts'
import { counted, startJobs } from './support.ts'

const { db, bus, bssids, link, clock, runner, openRunner, setStatus, advance, ...jobs } = await startJobs()
const { as, act, create, job, reaches, task, sentTo } = jobs
const version = '77.1'
await db.insert(firmwareVersions).values({ platform: 'test platform', version, released_at: clock.now() })

afterEach(async () => {
  link.sent.length = 0
  link.refusals.clear()
  await setStatus(0, ...bssids)
  await db.update(devices).set({ platform: 'test platform', firmware: '77.0' }).where(inArray(devices.bssid, bssids))
})
await db.update(devices).set({ platform: 'test platform', firmware: '77.0' }).where(inArray(devices.bssid, bssids))

/** Sets what a device reports, and says so like the ingest. */
const report = async (bssid: string, { status, firmware }: { status: 0 | 3 | 6; firmware?: string }) => {
  if (firmware !== undefined) await db.update(devices).set({ firmware }).where(eq(devices.bssid, bssid))
  await setStatus(status, bssid)
}
const update = (ids: readonly string[], policy: object = {}) =>
  create({ command: 'update_firmware', input: { version }, ids, policy })
/** Lets a device report the version, and waits until the server counts the time from then. */
const reportsVersion = async (id: string, bssid: string) => {
  await report(bssid, { status: 0, firmware: version })
  await until(async () => expect((await task(id, bssid)).online_since).not.toBeNull())
}
const acknowledged = (id: string, bssid: string) =>
  until(async () =>
    expect(await task(id, bssid)).toMatchObject({ state: 'sent', acknowledged_at: expect.any(Date) as Date }),
  )

test('an update is done once its device has been online with the version for five minutes', async () => {
  const [device] = bssids
  const id = await update([device!])
  await acknowledged(id, device!)
  expect((await job(id)).policy.success).toEqual({ minutes: 5 })
  await report(device!, { status: 6 })
  await until(async () => expect((await task(id, device!)).was_updating).toBe(true))
  await reportsVersion(id, device!)
  advance(4 * msPerMinute)
  expect(counted(await job(id))).toEqual({ sent: 1 })
  advance(msPerMinute)
  expect(counted(await reaches(id, 'ended'))).toEqual({ done: 1 })
  expect(await task(id, device!)).toMatchObject({ attempts: 1, reason: null })
  expect(sentTo(device!)).toHaveLength(1)
})

test('a task says that it waits for an update of its device', async () => {
  const [device] = bssids
  const first = await update([device!])
  await acknowledged(first, device!)
  const second = await create({ command: 'reboot', ids: [device!] })
  const reason = 'Waits until another job of the device has ended'
  const ofJob = await as('vendor', 'GET', `jobs/${second}/tasks`)
  expect(ofJob.json()).toMatchObject({ data: { data: [{ state: 'queued', reason }] } })
  const ofDevice = await as('vendor', 'GET', `devices/${device}/tasks?limit=2`)
  expect(ofDevice.json()).toMatchObject({
    data: [
      { state: 'queued', reason },
      { state: 'sent', reason: null },
    ],
  })
  await act(first, 'cancel')
  await reportsVersion(first, device!)
  advance(5 * msPerMinute)
  await reaches(second, 'ended')
})

test('a device that reports another version after its update has failed, and the job stops', async () => {
  const failing = bssids.slice(0, 4)
  const id = await update(bssids.slice(0, 8), {
    waves: [{ size: 4 }],
    stop: { failed: '20%', after: 2 },
    success: { minutes: 1 },
  })
  const sent = await until(() => {
    const found = bssids.filter(bssid => sentTo(bssid).length > 0)
    expect(found).toHaveLength(failing.length)
    return found
  })
  for (const bssid of sent) {
    await acknowledged(id, bssid)
    await report(bssid, { status: 6 })
    await until(async () => expect((await task(id, bssid)).was_updating).toBe(true))
    await report(bssid, { status: 0 })
  }
  const paused = await reaches(id, 'paused')
  expect(paused).toMatchObject({ reason: 'More than 20% of the devices of wave 1 failed' })
  await until(async () => expect(counted(await job(id))).toEqual({ refused: 4, queued: 4 }))
  expect(await task(id, sent[0]!)).toMatchObject({
    state: 'refused',
    reason: 'The device reports firmware 77.0 after its update',
  })
  await act(id, 'cancel')
})

test('a device that does not come back in time is unanswered, and gets nothing else meanwhile', async () => {
  const [device] = bssids
  const id = await update([device!], { success: { minutes: 1 } })
  await acknowledged(id, device!)
  const next = await create({ command: 'reboot', ids: [device!] })
  await report(device!, { status: 6 })
  await report(device!, { status: 3 })
  advance(60 * msPerMinute)
  expect(counted(await job(id))).toEqual({ sent: 1 })
  expect(sentTo(device!)).toHaveLength(1)
  advance(msPerMinute)
  expect(counted(await reaches(id, 'ended'))).toEqual({ unanswered: 1 })
  expect((await task(id, device!)).reason).toBe(
    `The device was not online with firmware ${version} in time after its update`,
  )
  expect(counted(await reaches(next, 'ended'))).toEqual({ skipped: 1 })
})

test('the acknowledgement is enough if the policy says so', async () => {
  const id = await update([bssids[0]!], { success: 'acknowledged' })
  expect(counted(await reaches(id, 'ended'))).toEqual({ done: 1 })
})

test('a cancelled job still waits for the success of what was sent', async () => {
  const [device] = bssids
  const id = await update([device!], { success: { minutes: 1 } })
  await acknowledged(id, device!)
  await act(id, 'cancel')
  await reaches(id, 'cancelling')
  await reportsVersion(id, device!)
  advance(msPerMinute)
  expect(counted(await reaches(id, 'ended'))).toEqual({ done: 1 })
})

test('success is for updates of firmware only', async () => {
  const answer = await as('vendor', 'POST', 'jobs', {
    command: 'flush',
    ids: bssids,
    policy: { success: { minutes: 5 } },
  })
  expect([answer.statusCode, answer.json()]).toEqual([400, { message: 'Policy success is only for update_firmware' }])
})

test('another server follows the updates of one that was stopped', async () => {
  const [device] = bssids
  const id = await update([device!], { success: { minutes: 1 } })
  await acknowledged(id, device!)
  await report(device!, { status: 6 })
  await until(async () => expect((await task(id, device!)).was_updating).toBe(true))
  await runner.close()
  await report(device!, { status: 0, firmware: version })
  const next = openRunner()
  try {
    advance(5 * msPerMinute)
    await until(async () => expect((await task(id, device!)).online_since).not.toBeNull())
    advance(msPerMinute)
    expect(counted(await reaches(id, 'ended'))).toEqual({ done: 1 })
    expect(sentTo(device!)).toHaveLength(1)
  } finally {
    await next.close()
  }
})
