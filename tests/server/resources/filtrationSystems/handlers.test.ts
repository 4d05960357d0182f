import { asc, eq, inArray, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import type { BulkResponse } from '../../../../src/api/contract/endpoint.ts'
import type { FiltrationSystem } from '../../../../src/api/contract/filtration.ts'
import { deviceCartridges, devices } from '../../../../server/db/schema/devices.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { deviceRow } from '../../support/devices/deviceRows.ts'
import { startServer } from '../../support/harness.ts'
import { sendFile } from '../../support/calls/sendFile.ts'

const { call, db, signIn } = await startServer()
const admin = (await signIn('admin')).access_token
const vendor = (await signIn('vendor')).access_token
const url = '/api/v3/filtration-systems'

type System = z.output<typeof FiltrationSystem>
async function systemsBy(query: string, token = admin): Promise<System[]> {
  const answer = await call('GET', `${url}?${query}`, { token })
  expect(answer.statusCode).toBe(200)
  return answer.json<{ data: { data: System[] } }>().data.data
}
const modelsBy = async (query: string, token = admin) => (await systemsBy(query, token)).map(({ model }) => model)
const system = (model: string) => demoId(`system ${model}`)
const type = (model: string) => demoId(`cartridge ${model}`)
const edit = (model: string, body: object) => call('PUT', `${url}/${system(model)}`, { token: admin, body })
const upload = (content: string) => sendFile(call, `${url}/file`, admin, content)
const usersOf = (model: string) => db.$count(devices, eq(devices.filtration_system_id, system(model)))
const devicesUse = (n: number, whose = '') =>
  `${n} ${n === 1 ? 'device' : 'devices'}${whose} ${n === 1 ? 'uses' : 'use'} this filtration system`

describe('the list', () => {
  test('has every field', async () => {
    expect((await systemsBy('search=FS-400&operator=eq'))[0]).toMatchObject({
      _id: system('FS-400'),
      group: { name: 'Direct flow' },
      vendor: { company_name: 'Aquaterra Water Systems' },
      flushing: true,
      flush: { smart: 'balanced', mode: 0, frequency: 5, duration: 18, volume: 0 },
    })
    const [slim] = await systemsBy('search=fs-400 slim')
    expect(slim!.cartridges.map(({ model }) => model)).toEqual(['CTO-10', 'TFC-400', 'T33'])
  })

  test('searches and sorts by values of related rows', async () => {
    expect(await modelsBy('column=cartridges&search=min-10&operator=eq&sort=model')).toEqual([
      'MN-100',
      'MN-400',
      'MN-75',
    ])
    expect(await modelsBy('column=group&search=office&sort=model')).toEqual(['OF-1200', 'OF-800', 'OF-800 UV'])
    expect(await modelsBy('column=vendor&search=fjord&sort=model')).toEqual(['MN-400', 'OF-800 UV'])
    expect((await modelsBy('sort=cartridges'))[0]).toBe('FS-400 Slim')
    expect((await modelsBy('sort=vendor&limit=2')).toSorted()).toEqual(['FS-400', 'FS-75'])
  })

  test.each(['model', 'group', 'cartridges', 'vendor', 'flushing', 'created_at', 'updated_at'])(
    'sorts by %s in both directions',
    async column => {
      expect(await modelsBy(`sort=${column}&direction=desc`)).toEqual((await modelsBy(`sort=${column}`)).toReversed())
    },
  )

  test('has only its own systems for a vendor', async () => {
    expect((await modelsBy('sort=model', vendor)).toSorted()).toEqual(['FS-400', 'FS-75'])
    expect(await modelsBy('search=FS-100', vendor)).toEqual([])
  })
})

describe('editing', () => {
  test('changes the given fields', async () => {
    const flush = { smart: null, mode: 2, frequency: 10, duration: 36, volume: 2.5 }
    const answer = await edit('OF-800', { model: 'OF-801', group: null, flushing: false, flush })
    expect(answer.json()).toEqual({ data: {} })
    expect((await systemsBy('search=OF-801'))[0]).toMatchObject({ group: null, flushing: false, flush })
    await edit('OF-800', { model: 'OF-800', group: demoId('group Office') })
    expect((await systemsBy('search=OF-800&operator=eq'))[0]).toMatchObject({ group: { name: 'Office' }, flush })
  })

  test('keeps cartridges that the devices have already, and installs the others as new', async () => {
    const [device] = await db
      .select()
      .from(devices)
      .where(eq(devices.filtration_system_id, system('FS-75')))
      .limit(1)
    const values = await deviceRow(db, device!.bssid)
    const fitted = () =>
      db
        .select()
        .from(deviceCartridges)
        .where(eq(deviceCartridges.bssid, device!.bssid))
        .orderBy(asc(deviceCartridges.position))
    const before = await fitted()
    const models = ['PP-5', 'PP-5', 'CTO-10', 'TFC-100', 'T33']
    expect((await edit('FS-75', { cartridges: models.map(type) })).statusCode).toBe(200)
    const after = await fitted()
    expect(after.map(one => one.cartridge_type_id)).toEqual(models.map(type))
    expect(after.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4])
    const had = (model: string) => before.find(one => one.cartridge_type_id === type(model))
    for (const [place, model] of [
      [0, 'PP-5'],
      [2, 'CTO-10'],
      [4, 'T33'],
    ] as const) {
      const { installed_at, volume_before } = had(model)!
      expect(after[place]).toMatchObject({ installed_at, volume_before })
    }
    for (const [place, filters] of [
      [1, 'feed'],
      [3, 'permeate'],
    ] as const) {
      expect(after[place]!.volume_before).toBe(values[filters])
      expect(Date.now() - after[place]!.installed_at.getTime()).toBeLessThan(60_000)
    }
    const { rows } = await db.execute<{ wrong: number }>(sql`
      select count(*)::int as wrong from devices d where next_replacement_at is distinct from (
        select min(installed_at + ttl * interval '24 hours') from device_cartridges c
        join cartridge_types t on t.id = c.cartridge_type_id where c.bssid = d.bssid)`)
    expect(rows[0]!.wrong).toBe(0)

    await edit('FS-75', { cartridges: [] })
    expect(await fitted()).toEqual([])
  })

  test.each([
    ['FS-75', { model: 'fs-100' }, 409, 'A filtration system of this model already exists'],
    ['FS-75', { group: 'none' }, 404, 'Group not found'],
    ['FS-75', { cartridges: ['none'] }, 404, 'Cartridge type not found'],
    ['FS-75', { cartridges: Array.from({ length: 13 }, () => 'x') }, 400, 'Cartridges must have at most 12'],
    ['FS-0', { flushing: true }, 404, 'Filtration system not found'],
  ])('refuses %s with %j', async (model, body, status, message) => {
    const answer = await edit(model, body)
    expect(answer.json()).toEqual({ message })
    expect(answer.statusCode).toBe(status)
  })
})

describe('assigning to a vendor', () => {
  const assign = async (ids: string[], login: string) => {
    const answer = await call('PUT', `${url}/vendor`, {
      token: admin,
      body: { ids, vendor: demoId(`account ${login}`) },
    })
    return { status: answer.statusCode, ...answer.json<{ data?: BulkResponse }>() }
  }

  test('fails for systems that devices of another vendor use, and names the vendor', async () => {
    const used = await usersOf('MN-75')
    expect(used).toBeGreaterThan(0)
    await upload('model\nFree')
    const [free] = await systemsBy('search=Free')
    expect(await assign([system('MN-75'), free!._id, 'none', free!._id], 'vendor')).toEqual({
      status: 200,
      data: {
        count: 1,
        total: 3,
        failed: [
          { id: system('MN-75'), message: devicesUse(used, ' of Desert Bloom Water') },
          { id: 'none', message: 'Filtration system not found' },
        ],
        before: [{ ids: [free!._id], values: { vendor: null } }],
      },
    })
    expect(await modelsBy('search=Free', vendor)).toEqual(['Free'])
    expect((await systemsBy('search=MN-75'))[0]!.vendor!.company_name).toBe('Desert Bloom Water')
    expect(await assign([system('MN-75')], 'vendor4')).toMatchObject({ data: { count: 1 } })
  })

  test('can be removed from systems that no device uses', async () => {
    await upload('model\nLent')
    const [lent] = await systemsBy('search=Lent')
    const used = await usersOf('FS-75')
    const { before } = (await assign([lent!._id], 'vendor')).data as BulkResponse
    const body = { ids: [lent!._id, system('FS-75')], ...before![0]!.values }
    expect((await call('PUT', `${url}/vendor`, { token: admin, body })).json()).toEqual({
      data: {
        count: 1,
        total: 2,
        failed: [{ id: system('FS-75'), message: devicesUse(used, ' of Aquaterra Water Systems') }],
        before: [{ ids: [lent!._id], values: { vendor: demoId('account vendor') } }],
      },
    })
    expect((await systemsBy('search=Lent'))[0]!.vendor).toBeNull()
    expect(await modelsBy('search=Lent', vendor)).toEqual([])
  })

  test.each(['admin', 'user@example.com', 'nobody'])('is refused for %s, who is not a vendor', async login => {
    expect(await assign([system('FS-75')], login)).toEqual({ status: 404, message: 'Vendor not found' })
  })
})

describe('deleting', () => {
  const remove = async (ids: string[], token = admin) => {
    const answer = await call('DELETE', url, { token, body: { ids } })
    return { status: answer.statusCode, ...answer.json<object>() }
  }

  test('fails for systems in use, with the number of devices', async () => {
    await upload('model,cartridges\nUnused,PP-5;T33')
    const [unused] = await systemsBy('search=Unused')
    const n = await usersOf('FS-400')
    expect(await remove([unused!._id, system('FS-400'), 'none'])).toMatchObject({
      data: {
        count: 1,
        total: 3,
        failed: [
          { id: system('FS-400'), message: devicesUse(n) },
          { id: 'none', message: 'Filtration system not found' },
        ],
      },
    })
    expect(await modelsBy('search=Unused')).toEqual([])

    const users = await db
      .select({ bssid: devices.bssid })
      .from(devices)
      .where(eq(devices.filtration_system_id, system('FS-400')))
    const bssids = users.map(({ bssid }) => bssid)
    await db.delete(devices).where(inArray(devices.bssid, bssids.slice(1)))
    expect(await remove([system('FS-400')])).toMatchObject({
      data: { failed: [{ message: '1 device uses this filtration system' }] },
    })
    await db.delete(devices).where(inArray(devices.bssid, bssids))
    expect(await remove([system('FS-400')])).toMatchObject({ data: { count: 1, failed: [] } })
  })

  test('is forbidden for vendors', async () => {
    expect((await remove([system('FS-75')], vendor)).status).toBe(403)
  })
})
