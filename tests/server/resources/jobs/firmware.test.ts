/** Firmware as a campaign: which versions run before and during a job, and back to the earlier ones. */
import { and, eq, inArray, ne } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import type { JobPreview } from '../../../../src/api/contract/jobs.ts'
import { accounts } from '../../../../server/db/schema/accounts.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { firmwareVersions } from '../../../../server/db/schema/models.ts'
import { counted, startJobs } from './support.ts'

const { db, bssids, link, clock, setStatus, describe, as, act, create, job, reaches, sentTo, tasks } = await startJobs()
const platform = 'test platform'
for (const version of ['9.0', '10.0', '10.1'])
  await db.insert(firmwareVersions).values({ platform, version, released_at: clock.now() })

const [old, newer, unknown, foreign] = bssids as [string, string, string, string, ...string[]]
const ids = [old, newer, unknown]
const run = (bssid: string, firmware: string) =>
  db.update(devices).set({ firmware, platform }).where(eq(devices.bssid, bssid))
const [vendor] = await db.select().from(accounts).where(eq(accounts.login, 'vendor'))
const [other] = await db
  .select()
  .from(accounts)
  .where(and(eq(accounts.role, 'vendor'), ne(accounts.login, 'vendor')))
const giveTo = (bssid: string, account: string) =>
  db.update(devices).set({ vendor_id: account, filtration_system_id: null }).where(eq(devices.bssid, bssid))

beforeEach(async () => {
  link.sent.length = 0
  await run(old, '9.0')
  await run(newer, '10.0')
  await run(unknown, '')
  await run(foreign, '8.0')
  await setStatus(0, ...bssids)
})

const update = (version: string, which: readonly string[] = ids) =>
  create({ command: 'update_firmware', input: { version }, ids: which, policy: { success: 'acknowledged' } })
const versions = async (id: string, login = 'vendor') =>
  (await as(login, 'GET', `jobs/${id}/versions`)).json<{ data: object[] }>().data
const preview = async (path: string, body?: object, login = 'vendor') =>
  (await as(login, 'POST', `${path}?preview=true`, body)).json<{ data: JobPreview }>().data

test('a preview counts the versions that the devices run, newest first, by ids and by search', async () => {
  await giveTo(foreign, other!.id)
  const body = { command: 'update_firmware', input: { version: '10.1' } }
  const expected = [
    { version: '10.0', count: 1 },
    { version: '9.0', count: 1 },
    { version: '', count: 1 },
  ]
  const byIds = await preview('jobs', { ...body, ids: [...ids, foreign, '00:00:00:00:00:00'] })
  expect(byIds).toMatchObject({ total: 5, count: 3, versions: expected })
  // A device of another vendor looks like one that does not exist.
  expect(byIds.reasons).toEqual([
    { reason: 'Device not found', count: 2, devices: ['00:00:00:00:00:00', foreign].toSorted() },
  ])
  await describe('campaign of firmware', ...ids, foreign)
  const search = { column: 'description', operator: 'eq', search: 'campaign of firmware' }
  expect(await preview('jobs', { ...body, search })).toMatchObject({ total: 3, versions: expected })
  expect((await preview('jobs', { ...body, search }, 'admin')).versions).toEqual([
    ...expected.slice(0, 2),
    { version: '8.0', count: 1 },
    { version: '', count: 1 },
  ])
  // Other commands have no versions.
  expect(await preview('jobs', { command: 'reboot', ids })).not.toHaveProperty('versions')
  await giveTo(foreign, vendor!.id)
})

test('the versions of a job are those that its devices run now, without devices that left the vendor', async () => {
  const id = await update('10.1', [...ids, foreign])
  await reaches(id, 'ended')
  expect(await versions(id)).toEqual([
    { version: '10.0', count: 1 },
    { version: '9.0', count: 1 },
    { version: '8.0', count: 1 },
    { version: '', count: 1 },
  ])
  for (const bssid of [old, newer]) await run(bssid, '10.1')
  await giveTo(foreign, other!.id)
  expect(await versions(id)).toEqual([
    { version: '10.1', count: 2 },
    { version: '', count: 1 },
  ])
  expect(await versions(id, 'admin')).toContainEqual({ version: '8.0', count: 1 })
  await giveTo(foreign, vendor!.id)
})

test('an undo installs on each device the version that it had, and can be undone', async () => {
  const id = await update('10.1')
  expect(counted(await reaches(id, 'ended'))).toEqual({ done: 3 })
  for (const bssid of ids) await run(bssid, '10.1')
  link.sent.length = 0

  const back = (await act(id, 'undo')).json<{ data: { _id: string } }>().data._id
  expect(counted(await reaches(back, 'ended'))).toEqual({ done: 2 })
  // One had not reported a version before.
  expect((await tasks(back)).map(({ bssid }) => bssid).toSorted()).toEqual([old, newer].toSorted())
  expect(sentTo(old)).toMatchObject([{ type: 'update_firmware', version: '9.0' }])
  expect(sentTo(newer)).toMatchObject([{ type: 'update_firmware', version: '10.0' }])
  // It begins at once, by the policy of its job.
  expect((await job(back)).policy).toMatchObject({
    success: 'acknowledged',
    offline: 168,
    stop: { failed: '5%', after: 20 },
  })

  await run(old, '9.0')
  await run(newer, '10.0')
  link.sent.length = 0
  const again = (await act(back, 'undo')).json<{ data: { _id: string } }>().data._id
  expect(counted(await reaches(again, 'ended'))).toEqual({ done: 2 })
  expect(sentTo(old)).toMatchObject([{ type: 'update_firmware', version: '10.1' }])
})

test('an undo skips devices whose earlier version is no longer there, or is back already', async () => {
  const id = await update('10.1', [old, newer])
  await reaches(id, 'ended')
  await run(old, '10.1')
  // `newer` runs its earlier version again; that of `old` is withdrawn.
  await db.delete(firmwareVersions).where(inArray(firmwareVersions.version, ['9.0']))
  const expected = [
    { reason: 'Firmware 10.0 is already installed', count: 1, devices: [newer] },
    { reason: `There is no firmware 9.0 for ${platform}`, count: 1, devices: [old] },
  ]
  const plan = await preview(`jobs/${id}/undo`)
  expect(plan).toMatchObject({ total: 2, count: 0, versions: [{ version: '10.1' }, { version: '10.0' }] })
  expect(plan.reasons.toSorted((a, b) => (a.reason < b.reason ? -1 : 1))).toEqual(expected)
  const back = (await act(id, 'undo')).json<{ data: { _id: string } }>().data._id
  expect(counted(await reaches(back, 'ended'))).toEqual({ skipped: 2 })
  await db.insert(firmwareVersions).values({ platform, version: '9.0', released_at: clock.now() })
})
