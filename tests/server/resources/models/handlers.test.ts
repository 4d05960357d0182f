import { and, eq, ne } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import type { DeviceModel } from '../../../../src/api/contract/models.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { deviceModels } from '../../../../server/db/schema/models.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { startServer } from '../../support/harness.ts'

const { call, db, signIn } = await startServer()
const tokens = {
  admin: (await signIn('admin')).access_token,
  vendor: (await signIn('vendor')).access_token,
  vendor2: (await signIn('vendor2')).access_token,
}
type By = keyof typeof tokens
const url = '/api/v3/devices/models'
const account = (login: string) => demoId(`account ${login}`)
const model = (name: string) => demoId(`model ${name}`)

type Model = z.output<typeof DeviceModel>
async function modelsBy(query: string, by: By = 'admin'): Promise<Model[]> {
  const answer = await call('GET', `${url}?${query}`, { token: tokens[by] })
  expect(answer.statusCode).toBe(200)
  return answer.json<{ data: { data: Model[] } }>().data.data
}
const namesBy = async (query: string, by?: By) => (await modelsBy(query, by)).map(({ name }) => name)

const valid = (name: string, ...logins: string[]) => ({
  platform: 'esp32',
  name,
  capabilities: ['flush', 'uv', 'flush'],
  bypass_flow_rates: [0, 0.1, 0.2, 0.4],
  vendors: logins.map(account),
})
async function save(by: By, body: object) {
  const answer = await call('POST', url, { token: tokens[by], body })
  return { status: answer.statusCode, ...answer.json<{ data?: { _id: string }; message?: unknown }>() }
}
const createModel = async (by: By, name: string, ...logins: string[]) =>
  (await save(by, valid(name, ...logins))).data!._id
async function remove(by: By, ids: string[]) {
  const answer = await call('DELETE', url, { token: tokens[by], body: { ids } })
  return answer.json<{ data: { count: number; total: number; failed: { id: string; message: string }[] } }>().data
}

describe('the list', () => {
  test('has every field', async () => {
    expect((await modelsBy('search=office'))[0]).toMatchObject({
      _id: model('RO-1200 Office'),
      platform: 'esp32-s3',
      company_name: 'Blue Ridge Filtration',
      capabilities: ['flush', 'bypass', 'uv', 'lock', 'valve'],
      bypass_flow_rates: [0, 0.01, 0.02, 0.04],
      vendors: [{ company_name: 'Blue Ridge Filtration' }, { company_name: 'Clearspring Oy' }],
    })
    expect((await modelsBy('search=RO-200'))[0]!.company_name).toBe('')
  })

  test('searches and sorts by lists and related rows', async () => {
    expect(await namesBy('column=capabilities&search=uv module&sort=name')).toEqual(['RO-1200 Office', 'RO-800 Pro UV'])
    expect(await namesBy('column=capabilities&operator=ne&search=valve')).toEqual(['RO-200 Compact'])
    expect(await namesBy('column=vendors&search=fjord&sort=name')).toEqual([
      'RO-200 Compact',
      'RO-400 Home',
      'RO-800 Pro UV',
    ])
    expect(await namesBy('column=company_name&search=blue')).toEqual(['RO-1200 Office'])
    expect(await namesBy('sort=company_name&limit=1')).toEqual(['RO-1200 Office'])
  })

  test.each(['name', 'platform', 'capabilities', 'vendors', 'created_at', 'updated_at'])(
    'sorts by %s in both directions',
    async column => {
      expect(await namesBy(`sort=${column}&direction=desc`)).toEqual((await namesBy(`sort=${column}`)).toReversed())
    },
  )

  test('has for a vendor its own and offered models, with only itself among the vendors', async () => {
    expect(await namesBy('sort=name', 'vendor')).toEqual([
      'RO-200 Compact',
      'RO-400 Home',
      'RO-600 Family',
      'RO-800 Pro UV',
    ])
    for (const { vendors } of await modelsBy('', 'vendor'))
      expect(vendors).toEqual([{ _id: account('vendor'), company_name: 'Aquaterra Water Systems' }])
    expect(await namesBy('column=vendors&search=blue ridge', 'vendor')).toEqual([])
    expect(await namesBy('column=vendors&search=aquaterra', 'vendor')).toHaveLength(4)
  })
})

describe('creating', () => {
  test('is possible for an administrator, for vendors', async () => {
    const id = await createModel('admin', ' Made ', 'vendor', 'vendor3', 'vendor')
    expect((await modelsBy('search=made'))[0]).toMatchObject({
      _id: id,
      name: 'Made',
      company_name: '',
      capabilities: ['flush', 'uv'],
      vendors: [{ _id: account('vendor') }, { _id: account('vendor3') }],
    })
    expect(await namesBy('search=made', 'vendor')).toEqual(['Made'])
    expect(await namesBy('search=made', 'vendor2')).toEqual([])
  })

  test('is possible for a vendor, for itself', async () => {
    await createModel('vendor', 'Own', 'vendor')
    expect((await modelsBy('search=own&operator=eq'))[0]).toMatchObject({ company_name: 'Aquaterra Water Systems' })
    expect(await namesBy('search=own&operator=eq', 'vendor')).toEqual(['Own'])
    expect(await namesBy('search=own&operator=eq', 'vendor2')).toEqual([])
    expect(await save('vendor', valid('Foreign', 'vendor2'))).toEqual({ status: 404, message: 'Vendor not found' })
    expect(await save('vendor', valid('Foreign', 'nobody'))).toEqual({ status: 404, message: 'Vendor not found' })
  })

  test('is refused for a name that a vendor has already, but not for one that it cannot see', async () => {
    const taken = { status: 409, message: 'A device model of this name already exists' }
    expect(await save('vendor', valid('ro-400 HOME', 'vendor'))).toEqual(taken)
    expect(await save('admin', valid('ro-400 HOME', 'vendor'))).toEqual(taken)
    expect(await save('admin', valid('ro-1200 office', 'vendor2'))).toEqual(taken)
    expect((await save('vendor', valid('RO-1200 Office', 'vendor'))).status).toBe(200)
    const renamed = valid('RO-1200 office', 'vendor', 'vendor2', 'vendor3', 'vendor5')
    expect(await save('admin', { ...renamed, _id: model('RO-600 Family') })).toEqual(taken)
    const both = await Promise.all([save('admin', valid('Both', 'vendor')), save('vendor', valid('Both', 'vendor'))])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]))
  })

  test.each([
    [{ vendors: [] }, 400, 'Vendors must have at least 1'],
    [{ vendors: ['none'] }, 404, 'Vendor not found'],
    [{ vendors: [account('admin')] }, 404, 'Vendor not found'],
    [{ name: '' }, 400, 'Name is required'],
    [{ bypass_flow_rates: [0, 0, 0] }, 400, 'Bypass flow rates must have at least 4'],
    [{ bypass_flow_rates: [0, 0, 0, -1] }, 400, 'Bypass flow rates 4 must be greater than or equal to 0'],
    [{ _id: 'none' }, 404, 'Device model not found'],
  ])('is refused with %j', async (values, status, message) => {
    expect(await save('admin', { ...valid('Refused', 'vendor'), ...values })).toEqual({ status, message })
    expect(await namesBy('search=refused')).toEqual([])
  })
})

describe('changing', () => {
  test('is possible for its owner', async () => {
    const _id = await createModel('vendor', 'Before', 'vendor')
    expect(await save('vendor', { ...valid('BEFORE', 'vendor'), _id, capabilities: [] })).toEqual({
      status: 200,
      data: { _id },
    })
    expect((await modelsBy('search=before', 'vendor'))[0]).toMatchObject({ name: 'BEFORE', capabilities: [] })
  })

  test('by its owner keeps the vendors to which administrators offer it', async () => {
    const _id = await createModel('vendor', 'Spread', 'vendor')
    expect((await save('admin', { ...valid('Spread', 'vendor3'), _id })).status).toBe(200)
    expect(await namesBy('search=spread', 'vendor')).toEqual(['Spread'])
    expect((await save('vendor', { ...valid('Spread 2', 'vendor'), _id })).status).toBe(200)
    expect((await modelsBy('search=spread'))[0]).toMatchObject({
      company_name: 'Aquaterra Water Systems',
      vendors: [{ _id: account('vendor') }, { _id: account('vendor3') }],
    })
  })

  test('is refused for a foreign model: as not found if it is invisible, or else with a reason', async () => {
    const before = await db.select().from(deviceModels).where(ne(deviceModels.name, ''))
    const seen = { ...valid('Taken', 'vendor'), _id: model('RO-400 Home') }
    expect(await save('vendor', seen)).toEqual({ status: 403, message: 'Only its owner may change this model' })
    const unseen = { ...valid('Taken', 'vendor'), _id: model('RO-1200 Office') }
    expect(await save('vendor', unseen)).toEqual({ status: 404, message: 'Device model not found' })
    expect(await db.select().from(deviceModels).where(ne(deviceModels.name, ''))).toEqual(before)
  })

  test('cannot remove vendors whose devices use it', async () => {
    const usesBy = (login: string) =>
      db.$count(devices, and(eq(devices.model_id, model('RO-600 Family')), eq(devices.vendor_id, account(login))))
    const [three, five] = await Promise.all([usesBy('vendor3'), usesBy('vendor5')])
    const family = { ...valid('RO-600 Family', 'vendor', 'vendor2'), _id: model('RO-600 Family') }
    expect(await save('admin', family)).toEqual({
      status: 409,
      message: `${three} devices of Clearspring Oy and ${five} devices of Eaux Vives SARL use this model`,
    })
    // Its owner need not be listed.
    const office = { ...valid('RO-1200 Office', 'vendor4'), _id: model('RO-1200 Office') }
    expect(await save('admin', office)).toEqual({ status: 409, message: '1 device of Clearspring Oy uses this model' })
    expect((await save('admin', { ...office, vendors: [account('vendor3')] })).status).toBe(200)
  })
})

describe('deleting', () => {
  test('fails for models in use, with the number of devices', async () => {
    const unused = await createModel('admin', 'Unused', 'vendor')
    const n = await db.$count(devices, eq(devices.model_id, model('RO-200 Compact')))
    expect(await remove('admin', [unused, model('RO-200 Compact'), 'none', unused])).toEqual({
      count: 1,
      total: 3,
      failed: [
        { id: model('RO-200 Compact'), message: `${n} devices use this model` },
        { id: 'none', message: 'Device model not found' },
      ],
    })
    expect(await namesBy('search=unused')).toEqual([])
  })

  test('is possible for a vendor for its own only', async () => {
    const own = await createModel('vendor', 'Mine', 'vendor')
    const foreign = await createModel('vendor2', 'Yours', 'vendor2')
    const offered = await createModel('admin', 'Offered', 'vendor')
    expect(await remove('vendor', [own, foreign, offered, 'none'])).toEqual({
      count: 1,
      total: 4,
      failed: [
        { id: foreign, message: 'Device model not found' },
        { id: offered, message: 'Only its owner may change this model' },
        { id: 'none', message: 'Device model not found' },
      ],
    })
    expect((await namesBy('')).filter(name => ['Mine', 'Yours', 'Offered'].includes(name)).toSorted()).toEqual([
      'Offered',
      'Yours',
    ])
  })
})
