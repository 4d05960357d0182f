/** Bulk commands to devices: each id is in exactly one of done and failed. */
import { eq, like, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { BulkResponse } from '../../../../src/api/contract/endpoint.ts'
import type { Device } from '../../../../src/api/contract/devices.ts'
import { devices, deviceCartridges, shareCodes } from '../../../../server/db/schema/devices.ts'
import { deviceValues } from '../../../../server/db/schema/deviceValues.ts'
import { deviceModels } from '../../../../server/db/schema/models.ts'
import { openChanges } from '../../../../server/devices/changes.ts'
import { startServer } from '../../support/harness.ts'
import { until } from '../../../support/until.ts'

const { call, clock, db, link, signIn } = await startServer()
const vendor = await signIn('vendor')
const token = vendor.access_token
const admin = (await signIn('admin')).access_token

const list = async (by: string) =>
  (await call('GET', '/api/v3/devices?limit=1000', { token: by })).json<{ data: { data: Device[] } }>().data.data
const everyone = await list(admin)
const own = await list(token)
const foreign = everyone.filter(device => device.vendor._id !== vendor.user_id)
const capabilities = new Map((await db.select().from(deviceModels)).map(model => [model.id, model.capabilities]))
const can = (device: Device, capability: string) =>
  capabilities.get(device.model._id)!.some(capable => capable === capability)
const reachable = (device: Device) => device.status !== 3 && device.status !== 6
const ready = everyone.filter(device => reachable(device) && can(device, 'flush') && can(device, 'lock'))
const offline = everyone.find(device => device.status === 3 && can(device, 'flush'))!
const updating = everyone.find(device => device.status === 6)!

type Method = 'POST' | 'PUT' | 'DELETE'
async function bulkCall(method: Method, path: string, body: object, by = admin): Promise<BulkResponse> {
  const answer = await call(method, `/api/v3/devices${path}`, { token: by, body })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ data: BulkResponse }>().data
}
const stored = async (bssid: string) => (await db.select().from(devices).where(eq(devices.bssid, bssid)))[0]!

test('done, refusing, foreign, absent and malformed ids are reported separately', async () => {
  const [good, refusing] = own.filter(device => ready.some(one => one.bssid === device.bssid))
  link.refusals.set(refusing!.bssid, 'Refused: in service mode')
  const ids = [good!, refusing!, foreign[0]!].map(device => device.bssid)
  const answer = await bulkCall('POST', '/flush', { ids: [...ids, '00:00:00:00:00:00', 'nonsense'] }, token)
  expect(answer).toEqual({
    count: 1,
    total: 5,
    failed: [
      { id: refusing!.bssid, message: 'Refused: in service mode' },
      { id: foreign[0]!.bssid, message: 'Device not found' },
      { id: '00:00:00:00:00:00', message: 'Device not found' },
      { id: 'nonsense', message: 'Device not found' },
    ],
  })
  expect(link.sent.map(one => one.bssid)).not.toContain(foreign[0]!.bssid)
  link.refusals.clear()
})

test('no command is sent to a device that is offline or updating', async () => {
  link.sent.length = 0
  const answer = await bulkCall('POST', '/reboot', { ids: [offline.bssid, updating.bssid] })
  expect(answer.failed).toEqual([
    { id: offline.bssid, message: 'Device is offline' },
    { id: updating.bssid, message: 'Device is updating its firmware' },
  ])
  expect(link.sent).toEqual([])
})

test('different spellings of an id count as one device', async () => {
  link.sent.length = 0
  const { bssid } = ready[0]!
  const spelled = [bssid, bssid.toLowerCase(), bssid.replaceAll(':', ''), bssid.replaceAll(':', '-')]
  expect(await bulkCall('POST', '/flush', { ids: spelled })).toEqual({ count: 1, total: 1, failed: [] })
  expect(link.sent).toEqual([{ bssid, command: { type: 'flush' } }])
})

test('no command is sent to a device whose model lacks the capability', async () => {
  const without = everyone.find(device => reachable(device) && !can(device, 'uv'))!
  const answer = await bulkCall('PUT', '/settings/uv', { ids: [without.bssid], mode: 1 })
  expect(answer.failed).toEqual([{ id: without.bssid, message: 'Device model has no UV module' }])
  expect((await stored(without.bssid)).uv).toBe(without.uv)
})

describe('settings are stored only for devices that acknowledged', () => {
  const cases: [path: string, capability: string, body: object, change: object][] = [
    ['/lock', 'lock', { locked: true }, { locked: true }],
    ['/lock', 'lock', { locked: false }, { locked: false }],
    ['/settings/flush', 'flush', { frequency: 20, smart: null }, { flush_frequency: 20, flush_smart: null }],
    ['/settings/flush', 'flush', { volume: 12.5 }, { flush_volume: 12.5, flush_frequency: 20 }],
    ['/settings/idle-protection', 'idle_protection', { duration: 90 }, { idle_protection: 90 }],
    ['/settings/bypass', 'bypass', { state: 3 }, { bypass_state: 3 }],
    ['/settings/uv', 'uv', { mode: 1 }, { uv: 1 }],
    ['/settings/uv', 'uv', { mode: 0 }, { uv: 0 }],
  ]
  test.each(cases)('%s (%s) %j', async (path, capability, body, change) => {
    const [done, refusing] = everyone.filter(device => reachable(device) && can(device, capability))
    const before = await stored(refusing!.bssid)
    link.refusals.set(refusing!.bssid, 'Refused')
    const answer = await bulkCall('PUT', path, { ids: [done!.bssid, refusing!.bssid], ...body })
    link.refusals.clear()
    expect(answer).toMatchObject({ count: 1, total: 2, failed: [{ id: refusing!.bssid, message: 'Refused' }] })
    expect(await stored(done!.bssid)).toMatchObject(change)
    expect(await stored(refusing!.bssid)).toEqual(before)
  })
})

test('a setting is stored as soon as its device acknowledged, and does not overwrite a later one', async () => {
  const [quick, slow] = ready.map(({ bssid }) => bssid) as [string, string]
  await bulkCall('PUT', '/lock', { ids: [quick, slow], locked: false })
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  link.slow.set(slow, answered)
  const locking = bulkCall('PUT', '/lock', { ids: [quick, slow], locked: true })
  await until(async () => expect(await stored(quick)).toMatchObject({ locked: true }))
  await bulkCall('PUT', '/lock', { ids: [quick], locked: false })
  answer()
  expect(await locking).toMatchObject({ count: 2, total: 2, failed: [] })
  link.slow.clear()
  expect(await stored(quick)).toMatchObject({ locked: false })
  expect(await stored(slow)).toMatchObject({ locked: true })
})

test('of changes stored at the same time the last one counts', async () => {
  const [one, other] = ready.map(({ bssid }) => bssid) as [string, string]
  const changes = openChanges({ serving: { db }, now: clock.now })
  const [lock, unlock] = [{ locked: true }, { locked: false }]
  await Promise.all([
    changes.store(other, unlock),
    changes.store(one, lock),
    changes.store(one, unlock),
    changes.store(other, lock),
    changes.store(one, { uv: 1 }),
  ])
  expect(await stored(one)).toMatchObject({ locked: false, uv: 1 })
  expect(await stored(other)).toMatchObject({ locked: true })
})

test.each(['/settings/flush', '/settings/bypass'])('%s without a setting is refused', async path => {
  const answer = await call('PUT', `/api/v3/devices${path}`, { token: admin, body: { ids: [ready[0]!.bssid] } })
  expect(answer.statusCode).toBe(400)
  expect(answer.json<{ message: string }>().message).toBe('At least one setting is required')
})

test('a reset restores the settings, a factory reset also the valve; lock and description are kept', async () => {
  const { bssid } = everyone.find(device => reachable(device) && can(device, 'bypass'))!
  const other = { flush_volume: 50, idle_protection: 60, bypass_state: 2 as const, uv: 1 as const, valve_closed: true }
  const kept = { locked: true, description: 'Kept' }
  const reset = { flush_volume: 0, idle_protection: 0, bypass_state: 0, uv: 0 }
  for (const [scope, valve_closed] of [
    ['settings', true],
    ['factory', false],
  ] as const) {
    await db
      .update(devices)
      .set({ ...other, ...kept })
      .where(eq(devices.bssid, bssid))
    await bulkCall('POST', '/reset', { ids: [bssid], scope })
    expect(await stored(bssid)).toMatchObject({ ...reset, ...kept, valve_closed })
  }
})

test('deleting removes a device with all its data, also if it is offline, and no foreign device', async () => {
  const mine = own.find(device => device.cartridges.length > 0 && device.bssid !== offline.bssid)!
  await call('POST', `/api/v3/devices/${mine.bssid}/share`, { token })
  const answer = await bulkCall('DELETE', '', { ids: [mine.bssid, foreign[1]!.bssid] }, token)
  expect(answer).toEqual({
    count: 1,
    total: 2,
    failed: [{ id: foreign[1]!.bssid, message: 'Device not found' }],
  })
  expect(await stored(mine.bssid)).toBeUndefined()
  expect(await stored(foreign[1]!.bssid)).toBeDefined()
  expect(await db.$count(deviceCartridges, eq(deviceCartridges.bssid, mine.bssid))).toBe(0)
  expect(await db.$count(shareCodes, eq(shareCodes.bssid, mine.bssid))).toBe(0)
  expect(await bulkCall('DELETE', '', { ids: [offline.bssid] })).toMatchObject({ count: 1 })
})

test('a call accepts a thousand ids, and no more', async () => {
  const many = Array.from({ length: 1000 }, (_, at) => `FF${at.toString(16).padStart(10, '0').toUpperCase()}`)
  await db.execute(sql`insert into devices (bssid, platform, model_id, vendor_id)
    select regexp_replace(key, '(..)(?=.)', '\\1:', 'g'), platform, model_id, vendor_id
    from unnest(${sql.param(many)}::text[]) key, (select * from devices where bssid = ${ready[0]!.bssid}) one`)
  await db.update(deviceValues).set({ status: 0 }).where(like(deviceValues.bssid, 'FF:%'))
  expect(await bulkCall('PUT', '/lock', { ids: many, locked: true })).toMatchObject({ count: 1000, failed: [] })
  const tooMany = await call('PUT', '/api/v3/devices/lock', {
    token: admin,
    body: { ids: [...many, 'x'], locked: true },
  })
  expect(tooMany.statusCode).toBe(400)
})
