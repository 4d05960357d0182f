import { describe, expect, test } from 'vitest'
import type { Tokens } from '../../../../src/api/contract/auth.ts'
import { demoPassword } from '../../../../server/demo/catalogue.ts'
import { startServer } from '../../support/harness.ts'
import { checksum } from '../../support/database/rows.ts'

const { call, signIn, db } = await startServer()
const token = (await signIn('superadmin')).access_token
const url = '/api/v3/admins'
const password = 'a long enough one'

const logIn = (login: string, given = password) =>
  call('POST', '/api/v3/auth/login/dashboard', { body: { login, password: given } })
const tokensOf = async (login: string) => (await logIn(login)).json<{ data: Tokens }>().data
const profile = (access: string) => call('GET', `${url}/me/profile`, { token: access })

let adminCount = 0
const create = (body: object = {}) =>
  call('POST', url, {
    token,
    body: { login: `admin-${++adminCount}`, password, first_name: 'Ada', last_name: 'Moss', ...body },
  })
/** Creates an administrator and signs in. */
async function newAdmin() {
  const answer = await create()
  const login = `admin-${adminCount}`
  return { id: answer.json<{ data: { _id: string } }>().data._id, login, tokens: await tokensOf(login) }
}

describe('creating an administrator', () => {
  test('creates an account that can sign in', async () => {
    const answer = await create({ login: ' Grace ', first_name: ' Grace ', last_name: 'Hopper' })
    expect(answer.statusCode).toBe(200)
    const { _id } = answer.json<{ data: { _id: string } }>().data
    const list = await call('GET', `${url}?search=grace`, { token })
    expect(list.json()).toMatchObject({
      data: { count: 1, data: [{ _id, login: 'Grace', first_name: 'Grace', last_name: 'Hopper', status: false }] },
    })
    expect(list.body).not.toContain('argon2')
    expect((await logIn('grace')).json()).toMatchObject({ data: { user_id: _id, user_role: 'admin' } })
  })

  test.each(['ADMIN', 'vendor', 'superadmin', 'User@Example.com'])(
    'refuses the login %s, which is taken',
    async login => {
      const answer = await create({ login })
      expect(answer.statusCode).toBe(409)
      expect(answer.json()).toEqual({ message: 'This login is already taken' })
    },
  )

  test('succeeds once for concurrent calls with one login', async () => {
    const answers = await Promise.all(['Twin', 'twin'].map(login => create({ login })))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  test.each([
    [{ password: 'short' }, 'Password must be at least 8 characters'],
    [{ password: 'x'.repeat(129) }, 'Password must be at most 128 characters'],
    [{ password: 'password1' }, 'Password is too common, please choose another'],
    [{ login: '  ' }, 'Login is required'],
    [{ role: 'superadmin' }, 'Unknown field: role'],
  ])('refuses %j', async (body, message) => {
    const before = await checksum(db)
    const answer = await create(body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ message })
    expect(await checksum(db)).toBe(before)
  })
})

describe('deleting administrators', () => {
  test('ends their sessions, and gives a reason for each id that failed', async () => {
    const [one, two] = [await newAdmin(), await newAdmin()]
    const { user_id: vendor } = await signIn('vendor')
    const { user_id: self } = await signIn('superadmin')
    const answer = await call('DELETE', url, { token, body: { ids: [one.id, vendor, self, 'nobody', one.id] } })
    expect(answer.json()).toEqual({
      data: {
        count: 1,
        total: 4,
        failed: [vendor, self, 'nobody'].map(id => ({ id, message: 'Administrator not found' })),
      },
    })
    expect((await profile(one.tokens.access_token)).statusCode).toBe(401)
    expect((await profile(two.tokens.access_token)).statusCode).toBe(200)
    expect((await logIn(one.login)).statusCode).toBe(401)
    expect((await logIn('vendor', demoPassword)).statusCode).toBe(200)
  })
})

describe('changing an administrator’s password', () => {
  test('ends all of its sessions', async () => {
    const { id, login, tokens } = await newAdmin()
    const body = { password: 'another long one' }
    expect((await call('PATCH', `${url}/${id}/change-password`, { token, body })).json()).toEqual({ data: {} })
    expect((await profile(tokens.access_token)).statusCode).toBe(401)
    const refresh = { headers: { 'refresh-token': tokens.refresh_token } }
    expect((await call('POST', '/api/v3/auth/refresh', refresh)).statusCode).toBe(401)
    expect((await logIn(login)).statusCode).toBe(401)
    expect((await logIn(login, body.password)).statusCode).toBe(200)
  })

  test('leaves no session that was started with the old one meanwhile', async () => {
    const { id, login } = await newAdmin()
    for (const [old, next] of [
      [password, 'second long one'],
      ['second long one', 'third long one'],
      ['third long one', 'fourth long one'],
    ] as const) {
      const change = call('PATCH', `${url}/${id}/change-password`, { token, body: { password: next } })
      const answers = await Promise.all(Array.from({ length: 4 }, () => logIn(login, old)))
      expect((await change).statusCode).toBe(200)
      for (const answer of answers)
        if (answer.statusCode === 200)
          expect((await profile(answer.json<{ data: Tokens }>().data.access_token)).statusCode).toBe(401)
      expect((await logIn(login, next)).statusCode).toBe(200)
    }
  })

  test('refuses a common one and keeps the sessions', async () => {
    const { id, tokens } = await newAdmin()
    const answer = await call('PATCH', `${url}/${id}/change-password`, { token, body: { password: 'qwertyuiop' } })
    expect(answer.json()).toEqual({ message: 'Password is too common, please choose another' })
    expect((await profile(tokens.access_token)).statusCode).toBe(200)
  })
})

describe('blocking an administrator', () => {
  test('ends its sessions and refuses it at login, until it is unblocked', async () => {
    const { id, login, tokens } = await newAdmin()
    const setStatus = (status: boolean) => call('PATCH', `${url}/${id}/change-status`, { token, body: { status } })
    expect((await setStatus(true)).json()).toEqual({ data: {} })
    expect((await profile(tokens.access_token)).statusCode).toBe(401)
    expect((await logIn(login)).json()).toEqual({ message: 'This account is blocked' })
    expect((await setStatus(true)).statusCode).toBe(200)
    expect((await setStatus(false)).statusCode).toBe(200)
    expect((await profile(tokens.access_token)).statusCode).toBe(401)
    expect((await profile((await tokensOf(login)).access_token)).statusCode).toBe(200)
  })
})

test.each(['vendor', 'superadmin'])('calls on administrators cannot change %s, who is not one', async login => {
  const { user_id } = await signIn(login)
  const before = await checksum(db)
  for (const [path, body] of [
    ['change-password', { password }],
    ['change-status', { status: true }],
  ] as const) {
    const answer = await call('PATCH', `${url}/${user_id}/${path}`, { token, body })
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({ message: 'Administrator not found' })
  }
  expect(await checksum(db)).toBe(before)
})
