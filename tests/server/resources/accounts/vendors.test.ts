import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { Tokens } from '../../../../src/api/contract/auth.ts'
import { newId } from '../../../../server/db/id.ts'
import { accounts } from '../../../../server/db/schema/accounts.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { filtrationSystems } from '../../../../server/db/schema/filtration.ts'
import { deviceModels, deviceModelVendors } from '../../../../server/db/schema/models.ts'
import { startServer } from '../../support/harness.ts'
import { newAccount } from '../../support/subjects.ts'

const { call, signIn, db } = await startServer()
const token = (await signIn('admin')).access_token
const url = '/api/v3/vendors'
const password = 'a long enough one'

const company = { company_name: 'Deep Well Ltd', company_address: '1 Spring Street' }
const create = (body: object) =>
  call('POST', url, { token, body: { password, first_name: 'Eve', last_name: 'Stone', ...company, ...body } })
const logIn = (login: string, given = password) =>
  call('POST', '/api/v3/auth/login/dashboard', { body: { login, password: given } })
const idOf = async (login: string) => (await signIn(login)).user_id
const remove = async (ids: string[]) => (await call('DELETE', url, { token, body: { ids } })).json<object>()

describe('a vendor', () => {
  test('can be created with its company, is listed, and can sign in', async () => {
    const answer = await create({ login: 'eve@deepwell.example' })
    expect(answer.statusCode).toBe(200)
    const { _id } = answer.json<{ data: { _id: string } }>().data
    const list = await call('GET', `${url}?column=company_name&operator=eq&search=deep%20well%20ltd`, { token })
    expect(list.json()).toMatchObject({
      data: { count: 1, data: [{ _id, login: 'eve@deepwell.example', description: '', status: false, ...company }] },
    })
    expect((await logIn('eve@deepwell.example')).json()).toMatchObject({ data: { user_role: 'vendor' } })
  })

  test('needs a company, a free login and a good password', async () => {
    expect((await create({ login: 'x', company_name: ' ' })).json()).toEqual({ message: 'Company name is required' })
    expect((await create({ login: 'Vendor2' })).statusCode).toBe(409)
    expect((await create({ login: 'x', password: '12345678' })).statusCode).toBe(400)
  })

  test('can be changed in the given fields only', async () => {
    const id = await newAccount(db, 'vendor', { login: 'before', ...company })
    const answer = await call('PATCH', `${url}/${id}`, { token, body: { login: 'after', company_name: 'Deeper Well' } })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({
      data: { _id: id, login: 'after', company_name: 'Deeper Well', company_address: company.company_address },
    })
    const taken = await call('PATCH', `${url}/${id}`, { token, body: { login: 'ADMIN' } })
    expect(taken.statusCode).toBe(409)
    expect(taken.json()).toEqual({ message: 'This login is already taken' })
    const none = await call('PATCH', `${url}/${await idOf('admin')}`, { token, body: { login: 'mine' } })
    expect(none.json()).toEqual({ message: 'Vendor not found' })
    expect(none.statusCode).toBe(404)
  })

  test('loses its sessions when its password is changed or it is blocked', async () => {
    await create({ login: 'guarded' })
    const sessionOf = async (given?: string) => (await logIn('guarded', given)).json<{ data: Tokens }>().data
    const first = await sessionOf()
    const seen = (access: string) => call('GET', `${url}/me/profile`, { token: access })
    const id = first.user_id
    await call('PATCH', `${url}/${id}/change-password`, { token, body: { password: 'another long one' } })
    expect((await seen(first.access_token)).statusCode).toBe(401)
    const second = await sessionOf('another long one')
    expect((await seen(second.access_token)).statusCode).toBe(200)
    await call('PATCH', `${url}/${id}/change-status`, { token, body: { status: true } })
    expect((await seen(second.access_token)).statusCode).toBe(401)
    expect((await logIn('guarded', 'another long one')).statusCode).toBe(403)
  })
})

describe('deleting vendors', () => {
  test('reports vendors that are in use, and deletes the others', async () => {
    const [free, busy] = [await newAccount(db, 'vendor'), await idOf('vendor2')]
    const owned = {
      devices: await db.$count(devices, eq(devices.vendor_id, busy)),
      systems: await db.$count(filtrationSystems, eq(filtrationSystems.vendor_id, busy)),
    }
    const message = `${owned.devices} devices, 1 model and ${owned.systems} filtration systems belong to this vendor`
    expect(await remove([free, busy, 'nobody'])).toEqual({
      data: {
        count: 1,
        total: 3,
        failed: [
          { id: busy, message },
          { id: 'nobody', message: 'Vendor not found' },
        ],
      },
    })
    expect(await db.$count(accounts, eq(accounts.id, free))).toBe(0)
    expect(await db.$count(accounts, eq(accounts.id, busy))).toBe(1)
  })

  test('uses the singular for one', async () => {
    const id = await newAccount(db, 'vendor')
    const system = newId()
    await db.insert(filtrationSystems).values({ id: system, model: `FS ${system}`, vendor_id: id })
    const failed = (message: string) => ({ data: { count: 0, total: 1, failed: [{ id, message }] } })
    expect(await remove([id])).toEqual(failed('1 filtration system belongs to this vendor'))
    await db.delete(filtrationSystems).where(eq(filtrationSystems.id, system))
    expect(await remove([id])).toEqual({ data: { count: 1, total: 1, failed: [] } })
  })

  test('fails if a model would no longer be offered to any vendor', async () => {
    const [one, two] = [await newAccount(db, 'vendor'), await newAccount(db, 'vendor')]
    const model_id = newId()
    const values = { platform: 'esp32', name: 'Shared', capabilities: [], bypass_flow_rates: [0, 0, 0, 0] }
    await db.insert(deviceModels).values({ id: model_id, ...values })
    await db.insert(deviceModelVendors).values([one, two].map(vendor_id => ({ model_id, vendor_id })))
    const message = '1 model would no longer be offered to any vendor'
    expect(await remove([one, two])).toEqual({
      data: { count: 0, total: 2, failed: [one, two].map(id => ({ id, message })) },
    })
    expect(await remove([one])).toMatchObject({ data: { count: 1 } })
    expect(await remove([two])).toMatchObject({ data: { failed: [{ id: two, message }] } })
  })

  test('reports administrators and users as not found', async () => {
    const ids = [await idOf('admin'), await newAccount(db, 'user')]
    expect(await remove(ids)).toMatchObject({ data: { count: 0, failed: ids.map(id => ({ id })) } })
  })
})
