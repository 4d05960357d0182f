/** Assigning a model, a filtration system, a time zone or a water supply to devices. */
import { and, asc, eq, isNull, ne } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Device } from '../../../../src/api/contract/devices.ts'
import type { BulkResponse } from '../../../../src/api/contract/endpoint.ts'
import { deviceCartridges, devices } from '../../../../server/db/schema/devices.ts'
import { notifications } from '../../../../server/db/schema/notifications.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { deviceRow, setStatus } from '../../support/devices/deviceRows.ts'
import { startServer } from '../../support/harness.ts'

const { call, db, link, signIn } = await startServer()
const tokens = { admin: (await signIn('admin')).access_token, vendor: (await signIn('vendor')).access_token }
type By = keyof typeof tokens
const account = (login: string) => demoId(`account ${login}`)
const model = (name: string) => demoId(`model ${name}`)
const system = (name: string) => demoId(`system ${name}`)

const devicesOf = (login: string) =>
  db
    .select()
    .from(devices)
    .where(eq(devices.vendor_id, account(login)))
    .orderBy(asc(devices.bssid))
const bssidsOf = async (login: string) => (await devicesOf(login)).map(({ bssid }) => bssid)
const stored = async (bssid: string) => (await db.select().from(devices).where(eq(devices.bssid, bssid)))[0]!
const fitted = (bssid: string) =>
  db.select().from(deviceCartridges).where(eq(deviceCartridges.bssid, bssid)).orderBy(asc(deviceCartridges.position))
const absent = '00:00:00:00:00:00'
const notFound = (id: string) => ({ id, message: 'Device not found' })

async function put(by: By, what: 'model' | 'filtration-system' | 'time-zone' | 'water-supply', body: object) {
  const answer = await call('PUT', `/api/v3/devices/${what}`, { token: tokens[by], body })
  return { status: answer.statusCode, ...answer.json<{ data?: BulkResponse; message?: string }>() }
}
const setModel = (by: By, ids: string[], name: string) => put(by, 'model', { ids, model: model(name) })
const setSystem = (by: By, ids: string[], name: string) =>
  put(by, 'filtration-system', { ids, filtration_system: system(name) })

describe('a model', () => {
  test('is assigned to devices, including offline ones, without sending commands', async () => {
    const ids = await bssidsOf('vendor')
    const answer = await setModel('vendor', [...ids, absent], 'RO-600 Family')
    expect(answer.data).toMatchObject({ count: ids.length, total: ids.length + 1, failed: [notFound(absent)] })
    for (const device of await devicesOf('vendor')) expect(device.model_id).toBe(model('RO-600 Family'))
    expect(link.sent).toEqual([])
  })

  test('fails for devices of vendors that it is not offered to', async () => {
    const [[one], [two]] = await Promise.all([bssidsOf('vendor3'), bssidsOf('vendor4')])
    expect((await setModel('admin', [one!, two!], 'RO-1200 Office')).data).toMatchObject({
      count: 1,
      total: 2,
      failed: [{ id: two, message: 'Model RO-1200 Office is not offered to Desert Bloom Water' }],
    })
    expect((await stored(one!)).model_id).toBe(model('RO-1200 Office'))
    expect((await stored(two!)).model_id).not.toBe(model('RO-1200 Office'))
  })

  test('that is not offered to a vendor is not found, like foreign devices', async () => {
    const [own] = await bssidsOf('vendor')
    const [foreign] = await bssidsOf('vendor2')
    const hidden = await setModel('vendor', [own!], 'RO-1200 Office')
    expect(hidden).toEqual({ status: 404, message: 'Device model not found' })
    expect(await setModel('vendor', [own!], 'None')).toEqual(hidden)
    expect((await setModel('vendor', [foreign!], 'RO-400 Home')).data!.failed).toEqual([notFound(foreign!)])
  })
})

describe('a filtration system', () => {
  test('is assigned with new cartridges and their replacement date', async () => {
    const [device] = await db
      .select()
      .from(devices)
      .where(and(eq(devices.vendor_id, account('vendor')), eq(devices.filtration_system_id, system('FS-75'))))
    expect((await setSystem('vendor', [device!.bssid, absent], 'FS-400')).data).toMatchObject({
      count: 1,
      total: 2,
      failed: [notFound(absent)],
    })
    const after = await stored(device!.bssid)
    const { feed, permeate } = await deviceRow(db, device!.bssid)
    const cartridges = await fitted(device!.bssid)
    expect(cartridges.map(one => one.cartridge_type_id)).toEqual(
      ['PP-5', 'CTO-10', 'TFC-400', 'T33'].map(type => demoId(`cartridge ${type}`)),
    )
    const installed = cartridges[0]!.installed_at.getTime()
    expect(Date.now() - installed).toBeLessThan(60_000)
    expect(cartridges.map(one => one.volume_before)).toEqual([feed, feed, permeate, permeate])
    for (const one of cartridges) expect(one.installed_at).toEqual(new Date(installed))
    // The first one due is PP-5, after 180 days.
    expect(after.next_replacement_at).toEqual(new Date(installed + 180 * 86_400_000))
    // The device's flush settings are kept.
    expect(after).toMatchObject({ flush_smart: device!.flush_smart, flush_mode: device!.flush_mode })
    expect(link.sent).toEqual([])
  })

  test('that a device has already keeps its cartridges', async () => {
    const [device] = await db
      .select()
      .from(devices)
      .where(and(eq(devices.vendor_id, account('vendor2')), eq(devices.filtration_system_id, system('FS-100'))))
    const before = await fitted(device!.bssid)
    expect((await setSystem('admin', [device!.bssid], 'FS-100')).data).toMatchObject({
      count: 1,
      failed: [],
      before: [],
    })
    expect(await fitted(device!.bssid)).toEqual(before)
    expect(await stored(device!.bssid)).toEqual(device)
  })

  test('can be assigned to a device without one', async () => {
    const [device] = await db
      .select()
      .from(devices)
      .where(and(isNull(devices.filtration_system_id), ne(devices.vendor_id, account('vendor'))))
    const own = { vendor2: 'FS-100', vendor3: 'OF-800', vendor4: 'MN-75', vendor5: 'MN-100', vendor6: 'MN-400' }
    const [, name] = Object.entries(own).find(([login]) => account(login) === device!.vendor_id)!
    expect((await setSystem('admin', [device!.bssid], name)).data!.count).toBe(1)
    expect((await fitted(device!.bssid)).length).toBeGreaterThan(2)
  })

  test('can be removed from devices of several vendors, with its cartridges', async () => {
    const [[own], [foreign]] = await Promise.all([bssidsOf('vendor'), bssidsOf('vendor2')])
    const [device] = await db.select().from(devices).where(isNull(devices.filtration_system_id))
    await setSystem('admin', [own!], 'FS-400')
    await setSystem('admin', [foreign!], 'FS-100')
    const without = { filtration_system: null }
    const notified = () => db.$count(notifications)
    const notifiedBefore = await notified()
    expect((await put('vendor', 'filtration-system', { ids: [own, foreign], ...without })).data).toEqual({
      count: 1,
      total: 2,
      failed: [notFound(foreign!)],
      before: [{ ids: [own], values: { filtration_system: system('FS-400') } }],
    })
    expect(await stored(own!)).toMatchObject({ filtration_system_id: null, next_replacement_at: null })
    expect(await fitted(own!)).toEqual([])
    const ids = [own, foreign, device!.bssid]
    expect((await put('admin', 'filtration-system', { ids, ...without })).data).toMatchObject({ count: 3, failed: [] })
    expect(await fitted(foreign!)).toEqual([])
    // A device without one is unchanged.
    expect(await stored(device!.bssid)).toEqual(device)
    expect(await notified()).toBe(notifiedBefore)
  })

  test('can be assigned only to devices of its own vendor', async () => {
    const [[one], [two]] = await Promise.all([bssidsOf('vendor'), bssidsOf('vendor2')])
    expect(await setSystem('admin', [one!, two!], 'FS-400')).toEqual({
      status: 400,
      message: 'Please select devices from the same vendor',
    })
    expect(await setSystem('admin', [two!], 'FS-400')).toEqual({
      status: 400,
      message: 'Filtration system FS-400 is not assigned to Blue Ridge Filtration',
    })
    // A vendor cannot see foreign devices, so its own devices are all of one vendor.
    expect((await setSystem('vendor', [one!, two!], 'FS-400')).data).toMatchObject({
      count: 1,
      failed: [notFound(two!)],
    })
  })

  test('of another vendor is not found', async () => {
    const [own] = await bssidsOf('vendor')
    const hidden = await setSystem('vendor', [own!], 'FS-100')
    expect(hidden).toEqual({ status: 404, message: 'Filtration system not found' })
    expect(await setSystem('vendor', [own!], 'None')).toEqual(hidden)
  })

  test('can be assigned to a thousand devices at once', async () => {
    const ids = await bssidsOf('vendor')
    const many = [...ids, ...Array.from({ length: 1000 - ids.length }, (_, at) => `x${at}`)]
    const { data } = await setSystem('admin', many, 'FS-75')
    expect(data).toMatchObject({ count: ids.length, total: 1000 })
    expect(new Set((await devicesOf('vendor')).map(one => one.filtration_system_id))).toEqual(
      new Set([system('FS-75')]),
    )
  })
})

const rowOf = async (bssid: string) =>
  (await call('GET', `/api/v3/devices/${bssid}`, { token: tokens.admin })).json<{ data: Device }>().data

describe('a time zone', () => {
  test('can be set and removed for devices, including offline ones, without sending commands', async () => {
    link.sent.length = 0
    const [own, other] = await bssidsOf('vendor')
    const [foreign] = await bssidsOf('vendor2')
    await setStatus(db, 3, [own!])
    const before = (await rowOf(foreign!)).time_zone
    const ids = [own!, other!.toLowerCase(), foreign!, absent]
    for (const time_zone of ['Asia/Kathmandu', null]) {
      const answer = await put('vendor', 'time-zone', { ids, time_zone })
      expect(answer.data).toMatchObject({ count: 2, total: 4, failed: [notFound(foreign!), notFound(absent)] })
      for (const bssid of [own!, other!]) expect((await rowOf(bssid)).time_zone).toBe(time_zone)
    }
    expect((await rowOf(foreign!)).time_zone).toBe(before)
    expect(link.sent).toEqual([])
  })

  test.each(['Mars/Olympus', '+02:00', '', 'x'.repeat(100), 7])('%j is refused', async time_zone => {
    const ids = await bssidsOf('vendor')
    expect(await put('admin', 'time-zone', { ids, time_zone })).toMatchObject({ status: 400 })
  })

  test('can be searched and sorted by, ignoring case', async () => {
    const ids = (await bssidsOf('vendor3')).slice(0, 2)
    await put('admin', 'time-zone', { ids, time_zone: 'Pacific/Apia' })
    const query = new URLSearchParams({ column: 'time_zone', search: 'pacific', sort: 'time_zone', direction: 'desc' })
    const answer = await call('GET', `/api/v3/devices?${query}`, { token: tokens.admin })
    const { count, data } = answer.json<{ data: { count: number; data: Device[] } }>().data
    expect(count).toBe(2)
    expect(data.map(({ bssid }) => bssid)).toEqual(ids.toReversed())
  })
})

describe('a water supply', () => {
  // The demo's devices have one.
  beforeAll(() => db.update(devices).set({ water_supply: null }))

  const setSupply = (by: By, ids: string[], water_supply: unknown) => put(by, 'water-supply', { ids, water_supply })
  const labels = async (by: By, query = '') =>
    (await call('GET', `/api/v3/devices/water-supplies${query}`, { token: tokens[by] })).json<{ data: string[] }>().data

  test('can be set and removed for own devices, including offline ones, without sending commands', async () => {
    link.sent.length = 0
    const [own, other] = await bssidsOf('vendor')
    const [foreign] = await bssidsOf('vendor2')
    await setStatus(db, 3, [own!])
    const ids = [own!, other!.toLowerCase(), foreign!, absent]
    for (const [given, kept] of [
      ['  Harbour main ', 'Harbour main'],
      ['x'.repeat(100), 'x'.repeat(100)],
      [null, null],
    ]) {
      const answer = await setSupply('vendor', ids, given)
      expect(answer.data).toMatchObject({ count: 2, total: 4, failed: [notFound(foreign!), notFound(absent)] })
      for (const bssid of [own!, other!]) expect((await rowOf(bssid)).water_supply).toBe(kept)
    }
    expect((await rowOf(foreign!)).water_supply).toBeNull()
    expect(link.sent).toEqual([])
  })

  test.each(['', '  ', 'x'.repeat(101), 'a\u0000b', 7, undefined])('%j is refused', async water_supply => {
    const ids = await bssidsOf('vendor')
    expect(await setSupply('admin', ids, water_supply)).toMatchObject({ status: 400 })
    for (const bssid of ids) expect((await stored(bssid)).water_supply).toBeNull()
  })

  test('can be searched and sorted by, ignoring case', async () => {
    const ids = (await bssidsOf('vendor3')).slice(0, 2)
    await setSupply('admin', ids, 'Satama 50 % \u00c4')
    for (const [operator, search] of [
      ['co', 'AMA 50 %'],
      ['eq', 'satama 50 % \u00e4'],
    ]) {
      const query = new URLSearchParams({
        column: 'water_supply',
        operator: operator!,
        search: search!,
        sort: 'water_supply',
        direction: 'desc',
      })
      const answer = await call('GET', `/api/v3/devices?${query}`, { token: tokens.admin })
      const { count, data } = answer.json<{ data: { count: number; data: Device[] } }>().data
      expect(count).toBe(2)
      expect(data.map(({ bssid }) => bssid)).toEqual(ids.toReversed())
    }
    await setSupply('admin', ids, null)
  })

  test('is suggested once for each label in use, to a vendor only those of its own devices', async () => {
    const own = await bssidsOf('vendor')
    const foreign = await bssidsOf('vendor2')
    await setSupply('admin', own.slice(0, 3), 'North main')
    await setSupply('admin', own.slice(3, 4), 'Harbour 100%')
    await setSupply('admin', [...own.slice(4, 5), ...foreign.slice(0, 1)], 'south_main')
    await setSupply('admin', foreign.slice(1, 3), 'Ridge')
    expect(await labels('admin')).toEqual(['Harbour 100%', 'North main', 'Ridge', 'south_main'])
    expect(await labels('vendor')).toEqual(['Harbour 100%', 'North main', 'south_main'])
    expect(await labels('vendor', '?search=MAIN')).toEqual(['North main', 'south_main'])
    expect(await labels('vendor', '?search=MAIN&limit=1')).toEqual(['North main'])
    expect(await labels('vendor', '?search=_')).toEqual(['south_main'])
    expect(await labels('vendor', '?search=ridge')).toEqual([])
  })
})
